import { setTimeout as pause } from 'node:timers/promises'
import type { Credentials } from './sign-request.ts'
import type { Warning } from './types.ts'
import { VezneError } from './vezne-error.ts'

export type VezneOptions = Credentials & {
  /** Address of the service without a path, such as https://pay.example. */
  baseUrl: string
  /** Attempts per call, including the first. Default 5. */
  maxTries?: number
  /** For one attempt. Default 30,000. */
  timeoutMs?: number
  /** A longer `Retry-After` throws the error at once. Default 30,000. */
  maxWaitMs?: number
  /** Called with each warning of a sandbox. Default: `console.warn`, once for each text. */
  onWarning?: (warning: Warning, call: { method: string; path: string }) => void
  /** The signing clock; for tests. */
  now?: () => Date
  /** Waits between two attempts; for tests. */
  wait?: (milliseconds: number) => Promise<unknown>
  /** Returns 0 to 1; spreads retries. For tests. */
  random?: () => number
}

/** The longest time that a timer of Node can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1
/** A program that makes up field names must not fill the memory. */
const MAX_PRINTED = 1000

export type Settings = Required<VezneOptions>

export function readOptions(options: VezneOptions): Settings {
  for (const name of ['apiKey', 'apiSecret'] as const)
    // A secret read from a file often ends with a line break, and one copied from a page with "…".
    if (typeof options[name] !== 'string' || !/^[!-~]+$/.test(options[name]))
      throw new VezneError(
        'INVALID_OPTIONS',
        `${name} is missing, or has spaces, line breaks or a character that no key has, such as "…". Copy all of it.`,
      )
  const { maxTries = 5, timeoutMs = 30_000, maxWaitMs = 30_000, now = () => new Date() } = options
  for (const [name, value] of Object.entries({ maxTries, timeoutMs }))
    if (!Number.isInteger(value) || value < 1 || value > MAX_TIMER_MS)
      throw new VezneError('INVALID_OPTIONS', `${name} must be a whole number, 1 or more, not ${value}.`)
  const { wait = pause, random = Math.random, onWarning = printOnce(), apiKey, apiSecret } = options
  const baseUrl = originOf(options.baseUrl)
  return { apiKey, apiSecret, baseUrl, maxTries, timeoutMs, maxWaitMs, onWarning, now, wait, random }
}

/** A sandbox repeats a warning with every call that has the mistake. */
function printOnce(): Settings['onWarning'] {
  const printed = new Set<string>()
  return ({ message }, { method, path }) => {
    if (printed.has(message) || printed.size >= MAX_PRINTED) return
    printed.add(message)
    // oxlint-disable-next-line no-console -- the program that uses this package may have no other log
    console.warn(`Vezne, ${method} ${path}: ${message}`)
  }
}

function originOf(baseUrl: string): string {
  try {
    const { protocol, pathname, search, username, origin } = new URL(baseUrl)
    // A proxy that changes the path would break every signature.
    if (/^https?:$/.test(protocol) && pathname === '/' && search === '' && username === '') return origin
  } catch {
    // Not an address: reported below.
  }
  throw new VezneError('INVALID_OPTIONS', `baseUrl must be an address such as https://pay.example, not "${baseUrl}".`)
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Credentials } from './sign-request.ts'
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
  /** The signing clock; for tests. */
  now?: () => Date
  /** Waits between two attempts; for tests. */
  wait?: (milliseconds: number) => Promise<unknown>
  /** Returns 0 to 1; spreads retries. For tests. */
  random?: () => number
}

export type Settings = Required<VezneOptions>

export function readOptions(options: VezneOptions): Settings {
  for (const name of ['apiKey', 'apiSecret'] as const)
    // A secret read from a file often ends with a line break.
    if (typeof options[name] !== 'string' || !/^\S+$/.test(options[name]))
      throw new VezneError('INVALID_OPTIONS', `${name} is missing, or has spaces or line breaks in it.`)
  const { maxTries = 5, timeoutMs = 30_000, maxWaitMs = 30_000, now = () => new Date() } = options
  if (!Number.isInteger(maxTries) || maxTries < 1)
    throw new VezneError('INVALID_OPTIONS', `maxTries must be a whole number, 1 or more, not ${maxTries}.`)
  const { wait = pause, random = Math.random, apiKey, apiSecret } = options
  return { apiKey, apiSecret, baseUrl: originOf(options.baseUrl), maxTries, timeoutMs, maxWaitMs, now, wait, random }
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

import { setTimeout as pause } from 'node:timers/promises'
import type { Credentials } from './sign-request.ts'
import { VezneError } from './vezne-error.ts'

export type VezneOptions = Credentials & {
  /** Where the service runs, such as https://pay.example: without a path. */
  baseUrl: string
  /** Tries per call, the first one included. 5 unless told. */
  maxTries?: number
  /** For one try. 30 s unless told. */
  timeoutMs?: number
  /** A longer `Retry-After` is not waited for: the error is thrown at once. 30 s unless told. */
  maxWaitMs?: number
  /** The signing clock; for tests. */
  now?: () => Date
  /** Waits between two tries; for tests. */
  wait?: (milliseconds: number) => Promise<unknown>
  /** From 0 to 1, spreads retries; for tests. */
  random?: () => number
}

export type Settings = Required<VezneOptions>

export function readOptions(options: VezneOptions): Settings {
  for (const name of ['apiKey', 'apiSecret'] as const)
    // A secret that was read from a file or a setting often has a line break at its end.
    if (typeof options[name] !== 'string' || !/^\S+$/.test(options[name]))
      throw new VezneError('INVALID_OPTIONS', `${name} is missing, or has spaces or line breaks in it.`)
  const { maxTries = 5, timeoutMs = 30_000, maxWaitMs = 30_000, now = () => new Date() } = options
  if (!Number.isInteger(maxTries) || maxTries < 1)
    throw new VezneError('INVALID_OPTIONS', `maxTries must be a whole number from 1 on, not ${maxTries}.`)
  const { wait = pause, random = Math.random, apiKey, apiSecret } = options
  return { apiKey, apiSecret, baseUrl: originOf(options.baseUrl), maxTries, timeoutMs, maxWaitMs, now, wait, random }
}

function originOf(baseUrl: string): string {
  try {
    const { protocol, pathname, search, username, origin } = new URL(baseUrl)
    // A proxy that changes the path would break every signature.
    if (/^https?:$/.test(protocol) && pathname === '/' && search === '' && username === '') return origin
  } catch {
    // Not an address at all: said below.
  }
  throw new VezneError('INVALID_OPTIONS', `baseUrl must be an address such as https://pay.example, not "${baseUrl}".`)
}

import type { IncomingMessage } from 'node:http'
import { tokenBuckets } from '../../platform/concurrency/token-buckets.ts'
import { callerGroup } from '../../platform/http/ip.ts'
import type { ErrorCode } from '@vezne/contract'
import { Refusal } from '../../platform/refusal.ts'
import { addressOf } from './authenticate.ts'
import type { Api } from './route.ts'

const FAILURES = new Set<ErrorCode>([
  'INVALID_API_KEY',
  'MISSING_SIGNATURE',
  'MISSING_TIMESTAMP',
  'TIMESTAMP_EXPIRED',
  'INVALID_SIGNATURE',
])
const MESSAGE = 'Too many failed authentications from this address. Check key, secret and clock, and try again later.'

/** The original failure, if the response was 429 because of too many earlier failures. */
export function throttledFailure({ cause }: Refusal): ErrorCode | null {
  return cause instanceof Refusal ? cause.code : null
}

/**
 * Limits failed authentications per address and known key, and per address for all unknown keys together. Only failures are counted
 * and refused: others at its address do not affect a validly signed request, so no one can lock a merchant out.
 */
export function throttleFailures({ authFailuresPerMinute: most, trustedProxies }: Api) {
  const take = tokenBuckets()
  const budget = { perSecond: most / 60, burst: most }

  /** Returns the error to throw for an authentication error. */
  return (error: unknown, request: IncomingMessage): unknown => {
    if (!(error instanceof Refusal) || !FAILURES.has(error.code)) return error
    const address = addressOf(trustedProxies, request)
    const knownKey = error.code === 'INVALID_API_KEY' ? '' : String(request.headers['x-api-key'])
    const wait = take(`${address ? callerGroup(address) : 'unknown'} ${knownKey}`, budget)
    return wait > 0 ? new Refusal('RATE_LIMITED', MESSAGE, { retryAfterSeconds: wait, cause: error }) : error
  }
}

import type { IncomingMessage } from 'node:http'
import { callerGroup } from '../../platform/http/ip.ts'
import type { ErrorCode } from '@vezne/contract'
import { Refusal } from '../../platform/refusal.ts'
import { addressOf } from './authenticate.ts'
import type { Api } from './endpoint.ts'

const FAILURES = new Set<ErrorCode>([
  'INVALID_API_KEY',
  'MISSING_SIGNATURE',
  'MISSING_TIMESTAMP',
  'TIMESTAMP_EXPIRED',
  'INVALID_SIGNATURE',
])
/** The oldest are dropped beyond this; a dropped one starts again with its full budget. */
const MAX_BUDGETS = 10_000

const MESSAGE = 'Too many failed authentications from this address. Check key, secret and clock, and try again later.'

/** What failed, if it was answered 429 because too much had failed before. */
export function throttledFailure({ cause }: Refusal): ErrorCode | null {
  return cause instanceof Refusal ? cause.code : null
}

/**
 * Limits failed authentications per address and known key, and per address for all unknown keys together. Only failures are
 * counted and refused: a request with a good signature passes whatever others at its address do, so no one can lock a merchant out.
 */
export function throttleFailures({ authFailuresPerMinute: most, trustedProxies }: Api) {
  const budgets = new Map<string, { left: number; at: number }>()

  /** Seconds until a failure gets its own error again instead of 429; 0 while the budget lasts. */
  function spend(who: string): number {
    const now = performance.now()
    const known = budgets.get(who)
    const left = known ? Math.min(most, known.left + ((now - known.at) / 60_000) * most) : most
    const paid = left >= 1
    budgets.delete(who)
    budgets.set(who, { left: paid ? left - 1 : left, at: now })
    if (budgets.size > MAX_BUDGETS) budgets.delete(budgets.keys().next().value ?? '')
    return paid ? 0 : Math.ceil(((1 - left) / most) * 60)
  }

  /** What to throw for an error of the authentication. */
  return (error: unknown, request: IncomingMessage): unknown => {
    if (!(error instanceof Refusal) || !FAILURES.has(error.code)) return error
    const address = addressOf(trustedProxies, request)
    const knownKey = error.code === 'INVALID_API_KEY' ? '' : String(request.headers['x-api-key'])
    const wait = spend(`${address ? callerGroup(address) : 'unknown'} ${knownKey}`)
    return wait > 0 ? new Refusal('RATE_LIMITED', MESSAGE, { retryAfterSeconds: wait, cause: error }) : error
  }
}

import type { FastifyRequest } from 'fastify'
import { tokenBuckets } from '../../platform/concurrency/token-buckets.ts'
import type { Network } from '../../platform/http/ip.ts'
import { callerAddress, callerGroup } from '../../platform/http/ip.ts'

export type RequestLimits = { checkoutRequestsPerSecond: number; trustedProxies: readonly Network[] }

/** A burst of up to this many seconds' worth of requests is allowed: a page loads several files. */
const BURST_SECONDS = 5

/**
 * The pages need no key, and each costs some milliseconds: each address gets a limited share. Returns the seconds to wait; 0: go on.
 * Called before any lookup.
 */
export function requestLimiter({ checkoutRequestsPerSecond: perSecond, trustedProxies }: RequestLimits) {
  const take = tokenBuckets()
  const budget = { perSecond, burst: perSecond * BURST_SECONDS }
  return ({ raw }: FastifyRequest): number => {
    const forwarded = raw.headers['x-forwarded-for']?.toString()
    const address = callerAddress(raw.socket.remoteAddress, forwarded, trustedProxies)
    return take(address ? callerGroup(address) : 'unknown', budget)
  }
}

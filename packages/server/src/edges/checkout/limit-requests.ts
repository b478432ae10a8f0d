import type { FastifyReply, FastifyRequest } from 'fastify'
import { memoize } from '../../platform/concurrency/memoize.ts'
import { tokenBuckets } from '../../platform/concurrency/token-buckets.ts'
import type { Network } from '../../platform/http/ip.ts'
import { callerAddress, callerGroup } from '../../platform/http/ip.ts'
import { linksAt } from './files.ts'
import { crowdedPage } from './page.ts'

export type RequestLimits = { checkoutRequestsPerSecond: number; trustedProxies: readonly Network[] }

/** A burst of up to this many seconds' worth of requests is allowed: a page loads several files. */
const BURST_SECONDS = 5

const pageAt = memoize((root) => crowdedPage(linksAt(root, null)))

/**
 * The pages need no key, and each costs some milliseconds. Each address gets a limited share; requests above it are refused before any
 * lookup. Returns whether the request was refused.
 */
export function requestLimiter({ checkoutRequestsPerSecond: perSecond, trustedProxies }: RequestLimits) {
  const take = tokenBuckets()
  const budget = { perSecond, burst: perSecond * BURST_SECONDS }
  return ({ raw }: FastifyRequest, reply: FastifyReply, root: string): boolean => {
    const forwarded = raw.headers['x-forwarded-for']?.toString()
    const address = callerAddress(raw.socket.remoteAddress, forwarded, trustedProxies)
    const wait = take(address ? callerGroup(address) : 'unknown', budget)
    if (wait === 0) return false
    void reply.code(429).header('retry-after', String(wait)).type('text/html; charset=utf-8').send(pageAt(root))
    return true
  }
}

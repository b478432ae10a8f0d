import type { Tx } from '../../../platform/postgres/db.ts'
import type { Endpoint } from '../../merchants/index.ts'
import { findEndpoints } from '../../merchants/index.ts'
import type { EndpointQueue } from '../endpoint-queues/endpoint-queue.ts'
import { freeCalls, refill } from '../endpoint-queues/endpoint-queue.ts'
import type { Claim } from './delivery.ts'
import type { QueueLoad } from './store.ts'
import { abandonBatch, claimDue, selectLoads } from './store.ts'

export type Claimed = Claim & { url: string }
/** A queue to be saved, and what was claimed from it. */
export type QueueClaims = { queue: EndpointQueue; claimed: Claimed[] }
/** Schedules and claims use business time, calls per second use real time. */
type Times = { now: Date; realNow: Date }
/** A queue whose endpoint may be called, and how many calls may start. */
type Plan = { queue: EndpointQueue; url: string; free: number; number: number }

/** Four times the timeout of a call: even a call that times out is recorded before its lease ends. */
export const LEASE_MS = 60_000
/** A queue without free calls is checked again after this, or as soon as one of its calls ends. */
const LOOK_AGAIN_MS = 500
/** Per removed endpoint; bounds how long its queue is locked. */
const ABANDON_BATCH_SIZE = 1000
/** The maximum of the column; numbering restarts after it. */
const MAX_CLAIM_NUMBER = 2_147_483_647

/** Claims what each of these locked queues may send now. Deliveries to removed endpoints are given up. */
export async function claimDeliveries(tx: Tx, queues: EndpointQueue[], times: Times): Promise<QueueClaims[]> {
  const { now } = times
  const [found, loads] = await Promise.all([
    findEndpoints(tx, [...new Set(queues.map(({ merchantId }) => merchantId))]),
    selectLoads(tx, queues, now),
  ])
  const endpoints = new Map(found.map((endpoint) => [endpoint.id, endpoint]))
  const plans = queues.flatMap((queue) => planFor(queue, endpoints.get(queue.endpointId), loads, times))
  const gone = queues.filter(({ endpointId }) => !endpoints.has(endpointId))
  const [claims, abandoned] = await Promise.all([
    plans.length > 0 ? claimDue(tx, plans.map(toClaim), { now, until: new Date(now.getTime() + LEASE_MS) }) : [],
    gone.length > 0 ? abandonBatch(tx, gone, now, ABANDON_BATCH_SIZE) : 0,
  ])
  const claimsOf = Map.groupBy(claims, ({ endpointId }) => endpointId)
  const planOf = new Map(plans.map((plan) => [plan.queue.endpointId, plan]))
  return queues.map((queue) => {
    const { endpointId } = queue
    const [plan, load] = [planOf.get(endpointId), loads.get(endpointId)]
    if (plan) return take(plan, claimsOf.get(endpointId) ?? [], load, now)
    // The queue of a disabled endpoint sleeps until it is enabled; that of a removed one ends with its last call.
    const whenGone = abandoned >= ABANDON_BATCH_SIZE ? now : (load?.firstEnd ?? null)
    return { queue: { ...queue, wakeAt: endpoints.has(endpointId) ? null : whenGone }, claimed: [] }
  })
}

function planFor(
  before: EndpointQueue,
  endpoint: Endpoint | undefined,
  loads: Map<string, QueueLoad>,
  { now, realNow }: Times,
): Plan[] {
  if (endpoint?.state !== 'enabled' || endpoint.url === null) return []
  const { maxConcurrent, maxPerSecond, url } = endpoint
  const queue = refill(before, maxPerSecond, realNow)
  const free = freeCalls(queue, { calling: loads.get(endpoint.id)?.calling ?? 0, maxConcurrent, now })
  return [{ queue, url, free, number: queue.lastClaim < MAX_CLAIM_NUMBER ? queue.lastClaim + 1 : 1 }]
}

function toClaim({ queue: { merchantId, endpointId }, number, free }: Plan) {
  return { merchantId, endpointId, number, free }
}

function take(
  { queue, url, free, number }: Plan,
  claims: Claim[],
  load: QueueLoad | undefined,
  now: Date,
): QueueClaims {
  const claimed = claims.map((claim) => ({ ...claim, url }))
  const tokens = queue.tokens - claims.length
  const lastClaim = claims.length > 0 ? number : queue.lastClaim
  const firstEnd = load?.firstEnd ?? (claims.length > 0 ? new Date(now.getTime() + LEASE_MS) : null)
  const isFull = claims.length === free
  const lookAgain = new Date(Math.max(now.getTime() + LOOK_AGAIN_MS, queue.pausedUntil?.getTime() ?? 0))
  const wakeAt = isFull ? lookAgain : earliest(load?.nextDue ?? null, firstEnd)
  return { queue: { ...queue, tokens, lastClaim, wakeAt }, claimed }
}

function earliest(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}

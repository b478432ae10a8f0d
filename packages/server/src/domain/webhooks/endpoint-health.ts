import type { Db, Queryable } from '../../platform/postgres/db.ts'
import type { Endpoint } from '../merchants/index.ts'
import { findEndpoints, sendingEndpoints } from '../merchants/index.ts'
import { countOpen, selectOldestOpen } from './deliveries/store.ts'
import { selectQueues } from './endpoint-queues/store.ts'
import { countOpenOfAll, MAX_COUNTED } from './health/store.ts'
import { countUndistributed, selectOldestUndistributed } from './store.ts'

export type EndpointHealth = Endpoint & {
  /** Events waiting to be delivered to it. */
  waiting: number
  /** Since when every call has failed. */
  failingSince: Date | null
}

/** A merchant's endpoints with their health. */
export async function listEndpoints(db: Queryable, merchantId: string): Promise<EndpointHealth[]> {
  const [endpoints, queues, waiting] = await Promise.all([
    findEndpoints(db, [merchantId]),
    selectQueues(db, merchantId),
    countOpen(db, merchantId),
  ])
  return endpoints.map((endpoint) => ({
    ...endpoint,
    waiting: waiting.get(endpoint.id) ?? 0,
    failingSince: queues.find(({ endpointId }) => endpointId === endpoint.id)?.failingSince ?? null,
  }))
}

/** Since when the oldest undelivered event waits. Excludes endpoints that are disabled or have no address: they wait for a person. */
export async function oldestUndelivered({ db }: { db: Db }): Promise<Date | null> {
  const undistributed = await selectOldestUndistributed(db)
  const queues = (await sendingEndpoints(db)).map(({ merchantId, id }) => ({ merchantId, endpointId: id }))
  // With the planner settings of transactions, which always use an index.
  const [open] = await db.oneStatement((tx) => selectOldestOpen(tx, queues))
  const waiting = [undistributed, open?.oldest ?? null].filter((at) => at !== null)
  return waiting.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
}

/** Events that are not distributed yet or wait for an endpoint; each count ends at `MAX_COUNTED`. */
export async function countWaiting(db: Queryable): Promise<number> {
  return (await countUndistributed(db, MAX_COUNTED + 1)) + (await countOpenOfAll(db))
}

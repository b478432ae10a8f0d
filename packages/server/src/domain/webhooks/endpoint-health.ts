import type { Queryable } from '../../platform/postgres/db.ts'
import type { Endpoint } from '../merchants/index.ts'
import { findEndpoints } from '../merchants/index.ts'
import { countOpen } from './deliveries/store.ts'
import { selectLanes } from './lanes/store.ts'

export type EndpointHealth = Endpoint & {
  /** Events on their way to it. */
  waiting: number
  /** Since when it has done nothing but fail. */
  failingSince: Date | null
}

/** A merchant's endpoints, and how each is doing. */
export async function listEndpoints(db: Queryable, merchantId: string): Promise<EndpointHealth[]> {
  const [endpoints, lanes, waiting] = await Promise.all([
    findEndpoints(db, [merchantId]),
    selectLanes(db, merchantId),
    countOpen(db, merchantId),
  ])
  return endpoints.map((endpoint) => ({
    ...endpoint,
    waiting: waiting.get(endpoint.id) ?? 0,
    failingSince: lanes.find(({ endpointId }) => endpointId === endpoint.id)?.failingSince ?? null,
  }))
}

import type { Queryable } from '../../platform/postgres/db.ts'
import type { Endpoint } from '../merchants/index.ts'
import { findEndpoints } from '../merchants/index.ts'
import { countOpen } from './deliveries/store.ts'
import { selectQueues } from './endpoint-queues/store.ts'

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

import type { Outcome } from '../../../platform/http-client/outbound.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Endpoint } from '../../merchants/index.ts'
import { endpointsSql } from '../../merchants/index.ts'
import { oldestOpenSql, openUpToSql } from '../deliveries/store.ts'
import { queuesSql } from '../endpoint-queues/store.ts'

/** `waiting`: events that wait for it, counted up to `MAX_COUNTED`, with the oldest and how its last attempt ended. */
export type QueueHealth = Pick<Endpoint, 'merchantId' | 'id' | 'url' | 'state' | 'stateReason'> & {
  /** Whether anything was ever sent to it. */
  isUsed: boolean
  failingSince: Date | null
  pausedUntil: Date | null
  waiting: number
  oldest: Date | null
  lastOutcome: Outcome | null
  lastStatus: number | null
}

export const HEALTH_STATES = ['failing', 'disabled', 'waiting'] as const

/** `after`: the key of the last row of the page before. */
export type HealthFilter = {
  only?: (typeof HEALTH_STATES)[number] | undefined
  after?: { merchantId: string; id: string } | undefined
  limit: number
}

/** Counting a long queue takes as long as it is. */
export const MAX_COUNTED = 1000

const ONLY = {
  failing: sql`and e.state = 'enabled' and q.failing_since is not null`,
  disabled: sql`and e.state = 'disabled'`,
  waiting: sql`and o.count > 0`,
}

/** Endpoints of all merchants, by merchant. */
export function selectHealth(db: Queryable, { only, after, limit }: HealthFilter): Promise<QueueHealth[]> {
  return db.query<QueueHealth>(sql`
    select e.merchant_id as "merchantId", e.id, e.url, e.state, e.state_reason as "stateReason",
      q.endpoint_id is not null as "isUsed", q.failing_since as "failingSince", q.paused_until as "pausedUntil",
      coalesce(o.count, 0) as waiting, o.created_at as oldest, o.last_outcome as "lastOutcome", o.last_status as "lastStatus"
    from (${endpointsSql}) e
    left join (${queuesSql}) q on q.merchant_id = e.merchant_id and q.endpoint_id = e.id
    left join lateral (${oldestOpenSql(sql`e.merchant_id`, sql`e.id`, MAX_COUNTED + 1)}) o on true
    where (e.merchant_id, e.id) > (${after?.merchantId ?? ''}, ${after?.id ?? ''}) ${(only && ONLY[only]) ?? sql``}
    order by e.merchant_id, e.id limit ${limit}`)
}

/** Events that wait for an endpoint, of all merchants, counted up to `MAX_COUNTED`. */
export async function countOpenOfAll(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(openUpToSql(MAX_COUNTED + 1))
  return row?.count ?? 0
}

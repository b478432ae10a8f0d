import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { notAsideSql } from '../../set-aside/index.ts'
import type { EndpointQueue, QueueKey } from './endpoint-queue.ts'

const columns = sql`
  q.merchant_id as "merchantId", q.endpoint_id as "endpointId", q.failures, q.failing_since as "failingSince",
  q.warned_at as "warnedAt", q.paused_until as "pausedUntil", q.tokens, q.tokens_at as "tokensAt", q.wake_at as "wakeAt",
  q.last_claim as "lastClaim"`

/** Each queue once, as rows. */
export function queuesOf(keys: QueueKey[]) {
  const queues = [...new Map(keys.map((key) => [key.endpointId, key])).values()]
  return rowsOf('key', queues, { merchantId: 'text', endpointId: 'text' })
}

/** If PostgreSQL loses the last claims and results, these calls are repeated, which receivers must expect anyway. */
export async function commitWithoutWaiting(tx: Tx): Promise<void> {
  await tx.query(sql`set local synchronous_commit = off`)
}

export async function openQueues(tx: Tx, keys: QueueKey[], realNow: Date): Promise<void> {
  await tx.query(sql`
    insert into endpoint_queues (merchant_id, endpoint_id, tokens_at)
    select merchant_id, endpoint_id, ${realNow}::timestamptz from ${queuesOf(keys)}
    order by merchant_id, endpoint_id on conflict do nothing`)
}

/** In key order, and before any delivery is changed, to avoid deadlocks. */
export function lockQueues(tx: Tx, keys: QueueKey[]): Promise<EndpointQueue[]> {
  return tx.query<EndpointQueue>(sql`
    select ${columns} from ${queuesOf(keys)} join endpoint_queues q using (merchant_id, endpoint_id)
    order by q.merchant_id, q.endpoint_id for update of q`)
}

/** Queues that may have due deliveries. Skips those locked by another process. */
export function lockDueQueues(tx: Tx, held: QueueKey[], now: Date, limit: number): Promise<EndpointQueue[]> {
  const heldIds = [...new Set(held.map(({ endpointId }) => endpointId))]
  return tx.query<EndpointQueue>(sql`
    select ${columns} from endpoint_queues q
    where q.wake_at <= ${now} and not q.endpoint_id = any(${heldIds}::text[]) and ${notAsideSql('callback', sql`q.endpoint_id`)}
    order by q.wake_at limit ${limit} for update skip locked`)
}

export async function wakeQueues(tx: Tx, keys: QueueKey[], now: Date): Promise<void> {
  await tx.query(sql`
    update endpoint_queues q set wake_at = ${now} from ${queuesOf(keys)}
    where q.merchant_id = key.merchant_id and q.endpoint_id = key.endpoint_id`)
}

export async function saveQueues(tx: Tx, queues: EndpointQueue[]): Promise<void> {
  const rows = rowsOf('changed', queues, {
    merchantId: 'text',
    endpointId: 'text',
    failures: 'int',
    failingSince: 'timestamptz',
    warnedAt: 'timestamptz',
    pausedUntil: 'timestamptz',
    tokens: 'float8',
    tokensAt: 'timestamptz',
    wakeAt: 'timestamptz',
    lastClaim: 'int',
  })
  await tx.query(sql`
    update endpoint_queues q set failures = changed.failures, failing_since = changed.failing_since,
      warned_at = changed.warned_at, paused_until = changed.paused_until, tokens = changed.tokens,
      tokens_at = changed.tokens_at, wake_at = changed.wake_at, last_claim = changed.last_claim
    from ${rows}
    where q.merchant_id = changed.merchant_id and q.endpoint_id = changed.endpoint_id`)
}

export function selectQueues(db: Queryable, merchantId: string): Promise<EndpointQueue[]> {
  return db.query<EndpointQueue>(sql`select ${columns} from endpoint_queues q where q.merchant_id = ${merchantId}`)
}

/** For a join in another statement. */
export const queuesSql: Sql = sql`
  select q.merchant_id, q.endpoint_id, q.failing_since, q.paused_until from endpoint_queues q`

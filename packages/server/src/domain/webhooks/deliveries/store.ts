import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { QueueKey } from '../endpoint-queues/endpoint-queue.ts'
import { queuesOf } from '../endpoint-queues/store.ts'
import type { EventFilter } from '../store.ts'
import { joinBody, pageOf } from '../store.ts'
import type { Claim, Delivery, DeliveryKey, DeliveryState, NewDelivery, Page, PlacedDelivery } from './delivery.ts'

type TransactionKey = QueueKey & { transactionId: string }

const QUEUE = { merchantId: 'text', endpointId: 'text' } as const
const KEY = { ...QUEUE, eventId: 'text' } as const

const deliveriesOf = (keys: DeliveryKey[]) => rowsOf('key', keys, KEY)
const transactionsOf = (keys: TransactionKey[]) => rowsOf('key', keys, { ...QUEUE, transactionId: 'text' })

/**
 * `d` is the delivery with this key. Every index begins with the merchant: with `=`, a plan made on an empty
 * table may choose the wrong one and read all deliveries for each key. `any` leaves only the primary key.
 */
function hasKey(key: Sql): Sql {
  return sql`d.merchant_id = any(array[${key}.merchant_id]) and d.event_id = ${key}.event_id and d.endpoint_id = ${key}.endpoint_id`
}

/** Claims last a minute. One that ends much later was made before a clock was set back, and is no longer valid. */
const stands = (now: Date) => sql`c.until > ${now} and c.until < ${now}::timestamptz + interval '10 minutes'`

/** A call for `d` is in progress. `offset 0` keeps it a lookup by key; as a join it may read all deliveries. */
const isClaimed = (now: Date) => sql`exists (
  select from delivery_claims c
  where c.merchant_id = d.merchant_id and c.endpoint_id = d.endpoint_id and c.event_id = d.event_id and ${stands(now)}
  offset 0)`

/** Open deliveries of these transactions. */
function openOf(keys: TransactionKey[]): Sql {
  return sql`
    select o.merchant_id, o.event_id, o.endpoint_id, key.transaction_id from ${transactionsOf(keys)}
    cross join lateral (
      select d.merchant_id, d.event_id, d.endpoint_id from deliveries d
      where d.merchant_id = key.merchant_id and d.endpoint_id = key.endpoint_id
        and d.transaction_id = key.transaction_id and d.state in ('waiting', 'behind')
      order by d.position
    ) as o`
}

/** Transactions that still have open deliveries to an endpoint. */
export function selectOpenTransactions(
  tx: Tx,
  keys: TransactionKey[],
): Promise<Pick<TransactionKey, 'endpointId' | 'transactionId'>[]> {
  return tx.query(sql`
    select distinct endpoint_id as "endpointId", transaction_id as "transactionId" from (${openOf(keys)}) as open`)
}

/** An existing delivery stays unchanged. */
export async function insertDeliveries(tx: Tx, deliveries: NewDelivery[], now: Date): Promise<void> {
  const types = { ...KEY, transactionId: 'text', type: 'text', position: 'bigint', state: 'text' } as const
  await tx.query(sql`
    insert into deliveries (
      merchant_id, endpoint_id, event_id, transaction_id, type, position, state, since, next_at, created_at
    )
    select added.*, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz from ${rowsOf('added', deliveries, types)}
    on conflict do nothing`)
}

/** Calls in progress, when the first of their claims ends, and when the next delivery becomes due. */
export type QueueLoad = { calling: number; firstEnd: Date | null; nextDue: Date | null }

/** By endpoint. */
export async function selectLoads(tx: Tx, queues: QueueKey[], now: Date): Promise<Map<string, QueueLoad>> {
  const rows = await tx.query<QueueLoad & { endpointId: string }>(sql`
    select key.endpoint_id as "endpointId", open.calling, open.first_end as "firstEnd", (
      select d.next_at from deliveries d
      where d.merchant_id = key.merchant_id and d.endpoint_id = key.endpoint_id
        and d.state = 'waiting' and d.next_at > ${now}
      order by d.next_at, d.position limit 1
    ) as "nextDue"
    from ${queuesOf(queues)} cross join lateral (
      select count(*)::int as calling, min(c.until) as first_end from delivery_claims c
      where c.merchant_id = key.merchant_id and c.endpoint_id = key.endpoint_id and ${stands(now)}
    ) as open`)
  return new Map(rows.map(({ endpointId, ...load }) => [endpointId, load]))
}

/** Claims the deliveries due longest, up to `free` per queue. The queues are locked. */
export function claimDue(
  tx: Tx,
  queues: (QueueKey & { number: number; free: number })[],
  { now, until }: { now: Date; until: Date },
): Promise<Claim[]> {
  return tx.query<Claim>(sql`
    with queue as materialized (
      select q.* from ${rowsOf('q', queues, { ...QUEUE, number: 'int', free: 'int' })}
    ), due as materialized (
      select d.*, queue.number from queue cross join lateral (
        select d.merchant_id, d.endpoint_id, d.event_id, d.transaction_id, d.position, d.tries, d.since, d.next_at
        from deliveries d
        where d.merchant_id = queue.merchant_id and d.endpoint_id = queue.endpoint_id
          and d.state = 'waiting' and d.next_at <= ${now}
          and (d.endpoint_id, d.event_id) not in (
            select c.endpoint_id, c.event_id from queue join delivery_claims c using (merchant_id, endpoint_id)
            where ${stands(now)})
        order by d.next_at, d.position limit queue.free
      ) as d
    ), claimed as (
      insert into delivery_claims (merchant_id, endpoint_id, event_id, number, until)
      select merchant_id, endpoint_id, event_id, number, ${until} from due
      on conflict on constraint delivery_claims_pkey do update set number = excluded.number, until = excluded.until
    )
    select due.merchant_id as "merchantId", due.endpoint_id as "endpointId", due.event_id as "eventId",
      due.transaction_id as "transactionId", due.position::text, due.tries, due.since, due.number, e.body
    from due ${joinBody(sql`due`)} order by due.next_at, due.position`)
}

/**
 * Ends these claims and deletes what was delivered under them. Returns the indexes of claims still valid; others expired or
 * were renewed. Each is looked up by key first: a plain join, planned while there were no claims, would compare all with all.
 */
export async function endClaims(tx: Tx, claims: (Claim & { outcome: string | null })[]): Promise<Set<number>> {
  const indexed = claims.map((claim, index) => ({ ...claim, index }))
  const types = { ...KEY, number: 'int', outcome: 'text', index: 'int' } as const
  const rows = await tx.query<{ index: number }>(sql`
    with held as materialized (
      select ended.*, found.ctid as claim from ${rowsOf('ended', indexed, types)}
      cross join lateral (
        select c.ctid from delivery_claims c
        where c.merchant_id = ended.merchant_id and c.endpoint_id = ended.endpoint_id and c.event_id = ended.event_id
          and c.number = ended.number
        limit 1
      ) as found
    ), delivered as (
      delete from deliveries d using held where ${hasKey(sql`held`)} and held.outcome = 'accepted'
    )
    delete from delivery_claims c using held where c.ctid = held.claim returning held.index`)
  return new Set(rows.map(({ index }) => index))
}

/** A parameter: with a literal, a plan may use the index of waiting deliveries and read a long queue for each key. */
const WAITING: DeliveryState = 'waiting'

type Failed = DeliveryKey & { outcome: string; status: number | null; state: 'waiting' | 'given_up'; nextAt: Date }

/** An earlier event of its transaction was resent by hand during this call: this one must wait for it. */
const isPreceded = sql`exists (
  select from deliveries o where o.state in ('waiting', 'behind') and o.position < d.position
    and (o.merchant_id, o.endpoint_id, o.transaction_id) = (d.merchant_id, d.endpoint_id, d.transaction_id))`

/** Failed deliveries are due again, or given up after the last attempt. */
export async function updateFailed(tx: Tx, failed: Failed[], now: Date): Promise<void> {
  const types = { ...KEY, state: 'text', nextAt: 'timestamptz', outcome: 'text', status: 'int' } as const
  await tx.query(sql`
    update deliveries d set tries = d.tries + 1, next_at = failed.next_at,
      state = case when failed.state = 'waiting' and ${isPreceded} then 'behind' else failed.state end,
      last_outcome = failed.outcome, last_status = failed.status,
      finished_at = case when failed.state = 'waiting' then null else ${now}::timestamptz end
    from ${rowsOf('failed', failed, types)} where ${hasKey(sql`failed`)} and d.state = ${WAITING}`)
}

export async function postpone(tx: Tx, key: DeliveryKey, nextAt: Date): Promise<void> {
  await tx.query(sql`
    update deliveries d set next_at = ${nextAt} from ${deliveriesOf([key])} where ${hasKey(sql`key`)} and d.state = ${WAITING}`)
}

/** Unblocks the first open event of each transaction. Its schedule begins now. */
export async function promoteNext(tx: Tx, transactions: TransactionKey[], now: Date): Promise<void> {
  await tx.query(sql`
    with next as materialized (
      select key.merchant_id, key.endpoint_id, first.event_id from ${transactionsOf(transactions)}
      cross join lateral (
        select d.event_id, d.state from deliveries d
        where d.merchant_id = key.merchant_id and d.endpoint_id = key.endpoint_id
          and d.transaction_id = key.transaction_id and d.state in ('waiting', 'behind')
        order by d.position limit 1
      ) as first
      where first.state = 'behind'
    )
    update deliveries d set state = 'waiting', tries = 0, since = ${now}, next_at = ${now} from next
    where ${hasKey(sql`next`)}`)
}

/** Gives up a batch of deliveries per removed endpoint; returns how many. A call in progress may still succeed. */
export async function abandonBatch(tx: Tx, queues: QueueKey[], now: Date, limit: number): Promise<number> {
  const rows = await tx.query(sql`
    with open as materialized (
      select o.merchant_id, o.event_id, o.endpoint_id from ${queuesOf(queues)}
      cross join lateral (
        select d.merchant_id, d.event_id, d.endpoint_id from deliveries d
        where d.merchant_id = key.merchant_id and d.endpoint_id = key.endpoint_id
          and d.state in ('waiting', 'behind') and not ${isClaimed(now)}
        order by d.transaction_id, d.position limit ${limit}
      ) as o
    )
    update deliveries d set state = 'given_up', finished_at = ${now} from open where ${hasKey(sql`open`)} returning 1`)
  return rows.length
}

/** Restarts deliveries, each after the earlier events of its transaction; returns how many. Calls in progress are not affected. */
export async function restart(
  tx: Tx,
  deliveries: PlacedDelivery[],
  { from, now }: { from: DeliveryState[]; now: Date },
): Promise<number> {
  const restarted = await tx.query(sql`
    update deliveries d set state = 'behind', tries = 0, since = ${now}, next_at = ${now}, finished_at = null
    from ${deliveriesOf(deliveries)}
    where ${hasKey(sql`key`)} and d.state = any(${from}::text[]) and not ${isClaimed(now)} returning 1`)
  // Other waiting deliveries of their transactions are blocked too, or they could arrive first.
  await tx.query(sql`
    with open as materialized (${openOf(deliveries)})
    update deliveries d set state = 'behind' from open where ${hasKey(sql`open`)} and not ${isClaimed(now)}`)
  await promoteNext(tx, deliveries, now)
  return restarted.length
}

/** Waiting ones among them get a new schedule. */
export async function restartWaiting(tx: Tx, deliveries: DeliveryKey[], now: Date): Promise<void> {
  await tx.query(sql`
    update deliveries d set tries = 0, since = ${now}, next_at = ${now} from ${deliveriesOf(deliveries)}
    where ${hasKey(sql`key`)} and d.state = ${WAITING}`)
}

const placed = sql`
  d.merchant_id as "merchantId", d.endpoint_id as "endpointId", d.event_id as "eventId",
  d.transaction_id as "transactionId", d.position::text`

type GivenUp = { merchantId: string; endpointIds: string[]; since: Date }

/** Deliveries given up at one of these endpoints, of events since this time. */
export function selectGivenUp(db: Queryable, givenUp: GivenUp, { after, limit }: Page): Promise<PlacedDelivery[]> {
  return db.query<PlacedDelivery>(sql`
    select ${placed} from deliveries d
    where d.merchant_id = ${givenUp.merchantId} and d.state = 'given_up'
      and (d.position, d.endpoint_id) > (${after.position}::bigint, ${after.endpointId})
      and d.endpoint_id = any(${givenUp.endpointIds}::text[]) and d.created_at >= ${givenUp.since}
    order by d.position, d.endpoint_id limit ${limit}`)
}

/** Waiting deliveries of an endpoint; with `failedSince`, only those of events since then that have only failed so far. */
export function selectWaiting(
  db: Queryable,
  { merchantId, endpointId }: QueueKey,
  failedSince: Date | null,
  { after, limit }: Page,
): Promise<PlacedDelivery[]> {
  const which = failedSince ? sql`and d.tries > 0 and d.created_at >= ${failedSince}` : sql``
  return db.query<PlacedDelivery>(sql`
    select ${placed} from deliveries d
    where d.merchant_id = ${merchantId} and d.endpoint_id = ${endpointId} and d.state in ('waiting', 'behind')
      and (d.transaction_id, d.position) > (${after.transactionId}, ${after.position}::bigint)
      and d.state = ${WAITING} ${which}
    order by d.transaction_id, d.position limit ${limit}`)
}

export function selectDeliveries(db: Queryable, merchantId: string, eventIds: string[]): Promise<Delivery[]> {
  return db.query<Delivery>(sql`
    select merchant_id as "merchantId", endpoint_id as "endpointId", event_id as "eventId", state, tries,
      next_at as "nextAt", last_outcome as "lastOutcome", last_status as "lastStatus", finished_at as "finishedAt"
    from deliveries where merchant_id = ${merchantId} and event_id = any(${eventIds}::text[]) order by endpoint_id`)
}

/** Events with a delivery in this state, in the requested order. The state is a literal, because each has its own index. */
export async function selectEventIdsInState(
  db: Queryable,
  merchantId: string,
  state: 'waiting' | 'given_up',
  filter: EventFilter,
): Promise<string[]> {
  const inState = state === 'given_up' ? sql`d.state = 'given_up'` : sql`d.state in ('waiting', 'behind')`
  const rows = await db.query<{ id: string }>(sql`
    select distinct on (d.position) d.event_id as id from deliveries d
    where d.merchant_id = ${merchantId} and ${inState} ${pageOf(sql`d`, filter)}`)
  return rows.map(({ id }) => id)
}

/** Number of open deliveries per endpoint. */
export async function countOpen(db: Queryable, merchantId: string): Promise<Map<string, number>> {
  const rows = await db.query<{ endpointId: string; count: number }>(sql`
    select endpoint_id as "endpointId", count(*)::int as count from deliveries
    where merchant_id = ${merchantId} and state in ('waiting', 'behind') group by endpoint_id`)
  return new Map(rows.map(({ endpointId, count }) => [endpointId, count]))
}

/** Creation time of the oldest open delivery to one of these endpoints. Uses the index `deliveries_oldest`. */
export function selectOldestOpen(tx: Tx, queues: QueueKey[]): Promise<{ oldest: Date | null }[]> {
  return tx.query<{ oldest: Date | null }>(sql`
    select min((select min(d.created_at) from deliveries d where d.state in ('waiting', 'behind')
      and d.merchant_id || '/' || d.endpoint_id = key.merchant_id || '/' || key.endpoint_id)) as oldest
    from ${queuesOf(queues)}`)
}

/** For a join: the oldest open delivery of an endpoint, if there is one, and their number up to `most`. */
export const oldestOpenSql = (merchantId: Sql, endpointId: Sql, most: number): Sql => sql`
  select o.created_at, o.last_outcome, o.last_status, (select count(*)::int from (select from deliveries d
    where d.merchant_id = ${merchantId} and d.endpoint_id = ${endpointId} and d.state in ('waiting', 'behind') limit ${most}) as c) as count
  from deliveries o where o.state in ('waiting', 'behind') and o.merchant_id || '/' || o.endpoint_id = ${merchantId} || '/' || ${endpointId}
  order by o.created_at, o.position limit 1`

export const openUpToSql = (most: number): Sql => sql`
  select count(*)::int as count from (select from deliveries d where d.state in ('waiting', 'behind') limit ${most}) as o`

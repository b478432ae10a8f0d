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
 * `d` is the delivery of this key. Every index begins with the merchant: compared with `=`, a plan made on an empty table may take the
 * wrong one and read all deliveries for each key. `any` leaves only the primary key.
 */
function hasKey(key: Sql): Sql {
  return sql`d.merchant_id = any(array[${key}.merchant_id]) and d.event_id = ${key}.event_id and d.endpoint_id = ${key}.endpoint_id`
}

/** Claims last a minute. One that ends much later was made before a clock was set back, and no longer counts. */
const stands = (now: Date) => sql`c.until > ${now} and c.until < ${now}::timestamptz + interval '10 minutes'`

/** A call about `d` is under way. `offset 0` keeps it a look-up by key; as a join it may read all deliveries. */
const isClaimed = (now: Date) => sql`exists (
  select from delivery_claims c
  where c.merchant_id = d.merchant_id and c.endpoint_id = d.endpoint_id and c.event_id = d.event_id and ${stands(now)}
  offset 0)`

/** What is open of these transactions. */
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

/** Which transactions still have something on its way to an endpoint. */
export function selectOpenTransactions(
  tx: Tx,
  keys: TransactionKey[],
): Promise<Pick<TransactionKey, 'endpointId' | 'transactionId'>[]> {
  return tx.query(sql`
    select distinct endpoint_id as "endpointId", transaction_id as "transactionId" from (${openOf(keys)}) as open`)
}

/** A delivery that is there already stays as it is. */
export async function insertDeliveries(tx: Tx, deliveries: NewDelivery[], now: Date): Promise<void> {
  const types = { ...KEY, transactionId: 'text', type: 'text', position: 'bigint', state: 'text' } as const
  await tx.query(sql`
    insert into deliveries (
      merchant_id, endpoint_id, event_id, transaction_id, type, position, state, since, next_at, created_at
    )
    select added.*, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz from ${rowsOf('added', deliveries, types)}
    on conflict do nothing`)
}

/** Calls under way, when the first of their claims ends, and when the next delivery that is not due yet falls due. */
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

/** Claims what has been due longest, up to `free` of each queue. The queues are locked. */
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
 * Ends these claims and deletes what was delivered under them. Returns which still held, by their index: the others ran out, or were
 * made anew. Each is found by its key first; a plain join, planned while no claim stood, would compare all with all.
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

/** As a parameter: with a literal, a plan may go by the index of what waits and read a long queue for each key. */
const WAITING: DeliveryState = 'waiting'

type Failed = DeliveryKey & { outcome: string; status: number | null; state: 'waiting' | 'given_up'; nextAt: Date }

/** An earlier event of its transaction was sent again by hand during this call: then this one waits for it. */
const isPreceded = sql`exists (
  select from deliveries o where o.state in ('waiting', 'behind') and o.position < d.position
    and (o.merchant_id, o.endpoint_id, o.transaction_id) = (d.merchant_id, d.endpoint_id, d.transaction_id))`

/** They are due again, or were given up after the last try. */
export async function updateFailed(tx: Tx, failed: Failed[], now: Date): Promise<void> {
  const types = { ...KEY, state: 'text', nextAt: 'timestamptz', outcome: 'text', status: 'int' } as const
  await tx.query(sql`
    update deliveries d set tries = d.tries + 1, next_at = failed.next_at,
      state = case when failed.state = 'waiting' and ${isPreceded} then 'behind' else failed.state end,
      last_outcome = failed.outcome, last_status = failed.status,
      finished_at = case when failed.state = 'waiting' then null else ${now}::timestamptz end
    from ${rowsOf('failed', failed, types)} where ${hasKey(sql`failed`)} and d.state = ${WAITING}`)
}

/** The first open event of each transaction is no longer blocked. Its schedule begins now. */
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

/** Some of what waits for each endpoint that is gone; returns how many. A call that is under way may still succeed. */
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

/** Starts them anew, each after the earlier events of its transaction; returns how many. Calls under way are left alone. */
export async function restart(
  tx: Tx,
  deliveries: PlacedDelivery[],
  { from, now }: { from: DeliveryState[]; now: Date },
): Promise<number> {
  const restarted = await tx.query(sql`
    update deliveries d set state = 'behind', tries = 0, since = ${now}, next_at = ${now}, finished_at = null
    from ${deliveriesOf(deliveries)}
    where ${hasKey(sql`key`)} and d.state = any(${from}::text[]) and not ${isClaimed(now)} returning 1`)
  // What waits beside them in their transactions is blocked too, or it could arrive first.
  await tx.query(sql`
    with open as materialized (${openOf(deliveries)})
    update deliveries d set state = 'behind' from open where ${hasKey(sql`open`)} and not ${isClaimed(now)}`)
  await promoteNext(tx, deliveries, now)
  return restarted.length
}

/** Those of them that wait begin their schedules anew. */
export async function restartWaiting(tx: Tx, deliveries: DeliveryKey[], now: Date): Promise<void> {
  await tx.query(sql`
    update deliveries d set tries = 0, since = ${now}, next_at = ${now} from ${deliveriesOf(deliveries)}
    where ${hasKey(sql`key`)} and d.state = ${WAITING}`)
}

const placed = sql`
  d.merchant_id as "merchantId", d.endpoint_id as "endpointId", d.event_id as "eventId",
  d.transaction_id as "transactionId", d.position::text`

type GivenUp = { merchantId: string; endpointIds: string[]; since: Date }

/** Given up at one of these endpoints, of the events from this moment on. */
export function selectGivenUp(db: Queryable, givenUp: GivenUp, { after, limit }: Page): Promise<PlacedDelivery[]> {
  return db.query<PlacedDelivery>(sql`
    select ${placed} from deliveries d
    where d.merchant_id = ${givenUp.merchantId} and d.state = 'given_up'
      and (d.position, d.endpoint_id) > (${after.position}::bigint, ${after.endpointId})
      and d.endpoint_id = any(${givenUp.endpointIds}::text[]) and d.created_at >= ${givenUp.since}
    order by d.position, d.endpoint_id limit ${limit}`)
}

/** What waits at an endpoint; with `failedSince`, what has only failed so far of the events from that moment on. */
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

/** Events with a delivery in this state, in the order asked for. The state is no parameter: each has its index. */
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

/** How many are on their way to each endpoint. */
export async function countOpen(db: Queryable, merchantId: string): Promise<Map<string, number>> {
  const rows = await db.query<{ endpointId: string; count: number }>(sql`
    select endpoint_id as "endpointId", count(*)::int as count from deliveries
    where merchant_id = ${merchantId} and state in ('waiting', 'behind') group by endpoint_id`)
  return new Map(rows.map(({ endpointId, count }) => [endpointId, count]))
}

/** When the oldest event that has not arrived at one of these endpoints was sent on its way. By the index `deliveries_oldest`. */
export function selectOldestOpen(tx: Tx, queues: QueueKey[]): Promise<{ oldest: Date | null }[]> {
  return tx.query<{ oldest: Date | null }>(sql`
    select min((select min(d.created_at) from deliveries d where d.state in ('waiting', 'behind')
      and d.merchant_id || '/' || d.endpoint_id = key.merchant_id || '/' || key.endpoint_id)) as oldest
    from ${queuesOf(queues)}`)
}

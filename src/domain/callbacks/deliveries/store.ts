import type { Queryable, Tx } from '../../../platform/db.ts'
import { sql } from '../../../platform/sql.ts'
import type { EventFilter } from '../store.ts'
import { LAST_POSITION } from '../store.ts'
import type { LaneKey } from '../lanes/lane.ts'
import { lanesOf } from '../lanes/store.ts'

export type DeliveryKey = LaneKey & { eventId: string }
/** A transaction on its way to an endpoint: within it, one event waits for the other. */
export type QueueKey = LaneKey & { transactionId: string }
export type NewDelivery = DeliveryKey & QueueKey & { type: string; position: string }
export type DeliveryState = 'waiting' | 'behind' | 'calling' | 'delivered' | 'given_up'

/** Each delivery, as three columns. */
function deliveriesOf(keys: DeliveryKey[]) {
  return sql`unnest(
    ${keys.map(({ merchantId }) => merchantId)}::text[],
    ${keys.map(({ endpointId }) => endpointId)}::text[],
    ${keys.map(({ eventId }) => eventId)}::text[]
  ) as key (merchant_id, endpoint_id, event_id)`
}

/** Each queue once, as three columns. */
function queuesOf(keys: QueueKey[]) {
  const queues = [...new Map(keys.map((key) => [`${key.endpointId}/${key.transactionId}`, key])).values()]
  return sql`unnest(
    ${queues.map(({ merchantId }) => merchantId)}::text[],
    ${queues.map(({ endpointId }) => endpointId)}::text[],
    ${queues.map(({ transactionId }) => transactionId)}::text[]
  ) as key (merchant_id, endpoint_id, transaction_id)`
}

/** Which transactions still have something on its way to an endpoint: what comes now stands behind it. */
export function selectOpenTransactions(
  tx: Tx,
  deliveries: NewDelivery[],
): Promise<{ endpointId: string; transactionId: string }[]> {
  return tx.query<{ endpointId: string; transactionId: string }>(sql`
    select distinct d.endpoint_id as "endpointId", d.transaction_id as "transactionId"
    from ${queuesOf(deliveries)} join deliveries d using (merchant_id, endpoint_id, transaction_id)
    where d.state in ('waiting', 'behind', 'calling')`)
}

export async function insertDeliveries(
  tx: Tx,
  deliveries: (NewDelivery & { state: 'waiting' | 'behind' })[],
  now: Date,
): Promise<void> {
  await tx.query(sql`
    insert into deliveries (
      merchant_id, endpoint_id, event_id, transaction_id, type, position, state, since, next_at, created_at
    )
    select *, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz from unnest(
      ${deliveries.map(({ merchantId }) => merchantId)}::text[],
      ${deliveries.map(({ endpointId }) => endpointId)}::text[],
      ${deliveries.map(({ eventId }) => eventId)}::text[],
      ${deliveries.map(({ transactionId }) => transactionId)}::text[],
      ${deliveries.map(({ type }) => type)}::text[],
      ${deliveries.map(({ position }) => position)}::bigint[],
      ${deliveries.map(({ state }) => state)}::text[]
    ) on conflict do nothing`)
}

/** Claims whose time is over: their worker is gone. Nobody knows whether the call was made, so it is made again. */
export async function releaseExpiredClaims(tx: Tx, keys: LaneKey[], now: Date): Promise<void> {
  await tx.query(sql`
    update deliveries d set state = 'waiting', claimed_until = null from ${lanesOf(keys)}
    where d.merchant_id = key.merchant_id and d.endpoint_id = key.endpoint_id
      and d.state = 'calling' and d.claimed_until <= ${now}`)
}

export async function countCalling(tx: Tx, keys: LaneKey[]): Promise<Map<string, number>> {
  const rows = await tx.query<{ endpointId: string; count: number }>(sql`
    select d.endpoint_id as "endpointId", count(*)::int as count
    from ${lanesOf(keys)} join deliveries d using (merchant_id, endpoint_id)
    where d.state = 'calling' group by d.endpoint_id`)
  return new Map(rows.map(({ endpointId, count }) => [endpointId, count]))
}

/** When each lane has something to do next: the first that falls due, or the first claim that runs out. */
export async function selectNextDue(tx: Tx, keys: LaneKey[]): Promise<Map<string, Date>> {
  const rows = await tx.query<{ endpointId: string; at: Date | null }>(sql`
    select key.endpoint_id as "endpointId", least(
      (select d.next_at from deliveries d where d.merchant_id = key.merchant_id and d.endpoint_id = key.endpoint_id
        and d.state = 'waiting' order by d.next_at limit 1),
      (select d.claimed_until from deliveries d where d.merchant_id = key.merchant_id and d.endpoint_id = key.endpoint_id
        and d.state = 'calling' order by d.claimed_until limit 1)) as at
    from ${lanesOf(keys)}`)
  return new Map(rows.flatMap(({ endpointId, at }) => (at ? [[endpointId, at]] : [])))
}

export type Claimed = DeliveryKey & QueueKey & { fence: number; tries: number; since: Date }

/**
 * The longest due first, up to each lane's room. The lanes are locked, so nobody else claims from them, and no row moves between
 * being found and being written. Therefore by `ctid`: joined by key, a plan may read the whole table, because nobody knows
 * beforehand how little `room` is; or, before the table was first analysed, look for what is due once for every row.
 */
export function claimDue(
  tx: Tx,
  lanes: (LaneKey & { room: number })[],
  { now, until }: { now: Date; until: Date },
): Promise<Claimed[]> {
  return tx.query<Claimed>(sql`
    update deliveries d set state = 'calling', claimed_until = ${until}, fence = d.fence + 1
    where d.ctid = any(array(
      select due.ctid from unnest(
        ${lanes.map(({ merchantId }) => merchantId)}::text[],
        ${lanes.map(({ endpointId }) => endpointId)}::text[],
        ${lanes.map((lane) => lane.room)}::int[]
      ) as lane (merchant_id, endpoint_id, room)
      cross join lateral (
        select w.ctid from deliveries w
        where w.merchant_id = lane.merchant_id and w.endpoint_id = lane.endpoint_id
          and w.state = 'waiting' and w.next_at <= ${now}
        order by w.next_at, w.position limit lane.room
      ) as due
    ))
    returning d.merchant_id as "merchantId", d.endpoint_id as "endpointId", d.event_id as "eventId",
      d.transaction_id as "transactionId", d.fence, d.tries, d.since`)
}

export type Ended = DeliveryKey & {
  fence: number
  state: 'waiting' | 'delivered' | 'given_up'
  nextAt: Date
  outcome: string
  status: number | null
}

/** Only under the newest claim; answers those that were. Anybody else's answer is about a claim that has passed. */
export function endClaims(tx: Tx, ended: Ended[], now: Date): Promise<DeliveryKey[]> {
  return tx.query<DeliveryKey>(sql`
    update deliveries d set state = done.state, claimed_until = null, tries = d.tries + 1, next_at = done.next_at,
      last_outcome = done.outcome, last_status = done.status,
      finished_at = case when done.state = 'waiting' then null else ${now}::timestamptz end
    from unnest(
      ${ended.map(({ merchantId }) => merchantId)}::text[],
      ${ended.map(({ endpointId }) => endpointId)}::text[],
      ${ended.map(({ eventId }) => eventId)}::text[],
      ${ended.map(({ fence }) => fence)}::int[],
      ${ended.map(({ state }) => state)}::text[],
      ${ended.map(({ nextAt }) => nextAt.toISOString())}::timestamptz[],
      ${ended.map(({ outcome }) => outcome)}::text[],
      ${ended.map(({ status }) => status)}::int[]
    ) as done (merchant_id, endpoint_id, event_id, fence, state, next_at, outcome, status)
    where d.merchant_id = done.merchant_id and d.endpoint_id = done.endpoint_id and d.event_id = done.event_id
      and d.fence = done.fence and d.state = 'calling'
    returning d.merchant_id as "merchantId", d.endpoint_id as "endpointId", d.event_id as "eventId"`)
}

/** The next event of a transaction may go when nothing stands before it any more. It begins its schedule then. */
export async function promoteNext(tx: Tx, queues: QueueKey[], now: Date): Promise<void> {
  await tx.query(sql`
    update deliveries d set state = 'waiting', tries = 0, since = ${now}, next_at = ${now}
    where d.ctid = any(array(
      select first.ctid from ${queuesOf(queues)}
      cross join lateral (
        select n.ctid, n.state from deliveries n
        where n.merchant_id = key.merchant_id and n.endpoint_id = key.endpoint_id
          and n.transaction_id = key.transaction_id and n.state in ('waiting', 'behind', 'calling')
        order by n.position limit 1
      ) as first
      where first.state = 'behind'
    ))`)
}

export type Delivery = DeliveryKey & {
  state: DeliveryState
  tries: number
  nextAt: Date
  lastOutcome: string | null
  lastStatus: number | null
  finishedAt: Date | null
}

export function selectDeliveries(db: Queryable, merchantId: string, eventIds: string[]): Promise<Delivery[]> {
  return db.query<Delivery>(sql`
    select merchant_id as "merchantId", endpoint_id as "endpointId", event_id as "eventId", state, tries,
      next_at as "nextAt", last_outcome as "lastOutcome", last_status as "lastStatus", finished_at as "finishedAt"
    from deliveries where merchant_id = ${merchantId} and event_id = any(${eventIds}::text[]) order by endpoint_id`)
}

/** The events of which a delivery is in one of these states, in the order asked for. */
export async function selectEventIdsInState(
  db: Queryable,
  merchantId: string,
  states: DeliveryState[],
  { type, transactionId, before, after, limit }: EventFilter,
): Promise<string[]> {
  const ofType = type === undefined ? sql`` : sql`and type = ${type}`
  const ofTransaction = transactionId === undefined ? sql`` : sql`and transaction_id = ${transactionId}`
  const range =
    after === undefined
      ? sql`and position < ${before ?? LAST_POSITION}::bigint ${ofType} ${ofTransaction} order by position desc`
      : sql`and position > ${after}::bigint ${ofType} ${ofTransaction} order by position`
  const rows = await db.query<{ id: string }>(sql`
    select distinct on (position) event_id as id from deliveries
    where merchant_id = ${merchantId} and state = any(${states}::text[]) ${range} limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** A slice of what waits at one of these endpoints, in order, from behind another slice's last. */
export type Slice = {
  endpointIds: string[]
  /** Only what has failed, or failed so far, of the events from this moment on. */
  failedSince?: Date
  after: { position: string; endpointId: string }
  limit: number
}
type InSlice = DeliveryKey & QueueKey & { position: string }

export function selectSlice(db: Queryable, merchantId: string, slice: Slice): Promise<InSlice[]> {
  const { endpointIds, failedSince, after, limit } = slice
  const which = failedSince
    ? sql`d.created_at >= ${failedSince} and (d.state = 'given_up' or (d.state = 'waiting' and d.tries > 0))`
    : sql`d.state = 'waiting'`
  return db.query<InSlice>(sql`
    select d.merchant_id as "merchantId", d.endpoint_id as "endpointId", d.event_id as "eventId",
      d.transaction_id as "transactionId", d.position::text from deliveries d
    where d.merchant_id = ${merchantId} and d.state in ('waiting', 'behind', 'calling', 'given_up')
      and d.endpoint_id = any(${endpointIds}::text[]) and d.position >= ${after.position}::bigint
      and (d.position, d.endpoint_id) > (${after.position}::bigint, ${after.endpointId}) and ${which}
    order by d.position, d.endpoint_id limit ${limit}`)
}

/**
 * Back into line with a new schedule; answers how many. What is being called about at this moment is left alone. What waits
 * behind one of them in its transaction stands back, or it could arrive first.
 */
export async function restart(
  tx: Tx,
  deliveries: (DeliveryKey & QueueKey)[],
  from: Exclude<DeliveryState, 'calling'>[],
  now: Date,
): Promise<number> {
  const restarted = await tx.query(sql`
    update deliveries d set state = 'behind', tries = 0, since = ${now}, next_at = ${now}, finished_at = null
    from ${deliveriesOf(deliveries)}
    where d.merchant_id = key.merchant_id and d.endpoint_id = key.endpoint_id and d.event_id = key.event_id
      and d.state = any(${from}::text[])
    returning 1`)
  await tx.query(sql`
    update deliveries d set state = 'behind' from ${queuesOf(deliveries)}
    where d.merchant_id = key.merchant_id and d.endpoint_id = key.endpoint_id
      and d.transaction_id = key.transaction_id and d.state = 'waiting'`)
  await promoteNext(tx, deliveries, now)
  return restarted.length
}

/**
 * Those of them that wait begin their schedules anew. The state is a parameter so that no plan goes by the index of what waits:
 * all of a long queue is in there, and it would be read once for every key.
 */
export async function restartWaiting(tx: Tx, deliveries: DeliveryKey[], now: Date): Promise<void> {
  const waiting: DeliveryState = 'waiting'
  await tx.query(sql`
    update deliveries d set tries = 0, since = ${now}, next_at = ${now} from ${deliveriesOf(deliveries)}
    where d.merchant_id = key.merchant_id and d.endpoint_id = key.endpoint_id and d.event_id = key.event_id
      and d.state = ${waiting}`)
}

/** Some of what waits for each endpoint that is gone; answers how many. A call that is under way may still bring the event there. */
export async function giveUpSome(tx: Tx, lanes: LaneKey[], now: Date, limit: number): Promise<number> {
  const rows = await tx.query(sql`
    update deliveries d set state = 'given_up', finished_at = ${now}
    where d.ctid = any(array(
      select open.ctid from ${lanesOf(lanes)}
      cross join lateral (
        select o.ctid from deliveries o
        where o.merchant_id = key.merchant_id and o.endpoint_id = key.endpoint_id and o.state in ('waiting', 'behind')
        order by o.transaction_id, o.position limit ${limit}
      ) as open
    ))
    returning 1`)
  return rows.length
}

import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { EventFilter } from '../store.ts'
import { pageOf } from '../store.ts'
import type { LaneKey } from '../lanes/lane.ts'
import { lanesOf, placesOf } from '../lanes/store.ts'
import type { BeingCalled, Delivery, DeliveryKey, DeliveryState, Due, NewDelivery, Placed, Slice } from './delivery.ts'
import { readDue } from './delivery.ts'

/** As a parameter: it keeps a plan from going by the index of what waits, where all of a long queue would be read for one key. */
const WAITING: DeliveryState = 'waiting'

/** Each delivery, as three columns. */
function deliveriesOf(keys: DeliveryKey[]) {
  return sql`unnest(
    ${keys.map(({ merchantId }) => merchantId)}::text[],
    ${keys.map(({ endpointId }) => endpointId)}::text[],
    ${keys.map(({ eventId }) => eventId)}::text[]
  ) as key (merchant_id, endpoint_id, event_id)`
}

/**
 * `d` is the delivery of this key. The merchant, with whom every index begins, not by `=`: connections keep their plans, and one made while
 * nothing waited would read every delivery in the order of an index for each list. This condition has no order to go by.
 */
function hasKey(key: Sql): Sql {
  return sql`d.merchant_id = any(array[${key}.merchant_id]) and d.event_id = ${key}.event_id and d.endpoint_id = ${key}.endpoint_id`
}

/** Each delivery's transaction on its way to its endpoint, as three columns. */
function queuesOf(deliveries: Placed[]) {
  return sql`unnest(
    ${deliveries.map(({ merchantId }) => merchantId)}::text[],
    ${deliveries.map(({ endpointId }) => endpointId)}::text[],
    ${deliveries.map(({ transactionId }) => transactionId)}::text[]
  ) as key (merchant_id, endpoint_id, transaction_id)`
}

function isClaimed(claimed: BeingCalled[]) {
  return sql`exists (
    select from unnest(
      ${claimed.map(({ endpointId }) => endpointId)}::text[], ${claimed.map(({ position }) => position)}::bigint[]
    ) as c (endpoint_id, position)
    where c.endpoint_id = d.endpoint_id and c.position = d.position)`
}

/** All that is open of these transactions. */
function openOf(deliveries: Placed[]) {
  return sql`
    select o.merchant_id, o.event_id, o.endpoint_id, key.transaction_id from ${queuesOf(deliveries)}
    cross join lateral (
      select d.merchant_id, d.event_id, d.endpoint_id from deliveries d
      where d.merchant_id = key.merchant_id and d.endpoint_id = key.endpoint_id
        and d.transaction_id = key.transaction_id and d.state in ('waiting', 'behind')
      order by d.position
    ) as o`
}

/** What comes now will stand behind these: when they are through, it must be let go. */
export async function markFollowed(tx: Tx, followers: NewDelivery[]): Promise<void> {
  await tx.query(sql`with before as materialized (${openOf(followers)})
    update deliveries d set followed = true from before where ${hasKey(sql`before`)}`)
}

type Queue = Pick<Placed, 'endpointId' | 'transactionId'>

/** Which transactions still have something on its way to an endpoint: what comes now stands behind it. */
export function selectOpenTransactions(tx: Tx, deliveries: NewDelivery[]): Promise<Queue[]> {
  return tx.query<Queue>(sql`
    select distinct endpoint_id as "endpointId", transaction_id as "transactionId"
    from (${openOf(deliveries)}) as open`)
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

type Line = LaneKey & { claimed: string[]; from: Date | null; limit: number }

/** Of each lane so many that wait, were due from then on, and that nobody is calling about, the longest due first. */
export async function selectDue(tx: Tx, lanes: Line[]): Promise<Due[]> {
  const claimed = lanes.flatMap((lane, index) => lane.claimed.map((position) => ({ place: index + 1, position })))
  // One text a lane, times as numbers: of a thousand rows, the driver's reading would be most of what they cost.
  const rows = await tx.query<{ place: number; due: string | null }>(sql`
    select lane.place::int, found.due from unnest(
      ${lanes.map(({ merchantId }) => merchantId)}::text[],
      ${lanes.map(({ endpointId }) => endpointId)}::text[],
      ${lanes.map(({ limit }) => limit)}::int[],
      ${lanes.map(({ from }) => from?.toISOString() ?? '-infinity')}::timestamptz[]
    ) with ordinality as lane (merchant_id, endpoint_id, most, since, place)
    cross join lateral (
      select string_agg(concat_ws(' ', event_id, position, tries, date_part('epoch', since) * 1000,
        date_part('epoch', next_at) * 1000), ',' order by next_at, position) as due
      from (
        select d.event_id, d.position, d.tries, d.since, d.next_at from deliveries d
        where d.merchant_id = lane.merchant_id and d.endpoint_id = lane.endpoint_id and d.state = 'waiting'
          and d.next_at >= lane.since and (lane.place, d.position) not in (select * from unnest(
            ${claimed.map(({ place }) => place)}::bigint[], ${claimed.map(({ position }) => position)}::bigint[]))
        order by d.next_at, d.position limit lane.most
      ) as free
    ) as found`)
  return rows.flatMap(({ place, due }) => due?.split(',').map((text) => readDue(lanes[place - 1] as Line, text)) ?? [])
}

/** The next event of each transaction in `finished` may go when nothing is open before it. Its schedule begins then. */
function letNextGo(notOpen: Sql, now: Date): Sql {
  return sql`
    next as materialized (
      select f.merchant_id, f.endpoint_id, open.event_id from finished f
      cross join lateral (
        select o.event_id, o.state from deliveries o
        where o.merchant_id = f.merchant_id and o.endpoint_id = f.endpoint_id and o.transaction_id = f.transaction_id
          and o.state in ('waiting', 'behind') and not ${notOpen}
        order by o.position limit 1
      ) as open
      where f.followed and open.state = 'behind'
    )
    update deliveries d set state = 'waiting', tries = 0, since = ${now}, next_at = ${now} from next
    where ${hasKey(sql`next`)}`
}

/** They have arrived: each is gone from the line. */
export async function endDelivered(tx: Tx, delivered: DeliveryKey[], now: Date): Promise<void> {
  const { merchantIds, endpointIds, ofItems } = placesOf(delivered)
  const list = sql`unnest(${ofItems}::int[], ${delivered.map(({ eventId }) => eventId)}::text[]) as done (place, event_id)`
  // One statement sees the rows that it removes. The keys are compared as in `hasKey`.
  const isRemoved = sql`(o.endpoint_id, o.event_id) in (select (${endpointIds}::text[])[place], event_id from ${list})`
  await tx.query(sql`
    with finished as materialized (
      delete from deliveries d using ${list}
      where d.merchant_id = any(array[(${merchantIds}::text[])[done.place]]) and d.event_id = done.event_id
        and d.endpoint_id = (${endpointIds}::text[])[done.place]
      returning d.merchant_id, d.endpoint_id, d.transaction_id, d.followed
    ), ${letNextGo(isRemoved, now)}`)
}

/** After some were given up. */
export async function promoteNext(tx: Tx, finished: DeliveryKey[], now: Date): Promise<void> {
  const rows = sql`select d.* from ${deliveriesOf(finished)} join deliveries d on ${hasKey(sql`key`)}`
  await tx.query(sql`with finished as materialized (${rows}), ${letNextGo(sql`false`, now)}`)
}

type Failed = DeliveryKey & { outcome: string; status: number | null; state: 'waiting' | 'given_up'; nextAt: Date }

/** An earlier event of its transaction, sent again by hand during this call, is on its way: then this one stands back. */
const isPreceded = sql`exists (
  select from deliveries o where o.state in ('waiting', 'behind') and o.position < d.position
    and (o.merchant_id, o.endpoint_id, o.transaction_id) = (d.merchant_id, d.endpoint_id, d.transaction_id))`

/** They are due again, or were given up after the last try. */
export async function endFailed(tx: Tx, failed: Failed[], now: Date): Promise<void> {
  await tx.query(sql`
    update deliveries d set tries = d.tries + 1, next_at = done.next_at,
      state = case when done.state = 'waiting' and ${isPreceded} then 'behind' else done.state end,
      last_outcome = done.outcome, last_status = done.status,
      finished_at = case when done.state = 'waiting' then null else ${now}::timestamptz end
    from unnest(
      ${failed.map(({ merchantId }) => merchantId)}::text[],
      ${failed.map(({ endpointId }) => endpointId)}::text[],
      ${failed.map(({ eventId }) => eventId)}::text[],
      ${failed.map(({ state }) => state)}::text[],
      ${failed.map(({ nextAt }) => nextAt.toISOString())}::timestamptz[],
      ${failed.map(({ outcome }) => outcome)}::text[],
      ${failed.map(({ status }) => status)}::int[]
    ) as done (merchant_id, endpoint_id, event_id, state, next_at, outcome, status)
    where ${hasKey(sql`done`)}`)
}

export function selectDeliveries(db: Queryable, merchantId: string, eventIds: string[]): Promise<Delivery[]> {
  return db.query<Delivery>(sql`
    select merchant_id as "merchantId", endpoint_id as "endpointId", event_id as "eventId", state, tries,
      next_at as "nextAt", last_outcome as "lastOutcome", last_status as "lastStatus", finished_at as "finishedAt"
    from deliveries where merchant_id = ${merchantId} and event_id = any(${eventIds}::text[]) order by endpoint_id`)
}

/** The events of which a delivery is on its way, or given up, in the order asked for. The state is no parameter: each has its index. */
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

const placed = sql`
  d.merchant_id as "merchantId", d.endpoint_id as "endpointId", d.event_id as "eventId",
  d.transaction_id as "transactionId", d.position::text`

type GivenUp = { merchantId: string; endpointIds: string[]; since: Date }

/** Given up at one of these endpoints, of the events from this moment on. */
export function selectGivenUp(db: Queryable, givenUp: GivenUp, { after, limit }: Slice): Promise<Placed[]> {
  return db.query<Placed>(sql`
    select ${placed} from deliveries d
    where d.merchant_id = ${givenUp.merchantId} and d.state = 'given_up'
      and (d.position, d.endpoint_id) > (${after.position}::bigint, ${after.endpointId})
      and d.endpoint_id = any(${givenUp.endpointIds}::text[]) and d.created_at >= ${givenUp.since}
    order by d.position, d.endpoint_id limit ${limit}`)
}

/** What waits at an endpoint; or, with `failedSince`, what has only failed so far of the events from that moment on. */
export function selectWaiting(db: Queryable, lane: LaneKey, failedSince: Date | null, slice: Slice): Promise<Placed[]> {
  const { after, limit } = slice
  const which = failedSince ? sql`and d.tries > 0 and d.created_at >= ${failedSince}` : sql``
  return db.query<Placed>(sql`
    select ${placed} from deliveries d
    where d.merchant_id = ${lane.merchantId} and d.endpoint_id = ${lane.endpointId} and d.state in ('waiting', 'behind')
      and (d.transaction_id, d.position) > (${after.transactionId}, ${after.position}::bigint)
      and d.state = ${WAITING} ${which}
    order by d.transaction_id, d.position limit ${limit}`)
}

/**
 * Back into line with a new schedule; answers how many. What is being called about at this moment is left alone. What waits
 * beside one of them in its transaction stands back and follows, or it could arrive first.
 */
export async function restart(
  tx: Tx,
  deliveries: Placed[],
  { from, claimed, now }: { from: DeliveryState[]; claimed: BeingCalled[]; now: Date },
): Promise<number> {
  const restarted = await tx.query(sql`
    update deliveries d set state = 'behind', tries = 0, since = ${now}, next_at = ${now}, finished_at = null
    from ${deliveriesOf(deliveries)}
    where ${hasKey(sql`key`)} and d.state = any(${from}::text[]) and not ${isClaimed(claimed)} returning 1`)
  await tx.query(sql`
    with open as materialized (${openOf(deliveries)})
    update deliveries d set followed = true, state = case when ${isClaimed(claimed)} then d.state else 'behind' end
    from open where ${hasKey(sql`open`)}`)
  // By transaction, not by delivery: one of these may have arrived, and be gone, since somebody chose it.
  const finished = sql`select distinct *, true as followed from ${queuesOf(deliveries)}`
  await tx.query(sql`with finished as materialized (${finished}), ${letNextGo(sql`false`, now)}`)
  return restarted.length
}

/** Those of them that wait begin their schedules anew. */
export async function restartWaiting(tx: Tx, deliveries: DeliveryKey[], { now }: { now: Date }): Promise<void> {
  await tx.query(sql`
    update deliveries d set tries = 0, since = ${now}, next_at = ${now} from ${deliveriesOf(deliveries)}
    where ${hasKey(sql`key`)} and d.state = ${WAITING}`)
}

/** Some of what waits for each endpoint that is gone; answers how many. A call that is under way may still bring the event there. */
export async function giveUpSome(
  tx: Tx,
  lanes: LaneKey[],
  { claimed, now, limit }: { claimed: BeingCalled[]; now: Date; limit: number },
): Promise<number> {
  const rows = await tx.query(sql`
    with open as materialized (
      select o.merchant_id, o.event_id, o.endpoint_id from ${lanesOf(lanes)}
      cross join lateral (
        select d.merchant_id, d.event_id, d.endpoint_id from deliveries d
        where d.merchant_id = key.merchant_id and d.endpoint_id = key.endpoint_id and d.state in ('waiting', 'behind')
          and not ${isClaimed(claimed)}
        order by d.transaction_id, d.position limit ${limit}
      ) as o
    )
    update deliveries d set state = 'given_up', finished_at = ${now} from open where ${hasKey(sql`open`)} returning 1`)
  return rows.length
}

/** How many are on their way to each endpoint. */
export async function countOpen(db: Queryable, merchantId: string): Promise<Map<string, number>> {
  const rows = await db.query<{ endpointId: string; count: number }>(sql`
    select endpoint_id as "endpointId", count(*)::int as count from deliveries
    where merchant_id = ${merchantId} and state in ('waiting', 'behind') group by endpoint_id`)
  return new Map(rows.map(({ endpointId, count }) => [endpointId, count]))
}

/** When the oldest event that has not arrived at one of these endpoints was sent on its way. By the index `deliveries_oldest`. */
export function selectOldestOpen(tx: Tx, lanes: LaneKey[]): Promise<{ oldest: Date | null }[]> {
  return tx.query<{ oldest: Date | null }>(sql`
    select min((select min(d.created_at) from deliveries d where d.state in ('waiting', 'behind')
      and d.merchant_id || '/' || d.endpoint_id = key.merchant_id || '/' || key.endpoint_id)) as oldest from ${lanesOf(lanes)}`)
}

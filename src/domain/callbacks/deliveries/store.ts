import type { Queryable, Tx } from '../../../platform/db.ts'
import { sql } from '../../../platform/sql.ts'
import type { EventFilter } from '../store.ts'
import { pageOf } from '../store.ts'
import type { LaneKey } from '../lanes/lane.ts'
import { lanesOf } from '../lanes/store.ts'

export type DeliveryKey = LaneKey & { eventId: string }
/** A delivery and its place among those of its transaction. */
export type Placed = DeliveryKey & { transactionId: string; position: string }
export type NewDelivery = Placed & { type: string }
export type DeliveryState = 'waiting' | 'behind' | 'delivered' | 'given_up'

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

/** Each delivery's transaction on its way to its endpoint, as three columns. */
function queuesOf(deliveries: Placed[]) {
  return sql`unnest(
    ${deliveries.map(({ merchantId }) => merchantId)}::text[],
    ${deliveries.map(({ endpointId }) => endpointId)}::text[],
    ${deliveries.map(({ transactionId }) => transactionId)}::text[]
  ) as key (merchant_id, endpoint_id, transaction_id)`
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
  await tx.query(sql`
    with before as materialized (${openOf(followers)})
    update deliveries d set followed = true from before
    where d.merchant_id = before.merchant_id and d.event_id = before.event_id and d.endpoint_id = before.endpoint_id`)
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

export type Due = DeliveryKey & { fence: number; tries: number; since: Date; nextAt: Date }

/** How many of a lane's are being called about, when the first of those claims ends, and what stands next in line. */
export type Head = LaneKey & { calling: number; firstEnd: Date | null; next: Due[] }

/**
 * The longest due first. Those that are being called about were the longest due when they were claimed, so they are found among the
 * first as well. One more than may be claimed shows when the lane has something to do next.
 */
export async function selectHeads(tx: Tx, lanes: (LaneKey & { most: number })[], now: Date): Promise<Head[]> {
  const rows = await tx.query<LaneKey & { calling: number; firstEnd: Date | null } & (Due | { eventId: null })>(sql`
    select lane.merchant_id as "merchantId", lane.endpoint_id as "endpointId", claimed.count as calling,
      claimed.first_end as "firstEnd", free.event_id as "eventId", free.fence, free.tries, free.since, free.next_at as "nextAt"
    from unnest(
      ${lanes.map(({ merchantId }) => merchantId)}::text[],
      ${lanes.map(({ endpointId }) => endpointId)}::text[],
      ${lanes.map(({ most }) => most)}::int[]
    ) as lane (merchant_id, endpoint_id, most)
    cross join lateral (
      select count(*)::int as count, min(claimed_until) as first_end from (
        select d.claimed_until from deliveries d
        where d.merchant_id = lane.merchant_id and d.endpoint_id = lane.endpoint_id and d.state = 'waiting'
        order by d.next_at, d.position limit lane.most
      ) as front where claimed_until > ${now}
    ) as claimed
    left join lateral (
      select d.event_id, d.fence, d.tries, d.since, d.next_at from deliveries d
      where d.merchant_id = lane.merchant_id and d.endpoint_id = lane.endpoint_id and d.state = 'waiting'
        and (d.claimed_until is null or d.claimed_until <= ${now})
      order by d.next_at, d.position limit lane.most - claimed.count + 1
    ) as free on true`)
  const byLane = Map.groupBy(rows, ({ endpointId }) => endpointId)
  return [...byLane.values()].flatMap((ofLane) => {
    const [first] = ofLane
    if (!first) return []
    const { merchantId, endpointId, calling, firstEnd } = first
    return { merchantId, endpointId, calling, firstEnd, next: ofLane.filter((row) => row.eventId !== null) }
  })
}

export type Claimed = Pick<Due, 'merchantId' | 'endpointId' | 'eventId' | 'fence' | 'tries' | 'since'>

/** The lanes are locked, so nobody else claims from them. */
export async function claim(tx: Tx, keys: DeliveryKey[], until: Date): Promise<void> {
  await tx.query(sql`
    update deliveries d set claimed_until = ${until}, fence = d.fence + 1 from ${deliveriesOf(keys)}
    where d.merchant_id = key.merchant_id and d.event_id = key.event_id and d.endpoint_id = key.endpoint_id`)
}

type LastOutcome = { outcome: string; status: number | null }
export type Ended = DeliveryKey & LastOutcome & { fence: number; state: Exclude<DeliveryState, 'behind'>; nextAt: Date }

/** Only under the newest claim; answers those that were. Anybody else's answer is about a claim that has passed. */
export function endClaims(tx: Tx, ended: Ended[], now: Date): Promise<(DeliveryKey & { followed: boolean })[]> {
  return tx.query<DeliveryKey & { followed: boolean }>(sql`
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
      and d.fence = done.fence and d.claimed_until is not null
    returning d.merchant_id as "merchantId", d.endpoint_id as "endpointId", d.event_id as "eventId", d.followed`)
}

/** The next event of a transaction may go when nothing is open before it. Its schedule begins then. */
export async function promoteNext(tx: Tx, finished: DeliveryKey[], now: Date): Promise<void> {
  await tx.query(sql`
    with next as materialized (
      select f.merchant_id, f.endpoint_id, open.event_id
      from ${deliveriesOf(finished)} join deliveries f using (merchant_id, endpoint_id, event_id)
      cross join lateral (
        select o.event_id, o.state from deliveries o
        where o.merchant_id = f.merchant_id and o.endpoint_id = f.endpoint_id and o.transaction_id = f.transaction_id
          and o.state in ('waiting', 'behind')
        order by o.position limit 1
      ) as open
      where open.state = 'behind'
    )
    update deliveries d set state = 'waiting', tries = 0, since = ${now}, next_at = ${now} from next
    where d.merchant_id = next.merchant_id and d.event_id = next.event_id and d.endpoint_id = next.endpoint_id`)
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

/** A slice of a long list: what comes after the last of the slice before. */
export type Slice = { after: Pick<Placed, 'endpointId' | 'transactionId' | 'position'>; limit: number }

type Failed = { merchantId: string; endpointIds: string[]; since: Date }

/** Given up at one of these endpoints, of the events from this moment on. */
export function selectGivenUp(db: Queryable, failed: Failed, { after, limit }: Slice): Promise<Placed[]> {
  return db.query<Placed>(sql`
    select ${placed} from deliveries d
    where d.merchant_id = ${failed.merchantId} and d.state = 'given_up'
      and (d.position, d.endpoint_id) > (${after.position}::bigint, ${after.endpointId})
      and d.endpoint_id = any(${failed.endpointIds}::text[]) and d.created_at >= ${failed.since}
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
export async function restart(tx: Tx, deliveries: Placed[], from: DeliveryState[], now: Date): Promise<number> {
  const restarted = await tx.query(sql`
    update deliveries d set state = 'behind', tries = 0, since = ${now}, next_at = ${now}, finished_at = null
    from ${deliveriesOf(deliveries)}
    where d.merchant_id = key.merchant_id and d.event_id = key.event_id and d.endpoint_id = key.endpoint_id
      and d.claimed_until is null and d.state = any(${from}::text[])
    returning 1`)
  await tx.query(sql`
    with open as materialized (${openOf(deliveries)})
    update deliveries d set followed = true, state = case when d.claimed_until is null then 'behind' else d.state end
    from open
    where d.merchant_id = open.merchant_id and d.event_id = open.event_id and d.endpoint_id = open.endpoint_id`)
  await promoteNext(tx, deliveries, now)
  return restarted.length
}

/**
 * Those of them that wait begin their schedules anew. One that is being called about keeps its place at the head of the queue:
 * there it is counted.
 */
export async function restartWaiting(tx: Tx, deliveries: DeliveryKey[], now: Date): Promise<void> {
  await tx.query(sql`
    update deliveries d set tries = 0, since = ${now}, next_at = ${now} from ${deliveriesOf(deliveries)}
    where d.merchant_id = key.merchant_id and d.event_id = key.event_id and d.endpoint_id = key.endpoint_id
      and d.claimed_until is null and d.state = ${WAITING}`)
}

/** Some of what waits for each endpoint that is gone; answers how many. A call that is under way may still bring the event there. */
export async function giveUpSome(tx: Tx, lanes: LaneKey[], now: Date, limit: number): Promise<number> {
  const rows = await tx.query(sql`
    with open as materialized (
      select o.merchant_id, o.event_id, o.endpoint_id from ${lanesOf(lanes)}
      cross join lateral (
        select d.merchant_id, d.event_id, d.endpoint_id from deliveries d
        where d.merchant_id = key.merchant_id and d.endpoint_id = key.endpoint_id and d.state in ('waiting', 'behind')
          and (d.claimed_until is null or d.claimed_until <= ${now})
        order by d.transaction_id, d.position limit ${limit}
      ) as o
    )
    update deliveries d set state = 'given_up', claimed_until = null, finished_at = ${now} from open
    where d.merchant_id = open.merchant_id and d.event_id = open.event_id and d.endpoint_id = open.endpoint_id
    returning 1`)
  return rows.length
}

/** How many are on their way to each endpoint. */
export async function countOpen(db: Queryable, merchantId: string): Promise<Map<string, number>> {
  const rows = await db.query<{ endpointId: string; count: number }>(sql`
    select endpoint_id as "endpointId", count(*)::int as count from deliveries
    where merchant_id = ${merchantId} and state in ('waiting', 'behind') group by endpoint_id`)
  return new Map(rows.map(({ endpointId, count }) => [endpointId, count]))
}

import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { rowsOf } from '../../platform/postgres/rows.ts'
import type { Sql } from '../../platform/postgres/sql.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { notAsideSql } from '../set-aside/index.ts'

export type EventKey = { merchantId: string; id: string }

type NewRow = {
  merchantId: string
  id: string
  transactionId: string
  sequence: number
  type: string
  body: string
  forEndpoint: string | null
}

const NEW_COLUMNS = {
  merchantId: 'text',
  id: 'text',
  transactionId: 'text',
  sequence: 'int',
  type: 'text',
  body: 'text',
  forEndpoint: 'text',
} as const

export async function insertEvents(tx: Tx, events: NewRow[], createdAt: Date): Promise<void> {
  await tx.query(sql`
    insert into events (merchant_id, id, transaction_id, sequence, type, body, for_endpoint, created_at)
    select added.*, ${createdAt}::timestamptz from ${rowsOf('added', events, NEW_COLUMNS)}`)
}

/** Returns false if another process is distributing. One at a time, or events of a transaction could be reordered. */
export async function lockDistribution(tx: Tx): Promise<boolean> {
  const DISTRIBUTION = 0x64697374
  const [row] = await tx.query<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${DISTRIBUTION}) as mine`)
  return row?.mine ?? false
}

export type UndistributedEvent = {
  merchantId: string
  id: string
  transactionId: string
  type: string
  forEndpoint: string | null
}

/** In the order of writing: within a transaction, always the lower sequence first. */
export function selectUndistributed(tx: Tx, limit: number, only?: string[]): Promise<UndistributedEvent[]> {
  // While one of them is set aside, all of a transaction wait: the later ones must not arrive before it.
  const chosen = only ? sql`e.transaction_id = any(${only}::text[])` : notAsideSql('event', sql`e.transaction_id`)
  return tx.query<UndistributedEvent>(sql`
    select e.merchant_id as "merchantId", e.id, e.transaction_id as "transactionId", e.type, e.for_endpoint as "forEndpoint"
    from events e where e.position is null and ${chosen} order by e.written limit ${limit}`)
}

export async function selectOldestUndistributed(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ createdAt: Date }>(sql`
    select created_at as "createdAt" from events where position is null order by written limit 1`)
  return row?.createdAt ?? null
}

/** Counted up to `most`. */
export async function countUndistributed(db: Queryable, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from (select from events where position is null limit ${most}) as e`)
  return row?.count ?? 0
}

/** Makes the events visible to readers, who read by position. Requires the distribution lock. */
export async function numberEvents(tx: Tx, events: EventKey[]): Promise<Map<string, string>> {
  const numbered = events.map((event, index) => ({ ...event, place: index + 1 }))
  const rows = await tx.query<{ id: string; position: string }>(sql`
    with taken as (
      update event_positions set last = last + ${events.length} returning last - ${events.length} as base
    )
    update events set position = taken.base + numbered.place
    from taken, ${rowsOf('numbered', numbered, { merchantId: 'text', id: 'text', place: 'int' })}
    where events.merchant_id = numbered.merchant_id and events.id = numbered.id
    returning events.id, events.position::text`)
  return new Map(rows.map(({ id, position }) => [id, position]))
}

/** Adds `e.body` as it is sent. By position: adjacent events of a stream are adjacent on disk. */
export function joinBody(delivery: Sql): Sql {
  return sql`join events e on e.merchant_id = ${delivery}.merchant_id and e.position = ${delivery}.position`
}

export type Event = {
  id: string
  transactionId: string
  sequence: number
  type: string
  body: string
  /** Position in the merchant's stream; text, because it is only a cursor. */
  position: string
  createdAt: Date
  /** When personal data was erased from the body; such an event is not sent again. */
  erasedAt: Date | null
}

const columns = sql`
  e.id, e.transaction_id as "transactionId", e.sequence, e.type, e.body, e.position::text, e.created_at as "createdAt",
  e.erased_at as "erasedAt"`

/** Greater than every position in a stream. */
const LAST_POSITION = '9223372036854775807'

export type EventFilter = {
  type?: string | undefined
  transactionId?: string | undefined
  /** Newest first, positions below this one; or, with `after`, oldest first from there on. */
  before?: string | undefined
  after?: string | undefined
  limit: number
}

/** In no particular order. */
export function selectEventsById(db: Queryable, merchantId: string, ids: string[]): Promise<Event[]> {
  return db.query<Event>(sql`
    select ${columns} from events e where e.merchant_id = ${merchantId} and e.id = any(${ids}::text[])`)
}

/** The page that a filter requests. Uses the alias, because `position` alone may mean the returned text column. */
export function pageOf(table: Sql, { type, transactionId, before, after, limit }: EventFilter): Sql {
  const ofType = type === undefined ? sql`` : sql`and ${table}.type = ${type}`
  const ofTransaction = transactionId === undefined ? sql`` : sql`and ${table}.transaction_id = ${transactionId}`
  const range =
    after === undefined
      ? sql`and ${table}.position < ${before ?? LAST_POSITION}::bigint`
      : sql`and ${table}.position > ${after}::bigint`
  const order = after === undefined ? sql`desc` : sql``
  return sql`${range} ${ofType} ${ofTransaction} order by ${table}.position ${order} limit ${limit}`
}

export function selectEvents(db: Queryable, merchantId: string, filter: EventFilter): Promise<Event[]> {
  return db.query<Event>(sql`
    select ${columns} from events e where e.merchant_id = ${merchantId} ${pageOf(sql`e`, filter)}`)
}

export async function selectEvent(db: Queryable, merchantId: string, id: string): Promise<Event | undefined> {
  const [row] = await db.query<Event>(sql`
    select ${columns} from events e where e.merchant_id = ${merchantId} and e.id = ${id} and e.position is not null`)
  return row
}

/** Called before a delivery is added, so that the event is not pruned meanwhile. */
export async function lockEvent(tx: Tx, merchantId: string, id: string): Promise<Event | undefined> {
  const [row] = await tx.query<Event>(sql`
    select ${columns} from events e
    where e.merchant_id = ${merchantId} and e.id = ${id} and e.position is not null for share`)
  return row
}

type OldEvent = { id: string; position: string; isNewest: boolean }

/**
 * The next events of a stream older than this, and whether each is the newest of its transaction (a test event
 * never is). Checks the first one before reading the others: usually it is too recent, and there is nothing to do.
 */
export function selectOldEvents(
  tx: Tx,
  { merchantId, after, before, limit }: { merchantId: string; after: string; before: Date; limit: number },
): Promise<OldEvent[]> {
  const next = (count: number) => sql`
    select e.id, e.transaction_id, e.sequence, e.type, e.position, e.created_at from events e
    where e.merchant_id = ${merchantId} and e.position > ${after}::bigint order by e.position limit ${count}`
  return tx.query<OldEvent>(sql`
    select o.id, o.position::text, o.type <> 'endpoint.test' and not exists (
      select from events n
      where n.merchant_id = ${merchantId} and n.transaction_id = o.transaction_id and n.sequence > o.sequence
    ) as "isNewest"
    from (${next(limit)}) as o
    where o.created_at < ${before} and (select f.created_at < ${before} from (${next(1)}) as f)
    order by o.position`)
}

/** Locks the events that no one else has locked, and returns their ids. */
export async function lockEvents(tx: Tx, merchantId: string, ids: string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select e.id from events e where e.merchant_id = ${merchantId} and e.id = any(${ids}::text[])
    for update skip locked`)
  return rows.map(({ id }) => id)
}

export async function deleteEvents(tx: Tx, merchantId: string, ids: string[]): Promise<void> {
  await tx.query(sql`delete from events where merchant_id = ${merchantId} and id = any(${ids}::text[])`)
}

type EventOf = { id: string; body: string; position: string | null }

const eventsOf = (merchantId: string, transactionId: string) => sql`
  select e.id, e.body, e.position::text from events e
  where e.merchant_id = ${merchantId} and e.transaction_id = ${transactionId} order by e.sequence`

/** All events of a transaction; `position` is null until the event is distributed. */
export function selectEventsOf(db: Queryable, merchantId: string, transactionId: string): Promise<EventOf[]> {
  return db.query<EventOf>(eventsOf(merchantId, transactionId))
}

export function lockEventsOf(tx: Tx, merchantId: string, transactionId: string): Promise<EventOf[]> {
  return tx.query<EventOf>(sql`${eventsOf(merchantId, transactionId)} for update`)
}

export async function updateBodies(
  tx: Tx,
  merchantId: string,
  events: { id: string; body: string }[],
  erasedAt: Date,
): Promise<void> {
  await tx.query(sql`
    update events e set body = changed.body, erased_at = ${erasedAt}
    from ${rowsOf('changed', events, { id: 'text', body: 'text' })}
    where e.merchant_id = ${merchantId} and e.id = changed.id`)
}

export async function selectErasedIds(tx: Tx, merchantId: string, ids: string[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    select e.id from events e
    where e.merchant_id = ${merchantId} and e.id = any(${ids}::text[]) and e.erased_at is not null`)
  return new Set(rows.map(({ id }) => id))
}

import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { ERASED } from '../../../kernel/erased.ts'
import type { Answer, Outcome } from '../../../platform/http-client/outbound.ts'
import { sql } from '../../../platform/postgres/sql.ts'

export type Attempt = {
  merchantId: string
  eventId: string
  endpointId: string
  /** The fence of the claim it was made under: rises, with gaps. */
  number: number
  at: Date
  answer: Omit<Answer, 'retryAfterSeconds'>
}

/**
 * A late one may be written already. One whose claim still holds cannot be, and is spared the search: its number was given out once.
 *
 * What most of a long list has in common (endpoint, claim, what was answered) is passed once, and each attempt says which of
 * these it is: the same texts a thousand times would cost more than the rows.
 */
export async function insertAttempts(tx: Tx, attempts: Attempt[], { late }: { late: boolean }): Promise<void> {
  const { kinds, ofItems } = kindsOf(attempts)
  await tx.query(sql`
    insert into delivery_attempts (
      merchant_id, endpoint_id, number, outcome, status, problem, answer, event_id, at, connect_ms, wait_ms, read_ms
    )
    select (${kinds.map(({ merchantId }) => merchantId)}::text[])[one.kind],
      (${kinds.map(({ endpointId }) => endpointId)}::text[])[one.kind],
      (${kinds.map(({ number }) => number)}::int[])[one.kind],
      (${kinds.map(({ answer }) => answer.outcome)}::text[])[one.kind],
      (${kinds.map(({ answer }) => answer.status)}::int[])[one.kind],
      (${kinds.map(({ answer }) => answer.problem)}::text[])[one.kind],
      (${kinds.map(({ answer }) => answer.body)}::text[])[one.kind],
      one.event_id, to_timestamp(one.at / 1000), one.connect_ms, one.wait_ms, one.read_ms
    from unnest(
      ${ofItems}::int[],
      ${attempts.map(({ eventId }) => eventId)}::text[],
      ${attempts.map(({ at }) => at.getTime())}::float8[],
      ${attempts.map(({ answer }) => Math.round(answer.connectMs))}::int[],
      ${attempts.map(({ answer }) => Math.round(answer.waitMs))}::int[],
      ${attempts.map(({ answer }) => Math.round(answer.readMs))}::int[]
    ) as one (kind, event_id, at, connect_ms, wait_ms, read_ms)
    ${late ? sql`on conflict do nothing` : sql``}`)
}

/** Attempts that differ in their event and their times only; for every attempt the place of its kind, from 1. */
function kindsOf(attempts: Attempt[]): { kinds: Attempt[]; ofItems: number[] } {
  const places = new Map<string, number>()
  const kinds: Attempt[] = []
  const ofItems = attempts.map((attempt) => {
    const { endpointId, number, answer } = attempt
    const key = `${endpointId}/${number}/${answer.outcome}/${answer.status}/${answer.problem}/${answer.body}`
    let place = places.get(key)
    if (place === undefined) places.set(key, (place = kinds.push(attempt)))
    return place
  })
  return { kinds, ofItems }
}

type AttemptRow = Omit<Attempt, 'answer'> & {
  connectMs: number
  waitMs: number
  readMs: number
  outcome: Outcome
  status: number | null
  problem: string | null
  answer: string
}

/** Two schedules of thirty days. Every resend adds one more, with up to 16 kB of its answer. */
const MAX_SHOWN = 200
const WHOLE_ANSWERS = 20
const SHORT_ANSWER = 200

/** The newest, the oldest of them first; of all but the newest few only the beginning of the answer. */
export async function selectAttempts(db: Queryable, merchantId: string, eventId: string): Promise<AttemptRow[]> {
  const rows = await db.query<AttemptRow>(sql`
    select merchant_id as "merchantId", event_id as "eventId", endpoint_id as "endpointId", number, at,
      connect_ms as "connectMs", wait_ms as "waitMs", read_ms as "readMs", outcome, status, problem,
      case when row_number() over (order by at desc, endpoint_id desc, number desc) <= ${WHOLE_ANSWERS}
        then answer else left(answer, ${SHORT_ANSWER}) end as answer
    from delivery_attempts where merchant_id = ${merchantId} and event_id = ${eventId}
    order by at desc, endpoint_id desc, number desc limit ${MAX_SHOWN}`)
  return rows.toReversed()
}

/** How each of these events was accepted, by the endpoints that have; `tries` counts all that led there. */
export type Accepted = { eventId: string; endpointId: string; tries: number; status: number; at: Date }

export function selectAccepted(db: Queryable, merchantId: string, eventIds: string[]): Promise<Accepted[]> {
  return db.query<Accepted>(sql`
    select event_id as "eventId", endpoint_id as "endpointId", count(*)::int as tries,
      (array_agg(status order by number desc) filter (where outcome = 'accepted'))[1] as status,
      max(at + (connect_ms + wait_ms + read_ms) * interval '1 ms') filter (where outcome = 'accepted') as at
    from delivery_attempts where merchant_id = ${merchantId} and event_id = any(${eventIds}::text[])
    group by event_id, endpoint_id having bool_or(outcome = 'accepted') order by event_id, endpoint_id`)
}

export function selectEndpointsTried(
  db: Queryable,
  merchantId: string,
  eventId: string,
): Promise<{ endpointId: string }[]> {
  return db.query<{ endpointId: string }>(sql`
    select distinct endpoint_id as "endpointId" from delivery_attempts
    where merchant_id = ${merchantId} and event_id = ${eventId}`)
}

export async function deleteAttempts(tx: Tx, merchantId: string, eventIds: string[]): Promise<void> {
  await tx.query(sql`
    delete from delivery_attempts where merchant_id = ${merchantId} and event_id = any(${eventIds}::text[])`)
}

/** What receivers returned, which may repeat what they were sent. Returns how many attempts were changed. */
export async function eraseAnswers(tx: Tx, merchantId: string, eventIds: string[]): Promise<number> {
  const rows = await tx.query(sql`
    update delivery_attempts set answer = ${ERASED}
    where merchant_id = ${merchantId} and event_id = any(${eventIds}::text[]) and answer not in ('', ${ERASED})
    returning 1`)
  return rows.length
}

import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { ERASED } from '../../../kernel/erased.ts'
import type { Answer, Outcome } from '../../../platform/http-client/outbound.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import { sql } from '../../../platform/postgres/sql.ts'

export type Attempt = {
  merchantId: string
  eventId: string
  endpointId: string
  /** Number of its claim: increasing, with gaps. */
  number: number
  at: Date
  answer: Omit<Answer, 'retryAfterSeconds'>
}

const COLUMNS = {
  merchantId: 'text',
  eventId: 'text',
  endpointId: 'text',
  number: 'int',
  at: 'timestamptz',
  connectMs: 'int',
  waitMs: 'int',
  readMs: 'int',
  outcome: 'text',
  status: 'int',
  problem: 'text',
  body: 'text',
} as const

/** The same result may be recorded twice, if the response to a commit was lost. */
export async function insertAttempts(tx: Tx, attempts: Attempt[]): Promise<void> {
  const rows = attempts.map(({ answer, ...attempt }) => {
    const [connectMs, waitMs, readMs] = [answer.connectMs, answer.waitMs, answer.readMs].map(Math.round)
    return { ...attempt, ...answer, connectMs, waitMs, readMs }
  })
  await tx.query(sql`
    insert into delivery_attempts (
      merchant_id, event_id, endpoint_id, number, at, connect_ms, wait_ms, read_ms, outcome, status, problem, answer
    )
    select made.* from ${rowsOf('made', rows, COLUMNS)} on conflict do nothing`)
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

/** Two schedules of thirty days. Every resend adds one attempt, with up to 16 kB of body. */
const MAX_SHOWN = 200
const WHOLE_ANSWERS = 20
const SHORT_ANSWER = 200

/** The newest attempts, oldest first; only the newest few have the whole response body, the others its beginning. */
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

/** How each event was accepted, by endpoint; `tries` counts all attempts up to then. */
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

/** Erases receivers' responses, which may repeat what was sent to them. Returns the number of changed attempts. */
export async function eraseAnswers(tx: Tx, merchantId: string, eventIds: string[]): Promise<number> {
  const rows = await tx.query(sql`
    update delivery_attempts set answer = ${ERASED}
    where merchant_id = ${merchantId} and event_id = any(${eventIds}::text[]) and answer not in ('', ${ERASED})
    returning 1`)
  return rows.length
}

import type { Queryable, Tx } from '../../../platform/db.ts'
import type { Answer } from '../../../platform/outbound.ts'
import { sql } from '../../../platform/sql.ts'

export type Attempt = {
  merchantId: string
  eventId: string
  endpointId: string
  /** Counts the claims of the delivery; one that led to no call leaves a gap. */
  number: number
  at: Date
  answer: Omit<Answer, 'retryAfterSeconds'>
}

export async function insertAttempts(tx: Tx, attempts: Attempt[]): Promise<void> {
  await tx.query(sql`
    insert into delivery_attempts (
      merchant_id, event_id, endpoint_id, number, at, connect_ms, wait_ms, read_ms, outcome, status, problem, answer
    )
    select * from unnest(
      ${attempts.map(({ merchantId }) => merchantId)}::text[],
      ${attempts.map(({ eventId }) => eventId)}::text[],
      ${attempts.map(({ endpointId }) => endpointId)}::text[],
      ${attempts.map(({ number }) => number)}::int[],
      ${attempts.map(({ at }) => at.toISOString())}::timestamptz[],
      ${attempts.map(({ answer }) => Math.round(answer.connectMs))}::int[],
      ${attempts.map(({ answer }) => Math.round(answer.waitMs))}::int[],
      ${attempts.map(({ answer }) => Math.round(answer.readMs))}::int[],
      ${attempts.map(({ answer }) => answer.outcome)}::text[],
      ${attempts.map(({ answer }) => answer.status)}::int[],
      ${attempts.map(({ answer }) => answer.problem)}::text[],
      ${attempts.map(({ answer }) => answer.body)}::text[]
    ) on conflict do nothing`)
}

type AttemptRow = Omit<Attempt, 'answer'> & {
  connectMs: number
  waitMs: number
  readMs: number
  outcome: string
  status: number | null
  problem: string | null
  answer: string
}

export function selectAttempts(db: Queryable, merchantId: string, eventId: string): Promise<AttemptRow[]> {
  return db.query<AttemptRow>(sql`
    select merchant_id as "merchantId", event_id as "eventId", endpoint_id as "endpointId", number, at,
      connect_ms as "connectMs", wait_ms as "waitMs", read_ms as "readMs", outcome, status, problem, answer
    from delivery_attempts where merchant_id = ${merchantId} and event_id = ${eventId} order by at, endpoint_id, number`)
}

import type { Said } from '../../../platform/refusal.ts'
import { ERASED } from '../../../kernel/erased.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/** What the bank, a statement line or a person reported about the payout of a withdrawal. */
export type PayoutCall = {
  kind: 'submit' | 'find' | 'line' | 'person'
  outcome: CallOutcome
  detail: CallDetail
}

/** A text is of the bank, or evidence of a person. */
export type CallDetail = string | Said | null

export type CallOutcome =
  /** Of a bank. */
  | ('accepted' | 'rejected' | 'pending' | 'contradictory' | 'unknown' | 'returned' | 'never_seen')
  /** Of a statement line. */
  | ('debit' | 'credit')
  /** Of people. */
  | (
      | 'found'
      | 'not_found'
      | 'never_paid'
      | 'paid'
      | 'not_sent'
      | 'not_returned'
      | 'sent before the restore'
      | 'taken'
      | 'released'
    )

type WithdrawalKey = { merchantId: string; withdrawalId: string }

export function insertCall(tx: Tx, payout: WithdrawalKey, call: PayoutCall, at: Date): Promise<void> {
  return insertCalls(tx, [{ ...payout, ...call }], at)
}

const CALL = { merchantId: 'text', withdrawalId: 'text', kind: 'text', outcome: 'text', detail: 'jsonb' } as const

/** One call of each payout. */
export async function insertCalls(tx: Tx, calls: (WithdrawalKey & PayoutCall)[], at: Date): Promise<void> {
  await tx.query(sql`
    insert into payout_calls (merchant_id, withdrawal_id, number, kind, outcome, detail, called_at)
    select added.merchant_id, added.withdrawal_id, 1 + (
        select count(*) from payout_calls c where c.merchant_id = added.merchant_id and c.withdrawal_id = added.withdrawal_id
      ), added.kind, added.outcome, added.detail, ${at}::timestamptz
    from ${rowsOf('added', calls.map(stored), CALL)}`)
}

const stored = ({ detail, ...call }: WithdrawalKey & PayoutCall) => {
  return { ...call, detail: detail === null ? null : JSON.stringify(detail) }
}

export function callsOf(db: Queryable, merchantId: string, withdrawalId: string) {
  return db.query<PayoutCall & { number: number; calledAt: Date }>(sql`
    select number, kind, outcome, detail, called_at as "calledAt" from payout_calls
    where merchant_id = ${merchantId} and withdrawal_id = ${withdrawalId} order by number`)
}

/** Returns the number of changed rows. */
export async function eraseCalls(tx: Tx, merchantId: string, withdrawalId: string): Promise<number> {
  const rows = await tx.query(sql`
    update payout_calls set detail = to_jsonb(${ERASED}::text)
    where merchant_id = ${merchantId} and withdrawal_id = ${withdrawalId} and detail <> to_jsonb(${ERASED}::text) returning 1`)
  return rows.length
}

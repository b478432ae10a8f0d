import { ERASED } from '../../../kernel/erased.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Withdrawal } from '../withdrawal.ts'

type Key = Pick<Withdrawal, 'merchantId' | 'id'>

export type ApprovalRow = {
  withdrawalId: string
  operator: string
  /** `withdrawn`: the person takes back what it said before; `note` says why. */
  decision: 'approve' | 'reject' | 'withdrawn'
  note: string | null
  /** Of this person's words about the withdrawal, from 1 on. */
  number: number
}

export type Approval = ApprovalRow & { decidedAt: Date }

/** Oldest first, with what was taken back and rows that were written in SQL. */
export function approvalsOf(db: Queryable, withdrawals: Key[]): Promise<Approval[]> {
  return db.query<Approval>(sql`
    select a.withdrawal_id as "withdrawalId", a.operator, a.decision, a.note, a.number, a.decided_at as "decidedAt"
    from unnest(${withdrawals.map(({ merchantId }) => merchantId)}::text[], ${withdrawals.map(({ id }) => id)}::text[])
      as wanted (merchant_id, withdrawal_id)
    join withdrawal_approvals a using (merchant_id, withdrawal_id) order by a.decided_at, a.number`)
}

/** False if there is a row of this number. */
export async function insertApproval(
  tx: Tx,
  { merchantId, id }: Withdrawal,
  { operator, decision, note, number }: Omit<ApprovalRow, 'withdrawalId'>,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into withdrawal_approvals (merchant_id, withdrawal_id, operator, decision, note, decided_at, number)
    values (${merchantId}, ${id}, ${operator}, ${decision}, ${note}, ${at}, ${number}) on conflict do nothing returning 1`)
  return rows.length > 0
}

export type StopRow = { operator: string; reason: string; stoppedAt: Date }

export async function insertStop(
  tx: Tx,
  { merchantId, id }: Withdrawal,
  { operator, reason }: Omit<StopRow, 'stoppedAt'>,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    insert into withdrawal_stops (merchant_id, withdrawal_id, operator, reason, stopped_at)
    values (${merchantId}, ${id}, ${operator}, ${reason}, ${at})`)
}

export async function stopOf(
  db: Queryable,
  { merchantId, id }: Pick<Withdrawal, 'merchantId' | 'id'>,
): Promise<StopRow | undefined> {
  const [row] = await db.query<StopRow>(sql`
    select operator, reason, stopped_at as "stoppedAt" from withdrawal_stops
    where merchant_id = ${merchantId} and withdrawal_id = ${id}`)
  return row
}

/** Erases the notes of people who approved, rejected or stopped it. */
export async function eraseNotes(
  tx: Tx,
  { merchantId, id }: Key,
): Promise<{ withdrawal_approvals: number; withdrawal_stops: number }> {
  const approvals = await tx.query(sql`
    update withdrawal_approvals set note = ${ERASED}
    where merchant_id = ${merchantId} and withdrawal_id = ${id} and note <> ${ERASED} returning 1`)
  const stops = await tx.query(sql`
    update withdrawal_stops set reason = ${ERASED}
    where merchant_id = ${merchantId} and withdrawal_id = ${id} and reason <> ${ERASED} returning 1`)
  return { withdrawal_approvals: approvals.length, withdrawal_stops: stops.length }
}

import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'

// What a line's money was for, as SQL fragments over `bank_lines l`. The trigger `allocate_line` writes the rows from columns of
// `bank_lines`, for as long as the previous version writes only those (decision 0035).

/** One each. Of a line that was divided over several deposits or payouts, the first. */
export const subjectsOfLine = sql`
  (select min(a.subject) from line_allocations a where a.line_id = l.id and a.kind = 'deposit') as "depositId",
  (select min(a.subject) from line_allocations a
    where a.line_id = l.id and a.kind in ('payout', 'payout_return')) as "withdrawalId",
  ${merchantOfLine()} as "merchantId"`

export function merchantOfLine(): Sql {
  return sql`(select min(a.merchant_id) from line_allocations a where a.line_id = l.id)`
}

/** Ids of the lines whose money is held for these deposits or was credited to them. */
export function linesForDeposits(merchantIds: string[], depositIds: string[]): Sql {
  return sql`
    select a.line_id from unnest(${merchantIds}::text[], ${depositIds}::text[]) as wanted (merchant_id, subject)
    join line_allocations a using (subject, merchant_id) where a.kind = 'deposit'`
}

/** Ids of the lines that show the payout's debit or its return. */
export function linesForPayout(withdrawalId: string | null): Sql {
  return sql`
    select a.line_id from line_allocations a where a.subject = ${withdrawalId} and a.kind in ('payout', 'payout_return')`
}

export const partsSql = sql`select a.line_id, a.kind, a.merchant_id, a.amount from line_allocations a`

export const payoutDebitsSql = sql`select a.line_id, a.subject from line_allocations a where a.kind = 'payout'`

export type LinePart = {
  lineId: string
  kind: 'deposit' | 'payout' | 'payout_return' | 'journal'
  subject: string
  merchantId: string
  amount: bigint
}

/** Of a line that a journal entry divides over several deposits or payouts, and itself for the rest: the trigger makes one allocation only. */
export async function allocateParts(tx: Tx, parts: LinePart[], at: Date): Promise<void> {
  await tx.query(sql`
    insert into line_allocations (line_id, kind, subject, merchant_id, amount, allocated_at)
    select n.line_id, n.kind, n.subject, n.merchant_id, n.amount, ${at}::timestamptz
    from ${rowsOf('n', parts, { lineId: 'text', kind: 'text', subject: 'text', merchantId: 'text', amount: 'bigint' })}`)
}

/** What the line with this id was for; itself if nothing. Of several, the first. */
export function matterOfLineSql(lineId: Sql): Sql {
  return sql`coalesce((select min(a.subject) from line_allocations a where a.line_id = ${lineId}), ${lineId})`
}

type Allocation = { lineId: string; subject: string; merchantId: string }

/** Of these lines, and for these subjects. */
export function allocationsAbout(db: Queryable, ids: string[]): Promise<Allocation[]> {
  return db.query<Allocation>(sql`
    select a.line_id as "lineId", a.subject, a.merchant_id as "merchantId"
    from line_allocations a where a.line_id = any(${ids}::text[])
    union
    select a.line_id, a.subject, a.merchant_id from line_allocations a where a.subject = any(${ids}::text[])`)
}

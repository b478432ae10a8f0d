import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'

// What a line's money was for, said once: rows of `line_parts`, and SQL fragments over `bank_lines l` that read them (decision 0061).

/** One each. Of a line that was divided over several deposits or payouts, the first. */
export const subjectsOfLine = sql`
  (select min(p.subject) from line_parts p where p.line_id = l.id and p.kind = 'deposit') as "depositId",
  (select min(p.subject) from line_parts p
    where p.line_id = l.id and p.kind in ('payout', 'payout_return')) as "withdrawalId",
  ${merchantOfLine()} as "merchantId",
  (select min(p.journal_id) from line_parts p where p.line_id = l.id) as "journalId"`

export function merchantOfLine(): Sql {
  return sql`(select min(p.merchant_id) from line_parts p where p.line_id = l.id)`
}

/** Ids of the lines whose money is held for these deposits or was credited to them. */
export function linesForDeposits(merchantIds: string[], depositIds: string[]): Sql {
  return sql`
    select p.line_id from unnest(${merchantIds}::text[], ${depositIds}::text[]) as wanted (merchant_id, subject)
    join line_parts p using (subject, merchant_id) where p.kind = 'deposit'`
}

/** Ids of the lines that show the payout's debit or its return. */
export function linesForPayout(withdrawalId: string | null): Sql {
  return sql`
    select p.line_id from line_parts p where p.subject = ${withdrawalId} and p.kind in ('payout', 'payout_return')`
}

export const partsSql = sql`select p.line_id, p.kind, p.merchant_id, p.amount from line_parts p`

export const payoutDebitsSql = sql`select p.line_id, p.subject from line_parts p where p.kind = 'payout'`

export type LinePart = {
  lineId: string
  kind: 'deposit' | 'payout' | 'payout_return' | 'journal'
  subject: string
  merchantId: string
  amount: bigint
  /** The entry whose reversal opens the line again; null if it is unmatched instead. */
  journalId: string | null
}

const PART = {
  lineId: 'text',
  kind: 'text',
  subject: 'text',
  merchantId: 'text',
  amount: 'bigint',
  journalId: 'text',
} as const

/** All that these lines are for from now on. The caller has locked them. */
export async function replaceParts(tx: Tx, lineIds: string[], parts: LinePart[], at: Date): Promise<void> {
  await tx.query(sql`delete from line_parts p where p.line_id = any(${lineIds}::text[])`)
  if (parts.length === 0) return
  await tx.query(sql`
    insert into line_parts (line_id, kind, subject, merchant_id, amount, journal_id, explained_at)
    select n.*, ${at}::timestamptz from ${rowsOf('n', parts, PART)}`)
}

/** Of `bank_lines l`: a journal entry explains it. */
export const isOfEntry = sql`exists (select from line_parts p where p.line_id = l.id and p.journal_id is not null)`
export const isOfDeposit = sql`exists (select from line_parts p where p.line_id = l.id and p.kind = 'deposit')`
export const isOfTransaction = sql`exists (select from line_parts p where p.line_id = l.id and p.kind <> 'journal')`
export const linesOfEntry = (journalId: string): Sql =>
  sql`select p.line_id from line_parts p where p.journal_id = ${journalId}`

/** What the line with this id was for; itself if nothing. Of several, the first. */
export function matterOfLineSql(lineId: Sql): Sql {
  return sql`coalesce((select min(p.subject) from line_parts p where p.line_id = ${lineId}), ${lineId})`
}

type Part = { lineId: string; subject: string; merchantId: string }

/** Of these lines, and for these subjects. */
export function partsAbout(db: Queryable, ids: string[]): Promise<Part[]> {
  return db.query<Part>(sql`
    select p.line_id as "lineId", p.subject, p.merchant_id as "merchantId"
    from line_parts p where p.line_id = any(${ids}::text[])
    union
    select p.line_id, p.subject, p.merchant_id from line_parts p where p.subject = any(${ids}::text[])`)
}

import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { partsSql } from '../parts/store.ts'
import { idsOfDaySql } from '../day-statements/store.ts'
import { ITS_SOURCE } from '../bank-line.ts'
import type { Finding } from '../files/statement-file.ts'
import { cameInFinal, finalOfDay, selectChecks } from '../files/store.ts'
import type { KeyedLine } from '../store.ts'
import { changeLines, isUnconfirmed, keyedColumns, linesOf, queryLines } from '../store.ts'

/** `lackedBy`: the file of a final statement of its day, which does not contain it. */
export type Unconfirmed = KeyedLine & { lackedBy: string | null }

const counts = sql`${isUnconfirmed} and l.state <> 'dismissed'`

function select(db: Queryable, which: Sql, rest: Sql): Promise<Unconfirmed[]> {
  return queryLines<Unconfirmed>(db, sql`${keyedColumns}, ${finalOfDay} as "lackedBy"`, sql`where ${which} ${rest}`)
}

export function selectAmong(db: Queryable, ids: string[]): Promise<Unconfirmed[]> {
  if (ids.length === 0) return Promise.resolve([])
  return select(db, sql`l.id = any(${ids}::text[]) and ${counts}`, sql`order by l.id`)
}

/** Booked before this time, oldest first. */
export function selectBookedBefore(db: Queryable, before: Date, limit: number): Promise<Unconfirmed[]> {
  return select(db, sql`l.booked_at < ${before} and ${counts}`, sql`order by l.booked_at, l.id limit ${limit}`)
}

/** Lines of this day that a final statement of the day lacks, of all accounts. */
export async function selectLackedOfDay(db: Queryable, day: string, limit: number): Promise<Unconfirmed[]> {
  const which = sql`l.statement_id = any(array(${idsOfDaySql(day)})) and ${counts} and ${finalOfDay} is not null`
  return select(db, which, sql`order by l.id limit ${limit}`)
}

/** Known lines that a final statement of this file contains. The first that does confirms them, or the first after one that lacked them. */
export async function confirmLines(tx: Tx, ids: string[], fileId: string): Promise<void> {
  if (ids.length === 0) return
  await changeLines(tx, sql`set confirmed_by = ${fileId} where l.id = any(${ids}::text[]) and l.confirmed_by is null`)
}

const lackedIn = (checks: Finding[]) => checks.flatMap(({ missing = [] }) => missing)

/** Lines of files that a newer final statement of their day lacks, and lines of the bank for which these stand. A feed shows what the bank has. */
export async function markLacked(tx: Tx, checks: Finding[]): Promise<void> {
  const ids = lackedIn(checks)
  if (ids.length === 0) return
  await changeLines(
    tx,
    sql`set confirmed_by = null where (l.id = any(${ids}::text[]) or l.corrects_line_id = any(${ids}::text[]) and l.state = 'dismissed')
      and l.statement_file_id is not null and not l.shown_by_connection`,
  )
}

/** The import of the file was undone. */
export async function forgetConfirmed(tx: Tx, statementIds: string[], fileId: string): Promise<void> {
  await changeLines(
    tx,
    sql`set confirmed_by = null where l.statement_id = any(${statementIds}::text[]) and l.confirmed_by = ${fileId}`,
  )
}

/** The import of the file with these checks was undone: what it lacked and none of these other files lacks is confirmed by its own source again. */
export async function unmarkLacked(tx: Tx, checks: Finding[], otherFiles: string[]): Promise<void> {
  const ids = lackedIn(checks)
  if (ids.length === 0) return
  const lacked = new Set(lackedIn(await selectChecks(tx, otherFiles)))
  await changeLines(
    tx,
    sql`set confirmed_by = ${ITS_SOURCE} where l.id = any(${ids.filter((id) => !lacked.has(id))}::text[]) and ${cameInFinal}`,
  )
}

/** A line that this file confirms and whose money was sent back. */
export async function selectRefundedBy(tx: Tx, statementIds: string[], fileId: string): Promise<string | undefined> {
  const rows = await queryLines<{ id: string }>(
    tx,
    sql`l.id`,
    sql`where l.statement_id = any(${statementIds}::text[]) and l.confirmed_by = ${fileId}
      and l.state = 'matched' and l.reason = 'refund_unexplained' order by l.id limit 1`,
  )
  return rows[0]?.id
}

export type MerchantMoney = { merchantId: string; currency: string; amount: bigint }

/** What these merchants have by lines that are not confirmed: deposits and returns of payouts. Such lines are few, and have an index. */
export function unconfirmedMoney(db: Queryable, merchantIds: string[]): Promise<MerchantMoney[]> {
  const credits = linesOf(
    sql`l.id, l.currency`,
    sql`where l.confirmed_by is null and l.direction = 'credit' and l.state = 'matched' and ${isUnconfirmed}`,
  )
  return db.query<MerchantMoney>(sql`
    select p.merchant_id as "merchantId", l.currency, sum(p.amount)::bigint as amount
    from (${credits}) as l join (${partsSql}) as p on p.line_id = l.id
    where p.kind in ('deposit', 'payout_return') and p.merchant_id = any(${merchantIds}::text[])
    group by p.merchant_id, l.currency`)
}

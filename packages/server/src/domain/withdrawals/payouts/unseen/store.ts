import type { Queryable } from '../../../../platform/postgres/db.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import type { LineTotal } from '../../../statements/index.ts'
import { hasCreditOfSql } from '../../../statements/index.ts'
import type { Payout } from '../payout.ts'
import { NEVER_PAID, PAID_WITHOUT_DEBIT } from '../payout.ts'
import { holdsOpinionSql } from '../doubt-decisions/store.ts'
import { isByHand, payoutTotals, queryPayouts, selectPayouts } from '../store.ts'

/** `accountIds`: accounts on which payouts sent by hand are checked. */
export type Overdue = { before: Date; accountIds: string[] }

const withoutDebit = ({ before, accountIds }: Overdue) => sql`
  p.state in ('sent', 'returned') and p.debit_line_id is null and p.updated_at < ${before}
  and p.reason is distinct from ${NEVER_PAID} and p.reason is distinct from ${PAID_WITHOUT_DEBIT}
  and (not ${isByHand} or p.source_account_id = any(${accountIds}::text[]))`

/** Returned on the bank's word, and no credit belongs to it or names it. One less costs is in suspense and reported there. */
const withoutCredit = (before: Date) => sql`
  p.state = 'returned' and p.credit_line_id is null and p.updated_at < ${before} and p.reason is distinct from ${NEVER_PAID}
  and not ${hasCreditOfSql(sql`p.withdrawal_id`)}`

/** The first condition is that of an index. */
const isUnknown = sql`p.state in ('ready', 'calling', 'asking') and p.state = 'asking'`
/** As `unknownSince`. */
const unknownSinceSql = sql`coalesce(p.unknown_since, p.created_at)`

/** Since when the oldest outcome is unknown: over a bank connection, and sent by hand. */
export async function oldestUnknown(db: Queryable): Promise<{ bank: Date | null; manual: Date | null }> {
  const [row] = await queryPayouts<{ bank: Date | null; manual: Date | null }>(
    db,
    sql`min(${unknownSinceSql}) filter (where not ${isByHand}) as bank,
      min(${unknownSinceSql}) filter (where ${isByHand}) as manual`,
    sql`where ${isUnknown}`,
  )
  return row ?? { bank: null, manual: null }
}

/** A person has to send it, and nothing suggests that its money has left. */
const isToSend = sql`${isByHand} and p.reason is null`

/** Whose outcome is unknown, without those that wait for a person to send them. Oldest first. */
export function listInDoubt(db: Queryable, limit: number): Promise<Payout[]> {
  return selectPayouts(db, sql`${isUnknown} and not (${isToSend}) order by ${unknownSinceSql}`, limit)
}

/** To be sent by hand, oldest first. */
export function listToSend(db: Queryable, limit: number): Promise<Payout[]> {
  return selectPayouts(db, sql`${isUnknown} and ${isToSend} order by ${unknownSinceSql}`, limit)
}

/** `oldest`: since when the outcome is unknown. */
export function sumUnknown(db: Queryable): Promise<LineTotal[]> {
  return payoutTotals(db, isUnknown, unknownSinceSql)
}

/** As `listInDoubt`. */
export function sumInDoubt(db: Queryable): Promise<LineTotal[]> {
  return payoutTotals(db, sql`${isUnknown} and not (${isToSend})`, unknownSinceSql)
}

/** As `listToSend`. */
export function sumToSend(db: Queryable): Promise<LineTotal[]> {
  return payoutTotals(db, sql`${isUnknown} and ${isToSend}`, unknownSinceSql)
}

/** About which someone has said something that others have not agreed to: they wait for people. */
export function sumWithOpinions(db: Queryable): Promise<LineTotal[]> {
  return payoutTotals(db, sql`${isUnknown} and ${holdsOpinionSql}`, unknownSinceSql)
}

/** To be sent, or being sent. */
export function sumUnsent(db: Queryable): Promise<LineTotal[]> {
  return payoutTotals(db, sql`p.state in ('ready', 'calling', 'asking') and p.state <> 'asking'`)
}

export function sumWithoutDebit(db: Queryable, overdue: Overdue): Promise<LineTotal[]> {
  return payoutTotals(db, withoutDebit(overdue))
}

export function sumWithoutCredit(db: Queryable, before: Date): Promise<LineTotal[]> {
  return payoutTotals(db, withoutCredit(before))
}

export function selectWithoutDebit(db: Queryable, overdue: Overdue, limit: number): Promise<Payout[]> {
  return selectPayouts(db, sql`${withoutDebit(overdue)} order by p.updated_at`, limit)
}

export function selectWithoutCredit(db: Queryable, before: Date, limit: number): Promise<Payout[]> {
  return selectPayouts(db, sql`${withoutCredit(before)} order by p.updated_at`, limit)
}

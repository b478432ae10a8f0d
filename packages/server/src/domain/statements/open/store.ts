import type { Queryable } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { LineTotal, StoredLine } from '../bank-line.ts'
import { linesOf, needsReview, queryLines, selectLines, totalsOf } from '../store.ts'

/** `after`: the id of the last line of the page before; it may be decided by now. Null: any. */
export type Wanted = { accountId: string | null; amount: bigint | null; after: string }

const isWanted = ({ accountId, amount, after }: Wanted) => sql`
  ${after === '' ? sql`true` : sql`(l.booked_at, l.id) > (${bookedAtOf(after)}, ${after})`} and (${accountId}::text is null or l.collecting_account_id = ${accountId}) ${amount === null ? sql`` : sql`and l.amount = ${amount}`}`

const bookedAtOf = (id: string) => sql`(${linesOf(sql`l.booked_at`, sql`where l.id = ${id}`)})`

const inSuspense = (wanted: Wanted) => sql`where l.state = 'suspense' and ${isWanted(wanted)}`

/** Money in suspense, what was booked first on top. */
export function pageOfSuspense(db: Queryable, wanted: Wanted, limit: number): Promise<StoredLine[]> {
  return selectLines(db, sql`${inSuspense(wanted)} order by l.booked_at, l.id limit ${limit}`)
}

/** How many, up to this. */
export async function countSuspense(db: Queryable, wanted: Wanted, most: number): Promise<number> {
  return (await queryLines(db, sql`1`, sql`${inSuspense(wanted)} limit ${most}`)).length
}

/** Money that arrived and is not attributed, or is held for a deposit until a person decides. */
export function suspenseTotals(db: Queryable): Promise<LineTotal[]> {
  return totalsOf(db, sql`l.state = 'suspense'`)
}

/** Lines that need review: money that left, booked as unexplained, or that may have arrived, not booked. */
export function reviewTotals(db: Queryable, direction: 'credit' | 'debit'): Promise<LineTotal[]> {
  return totalsOf(db, sql`${needsReview} and l.direction = ${direction}`)
}

type Direction = StoredLine['direction']

const inReview = (direction: Direction, wanted: Wanted) =>
  sql`where ${needsReview} and l.direction = ${direction} and ${isWanted(wanted)}`

/** How many, up to this. */
export async function countReview(db: Queryable, direction: Direction, wanted: Wanted, most: number): Promise<number> {
  return (await queryLines(db, sql`1`, sql`${inReview(direction, wanted)} limit ${most}`)).length
}

/** Lines that need review, what was booked first on top. */
export function pageOfReview(
  db: Queryable,
  direction: Direction,
  wanted: Wanted,
  limit: number,
): Promise<StoredLine[]> {
  return selectLines(db, sql`${inReview(direction, wanted)} order by l.booked_at, l.id limit ${limit}`)
}

/** Lines that were read and not matched yet. */
export async function countToMatch(db: Queryable): Promise<{ count: number; oldest: Date | null }> {
  const wanted = sql`count(*)::int as count, min(l.created_at) as oldest`
  const [row] = await queryLines<{ count: number; oldest: Date | null }>(db, wanted, sql`where l.state = 'new'`)
  return row ?? { count: 0, oldest: null }
}

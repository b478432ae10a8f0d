import type { Queryable } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { StoredLine } from '../bank-line.ts'
import { needsReview, selectLines } from '../store.ts'

/** `after`: the id of the last line of the page before. Null: any. */
export type Wanted = { accountId: string | null; amount: bigint | null; after: string }

const isWanted = ({ accountId, amount, after }: Wanted) => sql`
  l.id > ${after} and (${accountId}::text is null or l.collecting_account_id = ${accountId})
  and (${amount}::bigint is null or l.amount = ${amount})`

/** Money in suspense, in the order in which it was read. */
export function pageOfSuspense(db: Queryable, wanted: Wanted, limit: number): Promise<StoredLine[]> {
  return selectLines(db, sql`where l.state = 'suspense' and ${isWanted(wanted)} order by l.id limit ${limit}`)
}

/** How many lines wait for a person, and a sum that changes with any of them. */
export async function stateOfOpen(db: Queryable): Promise<{ count: number; sum: string }> {
  const [row] = await db.query<{ count: number; sum: string }>(sql`
    select count(*)::int as count, coalesce(sum(hashtextextended(concat_ws(' ', l.id, l.state, l.reason), 0)), 0)::text as sum
    from bank_lines l where l.state = 'suspense' or ${needsReview}`)
  return row ?? { count: 0, sum: '0' }
}

/** Lines that need review, in the order in which they were read. */
export function pageOfReview(
  db: Queryable,
  direction: StoredLine['direction'],
  wanted: Wanted,
  limit: number,
): Promise<StoredLine[]> {
  return selectLines(
    db,
    sql`where ${needsReview} and l.direction = ${direction} and ${isWanted(wanted)} order by l.id limit ${limit}`,
  )
}

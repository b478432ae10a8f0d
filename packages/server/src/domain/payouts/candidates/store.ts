import type { Queryable } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Payout } from '../payout.ts'
import { selectPayouts } from '../store.ts'

/** Newest first. */
export function payoutsOfAmount(db: Queryable, amount: bigint, from: Date, to: Date, limit: number): Promise<Payout[]> {
  const which = sql`p.amount = ${amount} and p.created_at between ${from} and ${to}`
  return selectPayouts(db, sql`${which} order by p.created_at desc`, limit)
}

import type { Queryable } from '../../../../platform/postgres/db.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import type { PayoutState } from '../payout.ts'
import { queryPayouts } from '../store.ts'

export type PayoutOutcome = { sourceAccountId: string; state: PayoutState; count: number }

/** What became of the payouts of this time, by the account that they leave. */
export function payoutOutcomes(db: Queryable, from: Date, to: Date): Promise<PayoutOutcome[]> {
  return queryPayouts<PayoutOutcome>(
    db,
    sql`p.source_account_id as "sourceAccountId", p.state, count(*)::int as count`,
    sql`where p.created_at >= ${from} and p.created_at < ${to} group by p.source_account_id, p.state`,
  )
}

import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { ERASED } from '../../../kernel/erased.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Payout } from '../payout.ts'

export type DoubtRow = {
  operator: string
  verdict: 'found' | 'not_found' | 'never_paid' | 'paid'
  evidence: string
}
/** `submits`: about which sending. */
export type DoubtDecision = DoubtRow & { submits: number; decidedAt: Date }

export async function insertDoubtDecision(
  tx: Tx,
  { merchantId, withdrawalId, submits }: Payout,
  row: DoubtRow,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    insert into doubt_decisions (merchant_id, withdrawal_id, submits, operator, verdict, evidence, decided_at)
    values (${merchantId}, ${withdrawalId}, ${submits}, ${row.operator}, ${row.verdict}, ${row.evidence}, ${at})
    on conflict do nothing`)
}

export function selectDoubtDecisions(db: Queryable, { merchantId, withdrawalId }: Payout): Promise<DoubtDecision[]> {
  return db.query<DoubtDecision>(sql`
    select operator, verdict, evidence, submits, decided_at as "decidedAt" from doubt_decisions
    where merchant_id = ${merchantId} and withdrawal_id = ${withdrawalId} order by decided_at, operator`)
}

/** Returns the number of changed rows. */
export async function eraseEvidence(tx: Tx, merchantId: string, withdrawalId: string): Promise<number> {
  const rows = await tx.query(sql`
    update doubt_decisions set evidence = ${ERASED}
    where merchant_id = ${merchantId} and withdrawal_id = ${withdrawalId} and evidence <> ${ERASED} returning 1`)
  return rows.length
}

import type { Queryable, Tx } from '../../../../platform/postgres/db.ts'
import { ERASED } from '../../../../kernel/erased.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import type { Payout } from '../payout.ts'

type Verdict = 'found' | 'not_found' | 'never_paid' | 'paid'

/** `withdrawn`: the person takes back what it said before; `evidence` says why. */
export type DoubtRow = { operator: string; verdict: Verdict | 'withdrawn'; evidence: string }
/** `submits`: about which sending. */
export type DoubtDecision = DoubtRow & { submits: number; number: number; decidedAt: Date }

/** False if there is such a row. */
export async function insertDoubtDecision(
  tx: Tx,
  { merchantId, withdrawalId, submits }: Payout,
  { operator, verdict, evidence, number }: DoubtRow & { number: number },
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into doubt_decisions (merchant_id, withdrawal_id, submits, operator, verdict, evidence, decided_at, number)
    values (${merchantId}, ${withdrawalId}, ${submits}, ${operator}, ${verdict}, ${evidence}, ${at}, ${number})
    on conflict do nothing returning 1`)
  return rows.length > 0
}

/** Oldest first. */
export function selectDoubtDecisions(
  db: Queryable,
  { merchantId, withdrawalId }: Pick<Payout, 'merchantId' | 'withdrawalId'>,
): Promise<DoubtDecision[]> {
  return db.query<DoubtDecision>(sql`
    select operator, verdict, evidence, submits, number, decided_at as "decidedAt" from doubt_decisions
    where merchant_id = ${merchantId} and withdrawal_id = ${withdrawalId} order by number, decided_at, operator`)
}

/** Whether someone's newest word about the current sending of payout `p` is an opinion. Counted, so that it is looked up by payout. */
export const holdsOpinionSql = sql`(
  select count(*) from (
    select distinct on (d.operator) d.verdict from doubt_decisions d
    where d.merchant_id = p.merchant_id and d.withdrawal_id = p.withdrawal_id and d.submits = p.submits
    order by d.operator, d.number desc, d.decided_at desc
  ) as newest where newest.verdict <> 'withdrawn'
) > 0`

/** Withdrawals that someone found at the bank under this reference. */
export async function foundUnder(db: Queryable, reference: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ withdrawalId: string }>(sql`
    select distinct d.withdrawal_id as "withdrawalId" from doubt_decisions d
    where d.verdict = 'found' and d.evidence = ${reference} limit ${limit}`)
  return rows.map(({ withdrawalId }) => withdrawalId)
}

/** Returns the number of changed rows. */
export async function eraseEvidence(tx: Tx, merchantId: string, withdrawalId: string): Promise<number> {
  const rows = await tx.query(sql`
    update doubt_decisions set evidence = ${ERASED}
    where merchant_id = ${merchantId} and withdrawal_id = ${withdrawalId} and evidence <> ${ERASED} returning 1`)
  return rows.length
}

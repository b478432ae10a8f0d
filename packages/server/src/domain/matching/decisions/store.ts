import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'

export type DecisionRow = {
  lineId: string
  verdict: string
  why: string
  merchantId: string | null
  depositId: string | null
  score: number | null
  reasons: object[]
  suggestions: object[]
  decidedBy: string
}

export async function insertDecisions(tx: Tx, decisions: DecisionRow[], at: Date): Promise<void> {
  await tx.query(sql`
    insert into match_decisions (
      line_id, number, verdict, why, merchant_id, deposit_id, score, reasons, suggestions, decided_by, decided_at
    )
    select n.line_id, (select count(*) + 1 from match_decisions m where m.line_id = n.line_id), n.verdict, n.why,
      n.merchant_id, n.deposit_id, n.score, n.reasons, n.suggestions, n.decided_by, ${at}
    from unnest(
      ${decisions.map(({ lineId }) => lineId)}::text[],
      ${decisions.map(({ verdict }) => verdict)}::text[],
      ${decisions.map(({ why }) => why)}::text[],
      ${decisions.map(({ merchantId }) => merchantId)}::text[],
      ${decisions.map(({ depositId }) => depositId)}::text[],
      ${decisions.map(({ score }) => score)}::int[],
      ${decisions.map(({ reasons }) => JSON.stringify(reasons))}::json[],
      ${decisions.map(({ suggestions }) => JSON.stringify(suggestions))}::json[],
      ${decisions.map(({ decidedBy }) => decidedBy)}::text[]
    ) as n (line_id, verdict, why, merchant_id, deposit_id, score, reasons, suggestions, decided_by)`)
}

type Decided = DecisionRow & { number: number; decidedAt: Date }

export function decisionsOf(db: Queryable, lineIds: string[]): Promise<Decided[]> {
  return db.query<Decided>(sql`
    select line_id as "lineId", number, case verdict when 'queue' then 'needs_review' else verdict end as verdict, why,
      merchant_id as "merchantId", deposit_id as "depositId", score,
      reasons, suggestions, decided_by as "decidedBy", decided_at as "decidedAt"
    from match_decisions where line_id = any(${lineIds}::text[]) order by line_id, number`)
}

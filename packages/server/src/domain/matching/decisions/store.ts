import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { actorName, MATCHER, RULES } from '../../../kernel/actor.ts'
import type { LineReason, LineVerdict } from '../../statements/index.ts'
import { linesOfDaySql } from '../../statements/index.ts'

export type DecisionRow = {
  lineId: string
  verdict: LineVerdict
  /** With `journal_` the kind of the entry that was posted. */
  why: LineReason | `journal_${string}`
  merchantId: string | null
  depositId: string | null
  reasons: object[]
  /** The deposit that was paid before, of a second payment. */
  suggestions?: { depositId: string }[]
  decidedBy: string
}

export async function insertDecisions(tx: Tx, decisions: DecisionRow[], at: Date): Promise<void> {
  await tx.query(sql`
    insert into match_decisions (
      line_id, number, verdict, why, merchant_id, deposit_id, reasons, suggestions, decided_by, decided_at
    )
    select n.line_id, (select count(*) + 1 from match_decisions m where m.line_id = n.line_id), n.verdict, n.why,
      n.merchant_id, n.deposit_id, n.reasons, n.suggestions, n.decided_by, ${at}
    from unnest(
      ${decisions.map(({ lineId }) => lineId)}::text[],
      ${decisions.map(({ verdict }) => verdict)}::text[],
      ${decisions.map(({ why }) => why)}::text[],
      ${decisions.map(({ merchantId }) => merchantId)}::text[],
      ${decisions.map(({ depositId }) => depositId)}::text[],
      ${decisions.map(({ reasons }) => JSON.stringify(reasons))}::json[],
      ${decisions.map(({ suggestions = [] }) => JSON.stringify(suggestions))}::json[],
      ${decisions.map(({ decidedBy }) => decidedBy)}::text[]
    ) as n (line_id, verdict, why, merchant_id, deposit_id, reasons, suggestions, decided_by)`)
}

type Decided = DecisionRow & { number: number; decidedAt: Date }

const columns = sql`
  d.line_id as "lineId", d.number, d.verdict, d.why,
  d.merchant_id as "merchantId", d.deposit_id as "depositId", d.reasons, d.suggestions,
  d.decided_by as "decidedBy", d.decided_at as "decidedAt"`

export function decisionsOf(db: Queryable, lineIds: string[]): Promise<Decided[]> {
  return db.query<Decided>(sql`
    select ${columns} from match_decisions d where d.line_id = any(${lineIds}::text[]) order by d.line_id, d.number`)
}

/** Lines that paid this deposit when it was completed already. */
export async function secondPaymentsOf(db: Queryable, depositId: string): Promise<string[]> {
  const rows = await db.query<{ lineId: string }>(sql`
    select distinct line_id as "lineId" from match_decisions
    where why = 'duplicate' and suggestions -> 0 ->> 'depositId' = ${depositId}`)
  return rows.map(({ lineId }) => lineId)
}

/** Bank lines of an hour in Istanbul, or of a whole day: money, and how many lines became what. */
export type LineFigures = {
  /** Null: of the day. */
  hour: number | null
  credits: bigint
  debits: bigint
  /** Matched without a person, and by people. */
  automatic: number
  byHand: number
  suspense: number
  review: number
  /** Not judged yet. */
  waiting: number
  /** From booking to match, of credits whose bank gave a time: half, nine tenths and 99 of 100 took no longer. */
  secondsToMatch: [p50: number, p90: number, p99: number] | null
}

/** The hours of one day that have lines, and the day. What may be a correction of another line is no money until a person says so, nor is a transfer between our own accounts. One day at a time: the connection of reports is free in between. */
export function figuresOfDay(db: Queryable, day: string, currency: string): Promise<LineFigures[]> {
  return db.query<LineFigures>(sql`
    select f.hour, coalesce(sum(f.amount) filter (where f.direction = 'credit' and f.counts), 0)::bigint as credits,
      coalesce(sum(f.amount) filter (where f.direction = 'debit' and f.counts), 0)::bigint as debits,
      (count(*) filter (where f.state = 'matched' and f.automatic))::int as automatic,
      (count(*) filter (where f.state = 'matched' and not f.automatic))::int as "byHand",
      (count(*) filter (where f.state = 'suspense'))::int as suspense,
      (count(*) filter (where f.state = 'needs_review'))::int as review,
      (count(*) filter (where f.state = 'new'))::int as waiting,
      percentile_cont(array[0.5, 0.9, 0.99]) within group (order by f.seconds)
        filter (where f.direction = 'credit' and f.state = 'matched' and not f.whole_day) as "secondsToMatch"
    from (
      select l.amount, l.direction, l.state, l.whole_day,
        not (l.state = 'needs_review' and l.reason is not distinct from 'suspected_correction')
          and m.why is distinct from 'journal_own_transfer' as counts,
        extract(hour from l.booked_at at time zone 'Europe/Istanbul')::int as hour,
        coalesce(m.decided_by = any(${[MATCHER, RULES].map(actorName)}::text[]), not l.of_entry) as automatic,
        greatest(extract(epoch from l.decided_at - l.booked_at), 0)::float8 as seconds
      from (${linesOfDaySql(day, currency)}) as l
      left join lateral (
        select d.decided_by, d.why from match_decisions d where d.line_id = l.id order by d.number desc limit 1
      ) as m on true
    ) as f
    group by grouping sets ((f.hour), ()) order by f.hour nulls last`)
}

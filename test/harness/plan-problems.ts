import type pg from 'pg'
import type { Recorded } from './record-statements.ts'

/** One node of a plan from `explain (format json)`. */
type Step = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string | undefined
  Plans?: Step[]
}

/** Tables that grow with transactions. The others grow with merchants, banks, accounts and people. */
const GROWING =
  /^(deposits|withdrawals|\w+_history|events|deliveries|delivery_attempts|bank_lines|line_parts|statements|match_decisions|unread_lines|transfers|holds|payouts|payout_calls|doubt_decisions|withdrawal_(approvals|stops)|spent_requests|audit_entries)$/

/** Partial indexes, which hold only a few rows of their table. */
export async function partialIndexes(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index where indpred is not null`,
  )
  return new Set(rows.map(({ name }) => name))
}

/** Nodes of a statement's generic plan, with the settings of the pool that sends it. */
export async function planSteps(client: pg.Client, { text, off }: Recorded): Promise<Step[]> {
  for (const setting of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_bitmapscan'])
    await client.query(`set ${setting} = ${off.includes(setting) ? 'off' : 'on'}`)
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Step }[] }>(`explain (generic_plan, format json) ${text}`)
  return allSteps(rows[0]?.['QUERY PLAN'][0]?.Plan as Step)
}

function allSteps(step: Step): Step[] {
  return [step, ...(step.Plans ?? []).flatMap(allSteps)]
}

/** Nodes whose cost grows with the data: all of a table, all of an index, or all rows of a merchant. */
export function problemsOf(steps: Step[], partial: Set<string>): string[] {
  return steps.flatMap((step) => {
    if (step['Node Type'] === 'Limit') return sortedForPage(step, partial)
    if (!GROWING.test(step['Relation Name'] ?? '')) return []
    if (step['Node Type'] === 'Seq Scan') return `reads all of ${step['Relation Name']}`
    // The filter of a bitmap scan is on its table node, not on its index nodes.
    const scans = step['Node Type'] === 'Bitmap Heap Scan' ? allSteps(step).slice(1) : [step]
    return scans.flatMap((scan) => tooMuchOf({ ...scan, Filter: step.Filter }, partial) ?? [])
  })
}

/** A limit that applies only after reading and sorting all rows. */
function sortedForPage({ Plans: [sort] = [] }: Step, partial: Set<string>): string[] {
  const [scan] = sort?.['Node Type'] === 'Sort' ? (sort.Plans ?? []) : []
  if (!scan || !GROWING.test(scan['Relation Name'] ?? '')) return []
  return allSteps(scan).flatMap((step) => tooMuchOf({ ...step, Filter: 'a page' }, partial) ?? [])
}

function tooMuchOf({ 'Index Name': index, 'Index Cond': condition, Filter: filter }: Step, partial: Set<string>) {
  if (index === undefined || partial.has(index) || filter === undefined) return null
  if (condition === undefined) return `reads all of ${index} for ${filter}`
  const columns = [...condition.matchAll(/(\w+)"? (?:=|@@) /g)].map(([, column]) => column)
  return columns.some((column) => column !== 'merchant_id') ? null : `reads ${index} where ${condition} for ${filter}`
}

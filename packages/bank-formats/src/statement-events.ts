import type { BankProfile } from './bank-profile.ts'
import { fileProblem, moneyOf } from './file-problems.ts'
import type { FileProblem, FileProblems } from './file-problems.ts'
import { claimedAmount } from './labelled-values.ts'
import { inOrder } from './order-entries.ts'
import { addProblems, listOf, noProblems } from './problems.ts'
import type { SheetRow } from './sheet-row.ts'
import { newTable, tableEntries } from './statement-table.ts'
import type { Table } from './statement-table.ts'
import type { Balance, Position, StatementEvent, StatementFoot, StatementHead } from './statement.ts'
import type { Entry } from './transaction-row.ts'

/** A table of one account as a statement. Where balances, totals and lines do not agree, the foot has a problem. */
export async function* statementEvents(
  rows: AsyncIterable<SheetRow>,
  profile: BankProfile,
  format: StatementHead['format'],
): AsyncGenerator<StatementEvent> {
  const table = newTable(profile)
  const claimed = (which: 'opening' | 'closing') => {
    const claim = table.metadata[which]
    return claim && claimedAmount(claim, table.currency, profile)
  }
  const foot: StatementFoot = { closing: null, lines: 0, credits: 0n, debits: 0n, problems: [] }
  const problems = noProblems()
  let opening: Balance | null = null
  let last: Entry | null = null
  for await (const entry of inOrder(tableEntries(rows, profile, table), () => claimed('opening'))) {
    if (last) addProblems(problems, ...followProblems(last, entry))
    else {
      opening = openingOf(entry, claimed('opening'))
      yield { kind: 'head', head: headOf(table, format, opening) }
    }
    count(foot, entry)
    yield { kind: 'line', line: entry.line }
    last = entry
  }
  if (!last) {
    const { from, to } = table.metadata
    opening = balance(claimed('opening'), table.currency, from ?? to)
    yield { kind: 'head', head: headOf(table, format, opening) }
  }
  foot.closing = closingOf(table, opening, last, claimed('closing'))
  const claims = { opening: claimed('opening'), closing: claimed('closing') }
  addProblems(problems, ...claimProblems(table, foot, opening, claims))
  foot.problems = listOf(problems)
  yield { kind: 'foot', foot }
}

function headOf(table: Table, format: StatementHead['format'], opening: Balance | null): StatementHead {
  const { iban, account, from, to } = table.metadata
  const number = account ?? table.account
  return { format, id: null, account: { iban, number, currency: table.currency }, from, to, opening }
}

const balance = (amount: bigint | null, currency: string, on: string | null): Balance | null =>
  amount === null || on === null ? null : { amount, currency, on }

function openingOf({ line, change }: Entry, claimed: bigint | null): Balance | null {
  return balance(line.balance === null ? claimed : line.balance - change, line.currency, line.bookedOn)
}

function closingOf(table: Table, opening: Balance | null, last: Entry | null, claimed: bigint | null): Balance | null {
  const { from, to } = table.metadata
  if (!last) return balance(claimed ?? opening?.amount ?? null, table.currency, to ?? from)
  return balance(last.line.balance ?? claimed, table.currency, last.line.bookedOn)
}

function count(foot: StatementFoot, { line, change }: Entry): void {
  foot.lines++
  if (change < 0n) foot.debits += line.amount
  else foot.credits += line.amount
}

function followProblems({ line: before }: Entry, { line, change }: Entry): FileProblem[] {
  if (before.balance === null || line.balance === null || before.balance + change === line.balance) return []
  const of = (amount: bigint) => moneyOf(amount, line.currency)
  const start = { before: of(before.balance), beforeLine: before.position.line, change: of(change) }
  const facts = { found: of(line.balance), expected: of(before.balance + change), ...start }
  return [fileProblem(line.position, 'balance_differs', facts)]
}

type Claims = { opening: bigint | null; closing: bigint | null }

type Compared = FileProblems['opening_differs']

/** What rows around the lines say, compared with the lines. */
function claimProblems(table: Table, foot: StatementFoot, opening: Balance | null, claims: Claims): FileProblem[] {
  const { metadata, totals, currency } = table
  const compare = (
    found: bigint | null,
    expected: bigint | null,
    position: Position | undefined,
    problem: (at: Position, facts: Compared) => FileProblem,
  ) => {
    if (found === null || expected === null || found === expected || !position) return []
    return [problem(position, { found: moneyOf(found, currency), expected: moneyOf(expected, currency) })]
  }
  const ofSum = (of: 'debit' | 'credit') => (at: Position, facts: Compared) =>
    fileProblem(at, 'sum_differs', { field: null, of, ...facts })
  const lead = opening ? opening.amount + foot.credits - foot.debits : (foot.closing?.amount ?? null)
  return [
    ...compare(claims.opening, opening?.amount ?? null, metadata.opening?.position, (at, facts) =>
      fileProblem(at, 'opening_differs', facts),
    ),
    ...compare(claims.closing, lead, metadata.closing?.position, (at, facts) =>
      fileProblem(at, 'closing_differs', facts),
    ),
    ...compare(totals?.debit ?? null, foot.debits, totals?.position, ofSum('debit')),
    ...compare(totals?.credit ?? null, foot.credits, totals?.position, ofSum('credit')),
  ]
}

import { BankFileError } from './bank-file-error.ts'
import type { BankProfile } from './bank-profile.ts'
import { claimedAmount } from './labelled-values.ts'
import { minorDigits } from './minor-units.ts'
import { inOrder } from './order-entries.ts'
import type { SheetRow } from './sheet-row.ts'
import { newTable, tableEntries } from './statement-table.ts'
import type { Table } from './statement-table.ts'
import type { Balance, Position, StatementEvent, StatementFoot, StatementHead } from './statement.ts'
import type { Entry } from './transaction-row.ts'

/** A table of one account as a statement. Balances, totals and lines must agree, or the file is wrong. */
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
  const foot: StatementFoot = { closing: null, lines: 0, credits: 0n, debits: 0n }
  let opening: Balance | null = null
  let last: Entry | null = null
  for await (const entry of inOrder(tableEntries(rows, profile, table), () => claimed('opening'))) {
    if (last) assertFollows(last, entry)
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
  assertClaims(table, foot, opening, { opening: claimed('opening'), closing: claimed('closing') })
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

function assertFollows({ line: before }: Entry, { line, change }: Entry): void {
  if (before.balance === null || line.balance === null || before.balance + change === line.balance) return
  const show = (amount: bigint) => decimal(amount, line.currency)
  throw new BankFileError(
    line.position,
    `the balance is ${show(line.balance)}; expected ${show(before.balance + change)}, ` +
      `from ${show(before.balance)} on line ${before.position.line} and ${show(change)} here: is a line missing?`,
  )
}

type Claims = { opening: bigint | null; closing: bigint | null }

/** What rows around the lines say, compared with the lines. */
function assertClaims(table: Table, foot: StatementFoot, opening: Balance | null, claims: Claims): void {
  const { metadata, totals, currency } = table
  const assertEqual = (what: string, found: bigint | null, expected: bigint | null, position?: Position) => {
    if (found === null || expected === null || found === expected || !position) return
    const [a, b] = [decimal(found, currency), decimal(expected, currency)]
    throw new BankFileError(position, `the ${what} is ${a}; expected ${b} by the lines of the file: is a line missing?`)
  }
  assertEqual('opening balance', claims.opening, opening?.amount ?? null, metadata.opening?.position)
  const change = foot.credits - foot.debits
  const closing = foot.closing?.amount ?? null
  assertEqual(
    'closing balance',
    claims.closing,
    opening ? opening.amount + change : closing,
    metadata.closing?.position,
  )
  assertEqual('sum of debits', totals?.debit ?? null, foot.debits, totals?.position)
  assertEqual('sum of credits', totals?.credit ?? null, foot.credits, totals?.position)
}

/** For messages: 1234.56. */
function decimal(amount: bigint, currency: string): string {
  const digits = minorDigits(currency)
  const text = String(amount < 0n ? -amount : amount).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${amount < 0n ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`
}

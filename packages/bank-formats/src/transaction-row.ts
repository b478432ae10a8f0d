import { excerpt, fileError } from './file-problems.ts'
import type { BankProfile, ColumnRole } from './bank-profile.ts'
import { foldedLabels, foldLabel } from './fold-text.ts'
import type { Header } from './header-row.ts'
import { timeOf } from './iso-date.ts'
import { DAY_FORMS, readAmount, readCurrency, readDate, readIban } from './read-cells.ts'
import type { SignedAmount } from './read-cells.ts'
import { findSender } from './sender-rules.ts'
import { EMPTY_CELL } from './sheet-row.ts'
import type { Cell, SheetRow } from './sheet-row.ts'
import type { Position, StatementLine } from './statement.ts'

/** A line and what decides its place among the others. */
export type Entry = {
  line: StatementLine
  /** What the line adds to the balance. */
  change: bigint
  time: string | null
  account: string | null
  iban: string | null
  /** Characters of the row, to bound what is held in memory. */
  size: number
}

/** A row, by the names of its columns. */
export function columnsOf(row: SheetRow, header: Header) {
  const cellOf = (role: ColumnRole): Cell => row.cells[header.at[role] ?? -1] ?? EMPTY_CELL
  const positionOf = (role: ColumnRole): Position => ({ ...row.position, column: (header.at[role] ?? 0) + 1 })
  return { cellOf, positionOf, textOf: (role: ColumnRole) => cellOf(role).text }
}

/** `currency` is that of the account. The row's date has been found to be one. */
export function readEntry(row: SheetRow, header: Header, profile: BankProfile, currency: string): Entry {
  const { cellOf, positionOf, textOf } = columnsOf(row, header)
  const booked = readDate(cellOf('date'), profile.dates, positionOf('date'))
  if (!booked) throw notDate(textOf('date'), positionOf('date'), profile)
  if (textOf('currency') !== '') {
    const own = readCurrency(textOf('currency'), positionOf('currency'))
    if (own !== currency)
      throw fileError(positionOf('currency'), 'currency_differs', { found: own, expected: currency })
  }
  const { direction, amount } = readMoney(row, header, profile, currency)
  const narrative = textOf('description')
  const isCredit = direction === 'credit'
  const found = isCredit ? findSender(narrative, profile.sender) : { name: null, iban: null }
  const given = (other: ColumnRole, sender: ColumnRole) => textOf(other) || (isCredit ? textOf(sender) : '')
  const line: StatementLine = {
    position: row.position,
    direction,
    amount,
    currency,
    bookedOn: booked.date,
    bookedAt: booked.time === null ? null : timeOf(`${booked.date}T${booked.time}`, positionOf('date')),
    valueOn: readValueDate(row, header, profile),
    status: 'booked',
    reversal: false,
    returned: null,
    bankReference: textOf('reference') || null,
    endToEndReference: null,
    counterpartyName: given('counterpartyName', 'senderName') || found.name,
    counterpartyIban: readIban(given('counterpartyIban', 'senderIban')) ?? found.iban,
    narrative,
    balance: readBalance(row, header, profile, currency),
    batch: null,
  }
  const size = row.cells.reduce((sum, cell) => sum + cell.text.length + 1, 0)
  const account = textOf('account') || null
  const iban = readIban(textOf('iban'))
  return { line, change: isCredit ? amount : -amount, time: booked.time, account, iban, size }
}

const notDate = (text: string, position: Position, { dates }: BankProfile) =>
  fileError(position, 'value_not_date', { text: excerpt(text), forms: dates.map((form) => DAY_FORMS[form]) })

function readValueDate(row: SheetRow, header: Header, profile: BankProfile): string | null {
  const { cellOf, positionOf, textOf } = columnsOf(row, header)
  const read = readDate(cellOf('valueDate'), profile.dates, positionOf('valueDate'))
  if (read === null && textOf('valueDate') !== '') throw notDate(textOf('valueDate'), positionOf('valueDate'), profile)
  return read?.date ?? null
}

function readBalance(row: SheetRow, header: Header, profile: BankProfile, currency: string): bigint | null {
  if (header.at.balance === undefined) return null
  const read = amountOf('balance', row, header, profile, currency)
  if (!read) throw fileError(columnsOf(row, header).positionOf('balance'), 'value_missing', { value: 'balance' })
  return read.sign === '-' ? -read.amount : read.amount
}

type Money = Pick<StatementLine, 'direction' | 'amount'>

function readMoney(row: SheetRow, header: Header, profile: BankProfile, currency: string): Money {
  const { positionOf, textOf } = columnsOf(row, header)
  if (header.layout === 'split') return readSplit(row, header, profile, currency)
  const read = amountOf('amount', row, header, profile, currency)
  if (!read) throw fileError(positionOf('amount'), 'value_missing', { value: 'amount' })
  if (header.layout === 'signed') return { direction: read.sign === '-' ? 'debit' : 'credit', amount: read.amount }
  const direction = readMark(textOf('mark'), profile)
  if (direction === null) {
    const known = [...profile.marks.debit, ...profile.marks.credit]
    const field = profile.columns.mark?.[0] ?? ''
    throw fileError(positionOf('mark'), 'code_unknown', { field, text: excerpt(textOf('mark')), known })
  }
  if (read.sign !== null && (read.sign === '-') !== (direction === 'debit'))
    throw fileError(positionOf('amount'), 'value_against_mark', { text: excerpt(textOf('amount')) })
  return { direction, amount: read.amount }
}

function readMark(text: string, { marks }: BankProfile): StatementLine['direction'] | null {
  const mark = foldLabel(text)
  if (mark === '') return null
  return foldedLabels(marks.debit).includes(mark)
    ? 'debit'
    : foldedLabels(marks.credit).includes(mark)
      ? 'credit'
      : null
}

/** One of the two is empty or zero. A minus among the debits is how some banks write a debit; elsewhere it is an error. */
function readSplit(row: SheetRow, header: Header, profile: BankProfile, currency: string): Money {
  const { positionOf, textOf } = columnsOf(row, header)
  const debit = amountOf('debit', row, header, profile, currency)
  const credit = amountOf('credit', row, header, profile, currency)
  if (!debit && !credit) throw fileError(positionOf('debit'), 'value_missing', { value: 'amount' })
  if (debit && credit && debit.amount > 0n && credit.amount > 0n)
    throw fileError(positionOf('debit'), 'debit_and_credit')
  if (credit?.sign === '-' || (debit?.sign === '-' && header.at.balance === undefined)) {
    const role = credit?.sign === '-' ? 'credit' : 'debit'
    throw fileError(positionOf(role), 'value_signed', { text: excerpt(textOf(role)) })
  }
  const isDebit = debit !== null && (debit.amount > 0n || credit === null)
  return isDebit
    ? { direction: 'debit', amount: debit.amount }
    : { direction: 'credit', amount: (credit as SignedAmount).amount }
}

function amountOf(role: ColumnRole, row: SheetRow, header: Header, profile: BankProfile, currency: string) {
  const { cellOf, positionOf } = columnsOf(row, header)
  const read = readAmount(cellOf(role), currency, profile, positionOf(role))
  if (read && read.currency !== null && read.currency !== currency)
    throw fileError(positionOf(role), 'currency_differs', { found: read.currency, expected: currency })
  return read
}

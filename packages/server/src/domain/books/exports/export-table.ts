import type { Cell, Column } from '../../../platform/files/table-cells.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { addDays, isDay } from '../../../kernel/istanbul.ts'
import { refuseField } from '../../../kernel/refusals/refuse.ts'
import { findMerchant, listMerchants } from '../../merchants/index.ts'
import type { MerchantBalance } from './merchant-balances.ts'
import { merchantBalances } from './merchant-balances.ts'
import type { JournalRow, MerchantEntry } from './store.ts'
import { atOneMoment } from '../days/store.ts'
import { readEntries, readJournal } from './store.ts'

export const EXPORTS = ['transactions', 'balances', 'fees', 'journal'] as const
export type ExportKind = (typeof EXPORTS)[number]

/** Days (yyyy-mm-dd), both included. */
export type Period = { from: string; to: string; merchantId: string | null }

const text = (...names: string[]): Column[] => names.map((name) => ({ name, kind: 'text' }))
const amounts = (...names: string[]): Column[] => names.map((name) => ({ name, kind: 'amount' }))
const days = (...names: string[]): Column[] => names.map((name) => ({ name, kind: 'day' }))

const ENTRY = [
  ...days('day', 'about day'),
  ...text('merchant id', 'merchant', 'event', 'transaction id', 'process id', 'currency'),
]

export const COLUMNS: Record<ExportKind, Column[]> = {
  transactions: [...ENTRY, ...amounts('amount', 'fee', 'net')],
  fees: [...ENTRY, ...amounts('amount', 'fee')],
  balances: [
    ...text('merchant id', 'merchant', 'currency'),
    ...amounts('opening', 'deposits', 'withdrawals', 'returns', 'other', 'fees', 'closing'),
  ],
  journal: [
    ...days('day', 'about day'),
    ...text(
      'entry id',
      'event',
      'merchant id',
      'subject',
      'by',
      'from account',
      'from owner',
      'to account',
      'to owner',
      'currency',
    ),
    ...amounts('amount'),
  ],
}

function mustBePeriod({ from, to }: Pick<Period, 'from' | 'to'>): void {
  if (!isDay(from)) throw refuseField('from', 'day_malformed')
  if (!isDay(to)) throw refuseField('to', 'day_malformed')
  if (to < from) throw refuseField('to', 'period_reversed')
}

/** Gives the rows of an export to `write`, page by page, and a row of totals for each currency at the end. */
export async function exportTable(
  { db }: { db: Db },
  kind: ExportKind,
  period: Period,
  write: (rows: Cell[][]) => Promise<void>,
): Promise<void> {
  mustBePeriod(period)
  if (period.merchantId !== null) await findMerchant({ db }, period.merchantId)
  const names = new Map((await listMerchants(db)).map(({ id, name }) => [id, name]))
  const nameOf = (id: string) => names.get(id) ?? ''
  const totals = totalsOf(COLUMNS[kind])
  const writeCounted = async (rows: Cell[][]) => {
    for (const cells of rows) totals.add(cells)
    await write(rows)
  }
  await atOneMoment(db, (tx) => readRows(tx, kind, { period, nameOf, write: writeCounted }))
  await write(totals.rows())
}

type Reading = { period: Period; nameOf: (merchantId: string) => string; write: (rows: Cell[][]) => Promise<void> }

async function readRows(tx: Tx, kind: ExportKind, { period, nameOf, write }: Reading): Promise<void> {
  const window = { after: addDays(period.from, -1), until: period.to }
  if (kind === 'journal') return readJournal(tx, window, period.merchantId, (rows) => write(rows.map(journalCells)))
  if (kind === 'balances')
    return write((await merchantBalances(tx, period)).map((one) => balanceCells(one, nameOf(one.merchantId))))
  return readEntries(tx, window, period.merchantId, (rows) => {
    const wanted = kind === 'fees' ? rows.filter(({ fee }) => fee !== 0n) : rows
    return write(wanted.map((row) => entryCells(row, nameOf(row.merchantId))))
  })
}

function balanceCells(one: MerchantBalance, name: string): Cell[] {
  const { merchantId, currency, opening, deposits, withdrawals, returns, other, fees, closing } = one
  return [merchantId, name, currency, opening, deposits, withdrawals, returns, other, fees, closing]
}

function entryCells(
  { day, aboutDay, merchantId, kind, subjectId, processId, currency, net, fee }: MerchantEntry,
  name: string,
): Cell[] {
  return [day, aboutDay, merchantId, name, kind, subjectId, processId, currency, net + fee, fee, net]
}

function journalCells(row: JournalRow): Cell[] {
  const { day, aboutDay, entryId, kind, merchantId, subjectId, actor, fromKind, fromOwner, toKind, toOwner } = row
  return [
    day,
    aboutDay,
    entryId,
    kind,
    merchantId,
    subjectId,
    actor,
    fromKind,
    fromOwner,
    toKind,
    toOwner,
    row.currency,
    row.amount,
  ]
}

/** Sums of the amounts, by currency. */
function totalsOf(columns: Column[]) {
  const currencyAt = columns.findIndex(({ name }) => name === 'currency')
  const sums = new Map<string, bigint[]>()
  return {
    add(cells: Cell[]) {
      const currency = String(cells[currencyAt])
      const sum = sums.get(currency) ?? columns.map(() => 0n)
      columns.forEach(({ kind }, index) => {
        if (kind === 'amount') sum[index] = (sum[index] ?? 0n) + ((cells[index] as bigint) ?? 0n)
      })
      sums.set(currency, sum)
    },
    rows: (): Cell[][] =>
      [...sums]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([currency, sum]) =>
          columns.map(({ kind }, index) => {
            if (kind === 'amount') return sum[index] ?? 0n
            if (index === currencyAt) return currency
            return kind === 'text' && columns.findIndex((column) => column.kind === 'text') === index ? 'TOTAL' : null
          }),
        ),
  }
}

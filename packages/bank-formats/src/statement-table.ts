import { excerpt, fileError } from './file-problems.ts'
import type { BankFileError } from './file-problems.ts'
import type { BankProfile } from './bank-profile.ts'
import { foldedLabels, foldLabel } from './fold-text.ts'
import { doubledColumn, matchHeader } from './header-row.ts'
import type { Header, NoHeader } from './header-row.ts'
import { noMetadata, readLabelledValues } from './labelled-values.ts'
import type { Metadata } from './labelled-values.ts'
import { DAY_FORMS, masked, readAmount, readCurrency, readDate } from './read-cells.ts'
import type { SheetRow } from './sheet-row.ts'
import type { Position } from './statement.ts'
import { columnsOf, readEntry } from './transaction-row.ts'
import type { Entry } from './transaction-row.ts'

/** A header further down is not looked for. */
const MAX_ROWS_ABOVE = 200

/** What has been learned of the table so far; complete when its entries have been read. */
export type Table = {
  header: Header | null
  currency: string
  currencyKnown: boolean
  /** From a column. */
  account: string | null
  metadata: Metadata
  /** Sums that a row below the lines claims, by column. */
  totals: { debit: bigint | null; credit: bigint | null; position: Position } | null
}

export const newTable = (profile: BankProfile): Table => ({
  header: null,
  currency: profile.currency,
  currencyKnown: false,
  account: null,
  metadata: noMetadata(),
  totals: null,
})

/** The lines of a table in the order of its rows. What stands around them goes into `table`. */
export async function* tableEntries(
  rows: AsyncIterable<SheetRow>,
  profile: BankProfile,
  table: Table,
): AsyncGenerator<Entry> {
  const above: Above = { rows: 0, best: { score: 0, missing: { columns: [], amounts: [] }, position: { line: 1 } } }
  let ended: Position | null = null
  for await (const row of rows) {
    if (row.cells.every(({ text }) => text === '')) continue
    if (!table.header) {
      findHeader(row, profile, table, above)
      continue
    }
    const kind = kindOfRow(row, table.header, profile, ended !== null)
    if (kind === 'line') {
      if (ended) throw fileError(row.position, 'row_after_totals', { totals: ended.line })
      readRowCurrency(row, table.header, table)
      const entry = readEntry(row, table.header, profile, table.currency)
      sameAccount(entry, table)
      yield entry
    } else if (kind === 'opening') readOpening(row, table.header, table)
    else if (kind === 'footer') {
      ended ??= row.position
      readLabelledValues(row, profile, table.metadata)
      readTotals(row, table.header, profile, table)
    }
  }
  if (!table.header) throw noHeader(above)
}

type Above = { rows: number; best: NoHeader & { position: Position } }

function findHeader(row: SheetRow, profile: BankProfile, table: Table, above: Above): void {
  const found = matchHeader(
    row.cells.map(({ text }) => text),
    profile,
  )
  if ('score' in found) {
    if (above.rows === 0 || found.score > above.best.score) above.best = { ...found, position: row.position }
    if (++above.rows > MAX_ROWS_ABOVE) throw noHeader(above)
    readLabelledValues(row, profile, table.metadata)
    return
  }
  const doubled = doubledColumn(found)
  if (doubled !== null) throw fileError(row.position, 'field_twice', { field: excerpt(doubled) })
  const inHeader = found.currency === null ? null : readCurrency(found.currency, row.position)
  const { currency } = table.metadata
  if (inHeader !== null && currency !== null && inHeader !== currency)
    throw fileError(row.position, 'currency_differs', { found: inHeader, expected: currency })
  table.currency = inHeader ?? currency ?? profile.currency
  table.currencyKnown = (inHeader ?? currency) !== null
  table.header = found
}

function noHeader({ best: { score, missing, position } }: Above): BankFileError {
  return fileError(position, score > 1 ? 'header_incomplete' : 'header_missing', missing)
}

type RowKind = 'line' | 'opening' | 'footer' | 'nothing'

function kindOfRow(row: SheetRow, header: Header, profile: BankProfile, ended: boolean): RowKind {
  const { cellOf, positionOf, textOf } = columnsOf(row, header)
  const texts = row.cells.map(({ text }) => text)
  const isDated = readDate(cellOf('date'), profile.dates, positionOf('date')) !== null
  if (!isDated) {
    const label = foldLabel(texts.find((text) => text !== '') ?? '')
    if (ended || foldedLabels(profile.footer).some((name) => label.startsWith(name))) return 'footer'
    if (texts.every((text) => /^[-=_*]*$/.test(text))) return 'nothing'
    if (header.names.every((name, index) => foldLabel(texts[index] ?? '') === name)) return 'nothing'
    if (hasNoAmount(textOf) && isCarried(textOf('description') || textOf('date'), profile)) return 'opening'
    throw fileError(positionOf('date'), 'row_without_date', {
      text: excerpt(textOf('date')),
      forms: profile.dates.map((form) => DAY_FORMS[form]),
    })
  }
  const last = Math.max(...Object.values(header.at))
  if (!row.sparse && row.cells.length <= last)
    throw fileError(row.position, 'row_incomplete', { found: row.cells.length, columns: last + 1 })
  const beyond = texts.findIndex((text, index) => index >= header.width && text !== '')
  if (beyond >= 0) throw fileError({ ...row.position, column: beyond + 1 }, 'row_overfull', { columns: header.width })
  return hasNoAmount(textOf) && isCarried(textOf('description'), profile) ? 'opening' : 'line'
}

function isCarried(text: string, { carriedForward }: BankProfile): boolean {
  const label = foldLabel(text)
  return foldedLabels(carriedForward).some((name) => label.startsWith(name))
}

const hasNoAmount = (textOf: ReturnType<typeof columnsOf>['textOf']) =>
  (['amount', 'debit', 'credit'] as const).every((role) => /^[0.,]*$/.test(textOf(role))) && textOf('balance') !== ''

function readOpening(row: SheetRow, header: Header, table: Table): void {
  const { cellOf, positionOf } = columnsOf(row, header)
  table.metadata.opening ??= { cell: cellOf('balance'), position: positionOf('balance') }
}

/** `Toplam` with sums below the columns of debits and credits. */
function readTotals(row: SheetRow, header: Header, profile: BankProfile, table: Table): void {
  const label = foldLabel(row.cells.find(({ text }) => text !== '')?.text ?? '')
  if (header.layout !== 'split' || table.totals || !/^(GENEL)?TOPLAM/.test(label)) return
  const { cellOf, positionOf } = columnsOf(row, header)
  const sum = (role: 'debit' | 'credit') =>
    readAmount(cellOf(role), table.currency, profile, positionOf(role))?.amount ?? null
  table.totals = { debit: sum('debit'), credit: sum('credit'), position: row.position }
}

/** Where nothing above the lines says it, the first line does. */
function readRowCurrency(row: SheetRow, header: Header, table: Table): void {
  const { positionOf, textOf } = columnsOf(row, header)
  if (!table.currencyKnown && textOf('currency') !== '')
    table.currency = readCurrency(textOf('currency'), positionOf('currency'))
  table.currencyKnown = true
}

function sameAccount({ account, iban, line }: Entry, table: Table): void {
  const known = { account: table.account ?? account, iban: table.metadata.iban ?? iban }
  const [found, expected] = iban !== known.iban && iban !== null ? [iban, known.iban] : [account, known.account]
  if (found !== null && found !== expected)
    throw fileError(line.position, 'account_differs', { found: masked(found), expected: masked(expected ?? '') })
  table.account = known.account
  table.metadata.iban = known.iban
}

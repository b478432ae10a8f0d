import type { ListedTransaction } from '../../../domain/overview/index.ts'
import { istanbulTime } from '../../../kernel/istanbul.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Cell } from '../../../platform/files/table-cells.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { maskedName } from '../../web/console/masked.ts'
import { noteWords } from '../../web/console/codes/codes.ts'
import { minute } from '../../web/console/parts.ts'
import type { ExportedColumn } from '../../web/console/transaction-export.ts'
import { stateBadge } from '../../web/console/transaction-list.ts'
import type { MerchantNames } from '../names.ts'
import { merchantName } from '../names.ts'
import type { Viewer } from '../page.ts'
import type { Words } from '../words-tr.ts'

/** In the order of the list. The id is always shown: it opens the transaction. */
export const CHOICES = [
  ...(['name', 'amount', 'fee', 'status', 'notes', 'merchant', 'processId', 'created', 'updated'] as const),
] as const
export type ColumnName = (typeof CHOICES)[number]
const USUAL: readonly ColumnName[] = ['name', 'amount', 'status', 'notes', 'merchant', 'created']

/** The columns that an address names, with commas or as a form sends them; else the usual ones. */
export function columnsFrom(query: Record<string, unknown>): readonly ColumnName[] {
  const named = [query['columns']].flat().join(',').split(',')
  const chosen = CHOICES.filter((one) => named.includes(one))
  return chosen.length === 0 ? USUAL : chosen
}

/** For the address; empty for the usual ones. */
export function columnsField(columns: readonly ColumnName[]): Record<string, string> {
  return columns.join() === USUAL.join() ? {} : { columns: columns.join() }
}

export function columnLabel({ words }: Viewer, column: ColumnName): string {
  return column === 'name' ? words.customer : words[column]
}

export function shownCell(viewer: Viewer, column: ColumnName, row: ListedTransaction, merchants: MerchantNames): Html {
  switch (column) {
    case 'amount':
    case 'fee':
      return html`${formatMoney(row[column], row.currency)}`
    case 'status':
      return stateBadge(viewer, row.status)
    case 'created':
      return minute(row.createdAt)
    case 'updated':
      return minute(row.updatedAt)
    default:
      return html`${textOf(viewer.words, column, row, merchants)}`
  }
}

function textOf(
  words: Words,
  column: 'name' | 'notes' | 'merchant' | 'processId',
  row: ListedTransaction,
  merchants: MerchantNames,
): string {
  switch (column) {
    case 'name':
      return maskedName(plainName(row.name))
    case 'notes':
      return noteWords(words.codes, row.kind, row.notes)
    case 'merchant':
      return merchantName(words, merchants, row.merchantId)
    case 'processId':
      return plainName(row.processId)
  }
}

/** The same columns in a file, with the words of the list. An amount has its currency beside it. */
export function exportedColumns(
  viewer: Viewer,
  columns: readonly ColumnName[],
  merchants: MerchantNames,
): ExportedColumn[] {
  const { words } = viewer
  const currency: ExportedColumn = {
    name: words.exported.columns['currency'] ?? '',
    kind: 'text',
    cell: (row) => row.currency,
  }
  const id: ExportedColumn = { name: words.id, kind: 'text', cell: (row) => row.id }
  const isMoney = (column: ColumnName) => column === 'amount' || column === 'fee'
  const named = columns.map((column): ExportedColumn => {
    return {
      name: columnLabel(viewer, column),
      kind: isMoney(column) ? 'amount' : 'text',
      cell: (row) => exportedCell(words, column, row, merchants),
    }
  })
  return [...named, ...(columns.some(isMoney) ? [currency] : []), id]
}

function exportedCell(words: Words, column: ColumnName, row: ListedTransaction, merchants: MerchantNames): Cell {
  switch (column) {
    case 'amount':
    case 'fee':
      return row[column]
    case 'status':
      return words.codes.statuses[row.status]
    case 'created':
      return istanbulTime(row.createdAt)
    case 'updated':
      return istanbulTime(row.updatedAt)
    default:
      return textOf(words, column, row, merchants)
  }
}

import { CsvError, parse } from 'csv-parse/sync'
import { foldLabel } from './fold-text.ts'
import type { Bytes } from './statement.ts'
import { decodeText } from './text-encoding.ts'

const FIELDS = ['processId', 'accountName', 'iban', 'amount'] as const
type Field = (typeof FIELDS)[number]

/** `cells` is null if the row does not have the columns. */
export type PaymentRow = { line: number; cells: Record<Field, string> | null }

const NAMES: Record<Field, readonly string[]> = {
  processId: ['processId', 'process id', 'işlem no', 'referans'],
  accountName: ['name', 'account name', 'accountName', 'ad', 'ad soyad', 'alıcı', 'alıcı adı'],
  iban: ['iban'],
  amount: ['amount', 'tutar'],
}

type Parsed = { record: string[]; info: { lines: number } }

/**
 * Payments that a person lists in a table: processId, name, IBAN, amount. Columns may be named in the first row, in any order
 * and with others between them. Separated by ; or tab, else by commas.
 */
export async function readPaymentRows(bytes: Bytes): Promise<PaymentRow[]> {
  const text = (await Array.fromAsync(decodeText(bytes))).join('').replaceAll(/\r\n?/g, '\n')
  const first = text.split('\n').find((line) => line.trim() !== '') ?? ''
  const delimiter = [';', '\t'].find((one) => first.includes(one)) ?? ','
  const options = { delimiter, relax_column_count: true, relax_quotes: true, skip_records_with_empty_values: true }
  let rows: Parsed[]
  try {
    rows = parse(text, { ...options, trim: true, info: true }) as unknown as Parsed[]
  } catch (error) {
    // A quote that is not closed: everything after it is one cell.
    if (error instanceof CsvError) return [{ line: Number(error['lines'] ?? 1), cells: null }]
    throw error
  }
  const columns = columnsOf(rows[0]?.record ?? [])
  const body = columns ? rows.slice(1) : rows
  return body.map(({ record, info }) => ({ line: info.lines, cells: cellsOf(record, columns) }))
}

/** Null if the first row has no IBAN column: then it is a payment already. */
function columnsOf(header: string[]): Record<Field, number> | null {
  const labels = header.map(foldLabel)
  const isOf = (field: Field) => (label: string) => NAMES[field].map(foldLabel).includes(label)
  if (!labels.some(isOf('iban'))) return null
  // Of two columns with one meaning neither is read: the wrong one would pay someone else.
  const at = (field: Field) => (labels.filter(isOf(field)).length === 1 ? labels.findIndex(isOf(field)) : -1)
  return { processId: at('processId'), accountName: at('accountName'), iban: at('iban'), amount: at('amount') }
}

function cellsOf(record: string[], columns: Record<Field, number> | null): PaymentRow['cells'] {
  if (!columns && record.length !== FIELDS.length) return null
  const places = FIELDS.map((field, index) => columns?.[field] ?? index)
  const texts = places.map((place) => record[place])
  if (texts.some((text) => text === undefined)) return null
  const [processId = '', accountName = '', iban = '', amount = ''] = texts
  return { processId, accountName, iban, amount }
}

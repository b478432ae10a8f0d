import { OrdersProfileError } from './layout-problems.ts'
import type { LayoutProblem } from './layout-problems.ts'
import { checks } from './mapping-checks.ts'
import type { Json } from './mapping-checks.ts'
import { hasSigns, toAscii } from './orders-text.ts'
import type { OrderColumn, OrderLimits, OrdersProfile, OrderValue, PainProfile, TableProfile } from './orders.ts'

/** Fields of ISO 20022. A text shorter than the least would lose the reference in it. */
const MAX_TEXT = 140
const MIN_TEXT = 35
const MIN_NAME = 10
/** A reference of ours, and an IBAN of Turkey. */
const MIN_WIDTH: Partial<Record<OrderValue, number>> = { text: MIN_TEXT, endToEndId: 24, iban: 26, debtorIban: 26 }
const MAX_ORDERS = 1000
const MAX_COLUMNS = 100
const MAX_LABEL = 100
const DAY_MINUTES = 24 * 60

const PAIN_KEYS = 'batchBooking characters purpose chargeBearer serviceLevel customerId bic'
const TABLE_KEYS = 'encoding lineEnd separator titles header columns trailer'
const LIMIT_KEYS = 'format nameLength textLength maxOrders everyMinutes atMinute'
const COLUMN_KEYS = 'value label width align pad number date codes'
const FORMATS = ['pain.001.001.03', 'pain.001.001.09', 'fixed-width', 'csv'] as const
const OF_BATCH: OrderValue[] =
  'constant batchId createdOn executeOn debtorIban debtorName count sum number currency'.split(' ') as OrderValue[]
const OF_ORDER: OrderValue[] = [
  ...OF_BATCH,
  ...('endToEndId iban bankCode name text amount purpose rail'.split(' ') as OrderValue[]),
]
/** What a payout is: written once, as it is. */
const NEEDED: OrderValue[] = ['iban', 'name', 'amount', 'text']
/** Values that a bank may call by names of its own; a code for any other would send the money elsewhere. */
const CODED: Partial<Record<OrderValue, (code: string, of: string) => boolean>> = {
  rail: (code) => code.length <= MAX_CODE,
  purpose: (code) => code.length <= MAX_CODE,
  currency: (code, of) => of === 'TRY' && ['TL', 'YTL', '949'].includes(code),
}
const MAX_CODE = 10
/** Together, in one row, also of titles and codes: the bank's number of its customer, and not an account. */
const MAX_LABEL_DIGITS = 8
const AMOUNTS: ReadonlySet<OrderValue> = new Set(['amount', 'sum'])
const ZERO_PADDED: ReadonlySet<OrderValue> = new Set(['amount', 'sum', 'count', 'number', 'bankCode'])

type Checks = ReturnType<typeof checks>

/** A saved profile. Only `format` is needed for pain.001, and `format` and `columns` for the others; the rest has defaults. */
export function readOrdersProfile(json: unknown): OrdersProfile {
  const problems: LayoutProblem[] = []
  const check = checks(problems)
  const given = check.object('', json, Object.keys(Object(json)))
  const format = check.oneOf('format', given['format'], FORMATS)
  const isTable = format === 'fixed-width' || format === 'csv'
  check.object('', given, `${LIMIT_KEYS} ${isTable ? TABLE_KEYS : PAIN_KEYS}`.split(' '))
  const limits = {
    nameLength: check.wholeNumber('nameLength', given['nameLength'] ?? 70, MIN_NAME, MAX_TEXT),
    textLength: check.wholeNumber('textLength', given['textLength'] ?? MAX_TEXT, MIN_TEXT, MAX_TEXT),
    maxOrders: check.wholeNumber('maxOrders', given['maxOrders'] ?? MAX_ORDERS, 1, MAX_ORDERS),
    everyMinutes: check.wholeNumber('everyMinutes', given['everyMinutes'] ?? 5, 1, DAY_MINUTES),
    atMinute: check.wholeNumber('atMinute', given['atMinute'] ?? 0, 0, DAY_MINUTES - 1),
  }
  const profile = isTable
    ? { format, ...limits, ...readTable(check, given, format) }
    : { format, ...limits, ...readPain(check, given) }
  if (problems.length > 0) throw new OrdersProfileError(problems)
  return profile
}

function readPain(check: Checks, given: Json): Omit<PainProfile, 'format' | keyof OrderLimits> {
  const bearers = [null, 'DEBT', 'SHAR', 'SLEV', 'CRED'] as const
  return {
    batchBooking: check.oneOf('batchBooking', given['batchBooking'] ?? false, [true, false]),
    characters: check.oneOf('characters', given['characters'] ?? 'sepa', ['sepa', 'utf-8']),
    purpose: check.oneOf('purpose', given['purpose'] ?? 'none', ['none', 'code', 'proprietary']),
    chargeBearer: check.oneOf('chargeBearer', given['chargeBearer'] ?? null, bearers),
    serviceLevel: pattern(check, 'serviceLevel', given['serviceLevel'], /^[A-Z]{4}$/, 'URGP'),
    customerId: pattern(check, 'customerId', given['customerId'], /^[\w ./-]{1,35}$/, 'ACME-42'),
    bic: pattern(check, 'bic', given['bic'], /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?$/, 'TGBATRISXXX'),
  }
}

function readTable(
  check: Checks,
  given: Json,
  format: TableProfile['format'],
): Omit<TableProfile, 'format' | keyof OrderLimits> {
  const separator: TableProfile['separator'] = check.oneOf('separator', given['separator'] ?? ';', [
    ';',
    ',',
    '\t',
    '|',
  ])
  const table: Table = { format, separator }
  const columns = readColumns(check, 'columns', given['columns'], OF_ORDER, table)
  for (const value of NEEDED) {
    const { length } = columns.filter((column) => column.value === value)
    if (length === 0) check.problem('layout_column_missing', { at: `columns.${value}`, amounts: null })
    if (length > 1) check.problem('layout_column_twice', { column: value })
  }
  return {
    encoding: check.oneOf('encoding', given['encoding'] ?? 'windows-1254', [
      'utf-8',
      'windows-1254',
      'iso-8859-9',
      'ascii',
    ]),
    lineEnd: check.oneOf('lineEnd', given['lineEnd'] ?? 'crlf', ['crlf', 'lf']),
    separator,
    titles: check.oneOf('titles', given['titles'] ?? false, format === 'fixed-width' ? [false] : [true, false]),
    header: readColumns(check, 'header', given['header'] ?? [], OF_BATCH, table),
    columns,
    trailer: readColumns(check, 'trailer', given['trailer'] ?? [], OF_BATCH, table),
  }
}

type Table = Pick<TableProfile, 'format' | 'separator'>

function readColumns(check: Checks, name: string, given: unknown, known: OrderValue[], table: Table): OrderColumn[] {
  if (!Array.isArray(given) || given.length > MAX_COLUMNS) {
    check.problem('layout_not_list', { at: name, most: MAX_COLUMNS })
    return []
  }
  const columns = given.map((one: unknown, index): OrderColumn => {
    const at = `${name}[${index}]`
    const column = check.object(at, one, COLUMN_KEYS.split(' '))
    const value = check.oneOf(`${at}.value`, column['value'], known)
    const least = MIN_WIDTH[value] ?? 1
    const label = column['label'] ?? ''
    if (typeof label !== 'string' || label.length > MAX_LABEL || hasSigns(label, table))
      check.problem('layout_label_wrong', { at: `${at}.label`, most: MAX_LABEL })
    return {
      value,
      label: label as string,
      width: table.format === 'fixed-width' ? check.wholeNumber(`${at}.width`, column['width'], least, 300) : 0,
      align: check.oneOf(`${at}.align`, column['align'] ?? 'left', ['left', 'right']),
      pad: check.oneOf(`${at}.pad`, column['pad'] ?? ' ', [' ', '0']),
      number: check.oneOf(`${at}.number`, column['number'] ?? 'point', ['minor', 'point', 'comma']),
      date: check.oneOf(`${at}.date`, column['date'] ?? 'yyyymmdd', [
        'yyyymmdd',
        'yyyy-mm-dd',
        'ddmmyyyy',
        'dd.mm.yyyy',
      ]),
      codes: readCodes(check, at, value, column['codes'] ?? {}, table),
    }
  })
  checkRow(check, name, columns, table)
  return columns
}

/** What would change a value although its column is named rightly. */
function checkRow(check: Checks, name: string, columns: OrderColumn[], { format, separator }: Table): void {
  for (const [index, { value, pad, align, number }] of columns.entries()) {
    if (pad === '0' && (align !== 'right' || !ZERO_PADDED.has(value)))
      check.problem('layout_pad_wrong', { at: `${name}[${index}].pad` })
    if (format === 'csv' && separator === ',' && AMOUNTS.has(value) && number === 'comma')
      check.problem('layout_comma_wrong', { at: `${name}[${index}].number` })
  }
  // As they are written: other digits become ASCII. Of the codes of a column one stands in a row.
  const digitsIn = (text: string) => toAscii(text).replaceAll(/\D/g, '').length
  const digits = columns.map(
    ({ label, codes }) => digitsIn(label) + Math.max(0, ...Object.values(codes).map((code) => digitsIn(code))),
  )
  if (digits.reduce((sum, one) => sum + one, 0) > MAX_LABEL_DIGITS)
    check.problem('layout_digits_many', { at: name, most: MAX_LABEL_DIGITS })
}

function readCodes(check: Checks, at: string, value: OrderValue, given: unknown, table: Table): OrderColumn['codes'] {
  const codes = check.object(`${at}.codes`, given, Object.keys(given ?? {}))
  const mayBe = CODED[value] ?? (() => false)
  if (
    !Object.entries(codes).every(([of, code]) => typeof code === 'string' && mayBe(code, of) && !hasSigns(code, table))
  )
    check.problem('layout_codes_wrong', { at: `${at}.codes` })
  return codes as OrderColumn['codes']
}

function pattern(check: Checks, at: string, value: unknown, form: RegExp, example: string): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' && form.test(value)) return value
  check.problem('layout_form_wrong', { at, example })
  return null
}

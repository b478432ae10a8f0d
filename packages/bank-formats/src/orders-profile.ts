import { checks } from './mapping-checks.ts'
import type { Json } from './mapping-checks.ts'
import { hasSigns, toAscii } from './orders-text.ts'
import type { OrderColumn, OrderLimits, OrdersProfile, OrderValue, PainProfile, TableProfile } from './orders.ts'

/** A profile of order files that cannot be used, with everything that is wrong with it. */
export class OrdersProfileError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(`the profile of order files is wrong: ${problems.join('; ')}`)
    this.problems = problems
  }
}

/** Fields of ISO 20022. A text shorter than the least would lose the reference in it. */
const MAX_TEXT = 140
const MIN_TEXT = 35
const MIN_NAME = 10
/** A reference of ours, and an IBAN of Turkey. */
const MIN_WIDTH: Partial<Record<OrderValue, number>> = { text: MIN_TEXT, endToEndId: 24, iban: 26, debtorIban: 26 }
const MAX_ORDERS = 1000
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
  const problems: string[] = []
  const check = checks(problems)
  const given = check.object('the profile', json, Object.keys(Object(json)))
  const format = check.oneOf('format', given['format'], FORMATS)
  const isTable = format === 'fixed-width' || format === 'csv'
  check.object('the profile', given, `${LIMIT_KEYS} ${isTable ? TABLE_KEYS : PAIN_KEYS}`.split(' '))
  const limits = {
    nameLength: wholeNumber(check, 'nameLength', given['nameLength'] ?? 70, MIN_NAME, MAX_TEXT),
    textLength: wholeNumber(check, 'textLength', given['textLength'] ?? MAX_TEXT, MIN_TEXT, MAX_TEXT),
    maxOrders: wholeNumber(check, 'maxOrders', given['maxOrders'] ?? MAX_ORDERS, 1, MAX_ORDERS),
    everyMinutes: wholeNumber(check, 'everyMinutes', given['everyMinutes'] ?? 5, 1, DAY_MINUTES),
    atMinute: wholeNumber(check, 'atMinute', given['atMinute'] ?? 0, 0, DAY_MINUTES - 1),
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
    serviceLevel: pattern(check, 'serviceLevel', given['serviceLevel'], /^[A-Z]{4}$/, 'four letters such as URGP'),
    customerId: pattern(check, 'customerId', given['customerId'], /^[\w ./-]{1,35}$/, '1 to 35 letters or digits'),
    bic: pattern(
      check,
      'bic',
      given['bic'],
      /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?$/,
      'a BIC of 8 or 11 characters',
    ),
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
    if (length !== 1) check.problem(length === 0 ? `columns lack ${value}` : `columns have ${value} more than once`)
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
  if (!Array.isArray(given) || given.length > 100) {
    check.problem(`${name} must be a list of at most 100 columns`)
    return []
  }
  const columns = given.map((one: unknown, index): OrderColumn => {
    const at = `${name}[${index}]`
    const column = check.object(at, one, COLUMN_KEYS.split(' '))
    const value = check.oneOf(`${at}.value`, column['value'], known)
    const least = MIN_WIDTH[value] ?? 1
    const label = column['label'] ?? ''
    if (typeof label !== 'string' || label.length > 100 || hasSigns(label, table))
      check.problem(`${at}.label must be a text of at most 100 characters ${WITHOUT_SIGNS}`)
    return {
      value,
      label: label as string,
      width: table.format === 'fixed-width' ? wholeNumber(check, `${at}.width`, column['width'], least, 300) : 0,
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

const WITHOUT_SIGNS = 'without line breaks, control characters, separators and quotes'

/** What would change a value although its column is named rightly. */
function checkRow(check: Checks, name: string, columns: OrderColumn[], { format, separator }: Table): void {
  for (const [index, { value, pad, align, number }] of columns.entries()) {
    if (pad === '0' && (align !== 'right' || !ZERO_PADDED.has(value)))
      check.problem(`${name}[${index}].pad may be 0 only for numbers, with align right`)
    if (format === 'csv' && separator === ',' && AMOUNTS.has(value) && number === 'comma')
      check.problem(`${name}[${index}].number may not be comma where the separator is one`)
  }
  // As they are written: other digits become ASCII. Of the codes of a column one stands in a row.
  const digitsIn = (text: string) => toAscii(text).replaceAll(/\D/g, '').length
  const digits = columns.map(
    ({ label, codes }) => digitsIn(label) + Math.max(0, ...Object.values(codes).map((code) => digitsIn(code))),
  )
  if (digits.reduce((sum, one) => sum + one, 0) > MAX_LABEL_DIGITS)
    check.problem(`${name} may have at most ${MAX_LABEL_DIGITS} digits in its labels and codes`)
}

function readCodes(check: Checks, at: string, value: OrderValue, given: unknown, table: Table): OrderColumn['codes'] {
  const codes = check.object(`${at}.codes`, given, Object.keys(given ?? {}))
  const mayBe = CODED[value] ?? (() => false)
  if (
    !Object.entries(codes).every(([of, code]) => typeof code === 'string' && mayBe(code, of) && !hasSigns(code, table))
  )
    check.problem(
      `${at}.codes must be short texts ${WITHOUT_SIGNS}, and only for rail and purpose, or TL for the currency TRY`,
    )
  return codes as OrderColumn['codes']
}

function wholeNumber(check: Checks, name: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  check.problem(`${name} must be a whole number from ${least} to ${most}`)
  return least
}

function pattern(check: Checks, name: string, value: unknown, form: RegExp, words: string): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' && form.test(value)) return value
  check.problem(`${name} must be ${words}`)
  return null
}

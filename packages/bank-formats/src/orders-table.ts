import { minorDigits } from './minor-units.ts'
import type { Order, OrderBatch, OrderColumn, TableProfile } from './orders.ts'
import { mustBeOneCurrency, OrderError } from './orders.ts'
import { cut, decimal, lengthOf, plainText, toAscii, withoutSigns } from './orders-text.ts'

/** An order file whose rows are described by data: of fixed width, or with separators. */
export function writeTable(batch: OrderBatch, profile: TableProfile): Uint8Array {
  const row = (columns: OrderColumn[], order: Order | null, number: number) => {
    const cells = columns.map((column) => cellOf(column, batch, order, number, profile))
    return cells.join(profile.format === 'csv' ? profile.separator : '')
  }
  const rows = [
    ...(profile.titles ? [profile.columns.map(({ label }) => written(label, profile)).join(profile.separator)] : []),
    ...(profile.header.length > 0 ? [row(profile.header, null, 0)] : []),
    ...batch.orders.map((order, index) => row(profile.columns, order, index + 1)),
    ...(profile.trailer.length > 0 ? [row(profile.trailer, null, batch.orders.length)] : []),
  ]
  const end = profile.lineEnd === 'crlf' ? '\r\n' : '\n'
  return encode(rows.map((one) => `${one}${end}`).join(''), profile.encoding)
}

function cellOf(
  column: OrderColumn,
  batch: OrderBatch,
  order: Order | null,
  number: number,
  profile: TableProfile,
): string {
  const of = order?.endToEndId ?? batch.id
  const raw = valueOf(column, batch, order, number)
  // A recipient may be called as something that every object has.
  const named = Object.hasOwn(column.codes, raw) ? (column.codes[raw] as string) : raw
  const text = written(named, profile)
  const isName = column.value === 'name' || column.value === 'debtorName'
  const longest = profile.format === 'fixed-width' ? column.width : Number.POSITIVE_INFINITY
  const fitted = isName ? cut(text, Math.min(profile.nameLength, longest)) : text
  const limit = column.value === 'text' ? Math.min(profile.textLength, longest) : longest
  if (lengthOf(fitted) > limit)
    throw new OrderError(of, { code: 'order_value_long', facts: { value: column.value, most: limit } })
  if (isName && fitted === '') throw new OrderError(of, { code: 'order_name_unwritable', facts: {} })
  return profile.format === 'csv' ? fitted : padded(fitted, column)
}

function valueOf(column: OrderColumn, batch: OrderBatch, order: Order | null, number: number): string {
  const { currency = 'TRY' } = order ?? batch.orders[0] ?? {}
  switch (column.value) {
    case 'constant':
      return column.label
    case 'batchId':
      return batch.id
    case 'createdOn':
      return dateOf(batch.createdAt.slice(0, 10), column)
    case 'executeOn':
      return dateOf(batch.executeOn, column)
    case 'debtorIban':
      return batch.debtor.iban
    case 'debtorName':
      return batch.debtor.name
    case 'count':
      return String(batch.orders.length)
    case 'sum':
      return numberOf(sumOf(batch), currency, column)
    case 'number':
      return String(number)
    case 'amount':
      return order ? numberOf(order.amount, currency, column) : ''
    case 'bankCode':
      return order?.iban.slice(5, 9) ?? ''
    case 'currency':
      return currency
    default:
      return order?.[column.value] ?? ''
  }
}

function sumOf({ orders }: OrderBatch): bigint {
  mustBeOneCurrency(orders)
  return orders.reduce((total, { amount }) => total + amount, 0n)
}

function numberOf(amount: bigint, currency: string, { number }: OrderColumn): string {
  if (number === 'minor') return String(amount)
  return decimal(amount, minorDigits(currency), number === 'point' ? '.' : ',')
}

function dateOf(day: string, { date }: OrderColumn): string {
  const [year, month, date2] = day.split('-') as [string, string, string]
  return date.replace('yyyy', year).replace('mm', month).replace('dd', date2)
}

function padded(text: string, { width, align, pad }: OrderColumn): string {
  const fill = pad.repeat(Math.max(0, width - lengthOf(text)))
  return align === 'left' ? text + fill : fill + text
}

/** After the encoding, which may make a separator of another letter. */
const written = (text: string, profile: TableProfile) => withoutSigns(encodable(text, profile.encoding), profile)

const bytesOf = new Map<TableProfile['encoding'], Map<string, number>>()

/** The bytes of a one-byte encoding by character. Between 80 and 9F, ISO-8859-9 has none. */
function bytesIn(encoding: TableProfile['encoding']): Map<string, number> {
  let bytes = bytesOf.get(encoding)
  if (!bytes) {
    const decoder = new TextDecoder('windows-1254')
    const all = Array.from({ length: 256 }, (_, byte) => byte)
    const known = all.filter(
      (byte) => byte < 0x80 || (encoding !== 'ascii' && byte >= 0xa0) || encoding === 'windows-1254',
    )
    bytesOf.set(encoding, (bytes = new Map(known.map((byte) => [decoder.decode(Uint8Array.of(byte)), byte]))))
  }
  return bytes
}

/** Characters that the encoding lacks become their nearest ASCII letters. */
function encodable(text: string, encoding: TableProfile['encoding']): string {
  const plain = plainText(text)
  if (encoding === 'utf-8') return plain
  const bytes = bytesIn(encoding)
  return Array.from(plain, (letter) => (bytes.has(letter) ? letter : toAscii(letter))).join('')
}

function encode(text: string, encoding: TableProfile['encoding']): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  const bytes = bytesIn(encoding)
  return Uint8Array.from(Array.from(text), (letter) => bytes.get(letter) ?? 0x3f)
}

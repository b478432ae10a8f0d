import { excerpt, fileError } from './file-problems.ts'
import { toMinorUnits } from './minor-units.ts'
import type { OrderColumn, OrdersProfile, OrderValue, TableProfile } from './orders.ts'
import { readXml } from './xml-tokens.ts'

/** An order as a bank reads it. `endToEndId` is null where the file has no column for it. */
export type ReadOrder = { endToEndId: string | null; iban: string; name: string; text: string; amount: bigint }

/** `counts` and `sums` are all that the file says of itself, `text` is the whole file. */
export type ReadOrders = { orders: ReadOrder[]; counts: number[]; sums: bigint[]; debtorIbans: string[]; text: string }

/** Reads an order file from its bytes alone; of the profile it only takes where each value is. Shares no code with the writer. */
export async function readOrders(bytes: Uint8Array, profile: OrdersProfile, currency: string): Promise<ReadOrders> {
  return 'columns' in profile ? readTable(bytes, profile, currency) : readPain001(bytes, currency)
}

async function readPain001(bytes: Uint8Array, currency: string): Promise<ReadOrders> {
  const read: ReadOrders = { orders: [], counts: [], sums: [], debtorIbans: [], text: new TextDecoder().decode(bytes) }
  const path: string[] = []
  let values = new Map<string, string>()
  for await (const tokens of readXml(inOnePiece(bytes)))
    for (const token of tokens) {
      const inOrder = path.indexOf('CdtTrfTxInf')
      if (token.kind === 'open') {
        path.push(token.name)
        if (token.name === 'InstdAmt') values.set('Ccy', token.attributes['Ccy'] ?? '')
      } else if (token.kind === 'text') {
        if (token.text.trim() !== '') mustBeSeen(token.text)
        const key = path.slice(inOrder + 1).join('/')
        if (inOrder >= 0) values.set(key, (values.get(key) ?? '') + token.text)
        else addTotal(read, path, token.text, currency)
      } else if (path.pop() === 'CdtTrfTxInf') {
        read.orders.push(orderOf(values, currency))
        values = new Map()
      }
    }
  return read
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}

function orderOf(values: ReadonlyMap<string, string>, currency: string): ReadOrder {
  const value = (path: string) => values.get(path) ?? ''
  if (value('Ccy') !== currency)
    throw fileError(null, 'currency_differs', { found: excerpt(value('Ccy')), expected: currency })
  return {
    endToEndId: value('PmtId/EndToEndId'),
    iban: value('CdtrAcct/Id/IBAN'),
    name: value('Cdtr/Nm'),
    text: value('RmtInf/Ustrd'),
    amount: toMinorUnits(value('Amt/InstdAmt'), currency, 'point', null),
  }
}

function addTotal({ counts, sums, debtorIbans }: ReadOrders, path: string[], text: string, currency: string): void {
  const name = path.at(-1)
  if (name === 'NbOfTxs') counts.push(Number(text))
  if (name === 'CtrlSum') sums.push(toMinorUnits(text, currency, 'point', null))
  if (name === 'IBAN' && path.includes('DbtrAcct')) debtorIbans.push(text)
}

/** The decoder of windows-1254 reads the others too, and takes for a character what they have as a control. */
const NO_CHARACTER: Record<TableProfile['encoding'], (byte: number) => boolean> = {
  'utf-8': () => false,
  'windows-1254': () => false,
  'iso-8859-9': (byte) => byte >= 0x80 && byte < 0xa0,
  ascii: (byte) => byte >= 0x80,
}

function readTable(bytes: Uint8Array, profile: TableProfile, currency: string): ReadOrders {
  const encoding = profile.encoding === 'utf-8' ? 'utf-8' : 'windows-1254'
  if (bytes.some(NO_CHARACTER[profile.encoding]))
    throw fileError(null, 'encoding_wrong', { encoding: profile.encoding })
  const text = decoded(bytes, encoding)
  const lines = text.split(profile.lineEnd === 'crlf' ? '\r\n' : '\n')
  if (lines.pop() !== '') throw fileError(null, 'row_unended')
  const isCsv = profile.format === 'csv'
  for (const line of lines) mustBeSeen(isCsv ? line.replaceAll(profile.separator, '') : line)
  if (isCsv && text.includes('"')) throw fileError(null, 'quote_found')
  if (profile.titles) lines.shift()
  const rows = (columns: OrderColumn[], some: string[]) => some.map((line) => cellsOf(line, columns, profile))
  const outside = [
    ...(profile.header.length > 0 ? rows(profile.header, lines.splice(0, 1)) : []),
    ...(profile.trailer.length > 0 ? rows(profile.trailer, lines.splice(-1)) : []),
  ]
  const inside = rows(profile.columns, lines)
  const all = (value: OrderValue) =>
    [...outside, ...inside].flatMap((cells) => cells.filter(({ column }) => column.value === value))
  return {
    orders: inside.map((cells) => orderIn(cells, currency)),
    counts: all('count').map(({ cell }) => Number(cell)),
    sums: all('sum').map((one) => amountIn(one, currency)),
    debtorIbans: all('debtorIban').map(({ cell }) => cell),
    text,
  }
}

function decoded(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw fileError(null, 'encoding_wrong', { encoding })
  }
}

type Cell = { column: OrderColumn; cell: string }

function orderIn(cells: Cell[], currency: string): ReadOrder {
  const one = (value: OrderValue) => cells.find(({ column }) => column.value === value)
  const text = (value: OrderValue) => one(value)?.cell ?? ''
  const amount = one('amount')
  if (!amount) throw fileError(null, 'value_missing', { value: 'amount' })
  return {
    ...{ endToEndId: one('endToEndId')?.cell ?? null, iban: text('iban'), name: text('name'), text: text('text') },
    amount: amountIn(amount, currency),
  }
}

function amountIn({ cell, column }: Cell, currency: string): bigint {
  if (column.number !== 'minor') return toMinorUnits(cell, currency, column.number, null)
  if (!/^\d{1,18}$/.test(cell)) throw fileError(null, 'value_not_amount', { text: excerpt(cell), form: '123456' })
  return BigInt(cell)
}

function cellsOf(line: string, columns: OrderColumn[], profile: TableProfile): Cell[] {
  const cells = profile.format === 'csv' ? line.split(profile.separator) : ofWidth(line, columns)
  if (cells.length !== columns.length)
    throw fileError(null, 'row_incomplete', { found: cells.length, columns: columns.length })
  return columns.map((column, index) => ({ column, cell: (cells[index] as string).trim() }))
}

function ofWidth(line: string, columns: OrderColumn[]): string[] {
  const letters = Array.from(line)
  const cells = columns.map(({ width }) => letters.splice(0, width).join(''))
  if (letters.length > 0) throw fileError(null, 'row_overfull', { columns: columns.length })
  return cells
}

/** What breaks or hides text in a line. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u

/** A bank may read a row behind any of these. */
function mustBeSeen(text: string): void {
  if (UNSEEN.test(text)) throw fileError(null, 'control_character')
}

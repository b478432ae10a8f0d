import type { Booking } from '../bookings.ts'
import type { AccountStatement, FileEntry } from './account-statement.ts'
import { commaAmount } from './amounts.ts'
import { wrap } from './wrap.ts'
import { localTime } from '../../time.ts'

/** Characters a line of :86: has. */
const WIDTH = 65
const END = '\r\n'

const TYPES: Record<Booking['nature'], string> = {
  transfer: 'NTRF',
  own_transfer: 'NTRF',
  charge: 'NCHG',
  tax: 'NCHG',
  interest: 'NINT',
  return: 'NRTI',
  storno: 'NTRF',
}

/** A day or a period as one message, with the blocks of SWIFT around it. */
export function writeMt940(statement: AccountStatement): string {
  const { account, from, to, opening, closing, currency, entries } = statement
  return message('940', [
    `:20:EKSTRE${to.replaceAll('-', '')}`,
    `:25:${account}`,
    `:28C:${numberOf(to)}/1`,
    `:60F:${balance(opening, from, currency)}`,
    ...entries.flatMap(lines),
    `:62F:${balance(closing, to, currency)}`,
    `:64:${balance(closing, to, currency)}`,
  ])
}

/** Bookings of a part of the day, with totals and without balances. */
export function writeMt942(statement: AccountStatement): string {
  const { account, to, currency, entries, createdAt } = statement
  const total = (direction: Booking['direction']) => {
    const own = entries.filter((entry) => entry.direction === direction)
    return `${own.length}${currency}${commaAmount(own.reduce((sum, { amount }) => sum + amount, 0n))}`
  }
  return message('942', [
    `:20:HAREKET${to.replaceAll('-', '').slice(2)}`,
    `:25:${account}`,
    `:28C:${numberOf(to)}/1`,
    `:34F:${currency}0,`,
    `:13D:${createdAt.slice(2, 16).replaceAll(/\D/g, '')}+0300`,
    ...entries.flatMap(lines),
    `:90D:${total('debit')}`,
    `:90C:${total('credit')}`,
  ])
}

function message(type: string, fields: string[]): string {
  const head = `{1:F01SIMBTRISAXXX0000000000}{2:I${type}SIMBTRISXXXXN}{4:`
  return [head, ...fields, '-}', ''].join(END)
}

/** The bank numbers a year's statements by their day. */
function numberOf(day: string): number {
  return (Date.parse(day) - Date.parse(`${day.slice(0, 4)}-01-01`)) / 86_400_000 + 1
}

function balance(amount: bigint, day: string, currency: string): string {
  return `${amount < 0n ? 'D' : 'C'}${shortDay(day)}${currency}${commaAmount(amount)}`
}

function shortDay(day: string): string {
  return day.replaceAll('-', '').slice(2)
}

function lines(entry: FileEntry): string[] {
  const day = shortDay(localTime(entry.bookedAt).slice(0, 10))
  const head = `:61:${day}${day.slice(2)}${mark(entry)}${commaAmount(entry.amount)}`
  return [`${head}${TYPES[entry.nature]}NONREF//${entry.number}`, ...information(entry)]
}

/** RC takes back a credit: it is a debit. */
function mark({ direction, reversal }: Booking): string {
  if (reversal) return direction === 'debit' ? 'RC' : 'RD'
  return direction === 'credit' ? 'C' : 'D'
}

function information({ endToEnd, name, iban, returned, text }: FileEntry): string[] {
  const known = { EREF: endToEnd, NAME: name, IBAN: iban, RTRN: returned }
  const fields = Object.entries(known).map(([key, value]) => (value ? `/${key}/${value}` : ''))
  const whole = `${fields.join('')}/REMI/${text}`
  // A line that begins with a colon or a hyphen would begin a field or end the message.
  return wrap(whole, WIDTH, ':-').map((line, index) => (index === 0 ? `:86:${line}` : line))
}

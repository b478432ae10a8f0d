import { localTime } from '../../time.ts'
import { signed } from '../bookings.ts'
import type { AccountStatement, FileEntry } from './account-statement.ts'
import type { Layout } from './csv-layouts.ts'
import { LAYOUTS } from './csv-layouts.ts'

/** Above it banks send an EFT instead of a FAST. */
const FAST_LIMIT = 10_000_000n
const BYTE_ORDER_MARK = '\ufeff'

/** The table of an internet branch: the bank's name, the account and the period above the header. */
export function writeCsv(statement: AccountStatement, layout: Layout): string {
  const { title, columns } = LAYOUTS[layout]
  const { account, currency, from, to, entries, withTimes } = statement
  const accountNumber = account.slice(10).replace(/^0+/, '')
  let balance = statement.opening
  const rows = entries.map((entry) => {
    balance += signed(entry)
    const row = { entry, date: dateOf(entry, withTimes), text: textOf(entry), balance, accountNumber }
    return columns.map(({ value }) => value(row))
  })
  const period = [from, to].map(turkishDay).join(' - ')
  const above = [
    [title],
    ['Hesap IBAN', account],
    ['Para Birimi', currency === 'TRY' ? 'TL' : currency],
    ['Dönem', period],
  ]
  const width = columns.length
  const all = [
    ...above.map((cells) => Array.from({ length: width }, (_, index) => cells[index] ?? '')),
    columns.map(({ name }) => name),
    ...rows,
  ]
  return `${all.map((cells) => cells.map(quoted).join(';')).join('\r\n')}\r\n`
}

/** Spreadsheets take a file without the mark for windows-1254. */
export function withMark(text: string): string {
  return BYTE_ORDER_MARK + text
}

/** A quote at the start of a cell would be taken for a quoted cell. */
function quoted(cell: string): string {
  return /[;"\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

function turkishDay(day: string): string {
  return day.split('-').toReversed().join('.')
}

function dateOf({ bookedAt }: FileEntry, withTimes: boolean): string {
  const local = localTime(bookedAt)
  const day = turkishDay(local.slice(0, 10))
  return withTimes ? `${day} ${local.slice(11)}` : day
}

/** The table has no column for the other side: the bank writes it into the text. */
function textOf({ account, iban, name, text, direction, amount, nature }: FileEntry): string {
  if (name === '' || nature === 'storno') return text
  const rail = iban.slice(4, 9) === account.slice(4, 9) ? 'HAVALE' : amount <= FAST_LIMIT ? 'FAST' : 'EFT'
  return `${direction === 'credit' ? 'GELEN' : 'GİDEN'} ${rail}-${name}-${text}`
}

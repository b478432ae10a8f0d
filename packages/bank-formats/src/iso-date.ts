import { BankFileError, quoted } from './bank-file-error.ts'
import type { Position } from './statement.ts'

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether `yyyy-mm-dd` is a day of the calendar. */
export function isDay(text: string): boolean {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return day >= 1 && day <= (month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0))
}

/** The day of an ISO 20022 date or date and time, as written: a time zone does not move it. */
export function dayOf(text: string, position: Position): string {
  const day = /^(\d{4}-\d\d-\d\d)(?:$|[TZ+-])/.exec(text)?.[1]
  if (day === undefined || !isDay(day))
    throw new BankFileError(position, `found the date ${quoted(text)}, expected a day such as 2026-01-31`)
  return day
}

import { BankFileError, quoted } from './bank-file-error.ts'
import type { Position } from './statement.ts'

/** Whether `yyyy-mm-dd` is a day of the calendar. */
export function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** The day of an ISO 20022 date or date and time, as written: a time zone does not move it. */
export function dayOf(text: string, position: Position): string {
  const day = /^(\d{4}-\d\d-\d\d)(?:$|[TZ+-])/.exec(text)?.[1]
  if (day === undefined || !isDay(day))
    throw new BankFileError(position, `found the date ${quoted(text)}, expected a day such as 2026-01-31`)
  return day
}

import { FIRST_DAY, startOfDay } from '../../kernel/istanbul.ts'
import type { BankLine } from './bank-line.ts'

const DAY_MS = 86_400_000
/** The clocks of banks differ from ours, and some date the bookings of an evening to the next day. */
const MAX_BOOKED_AHEAD_DAYS = 2
/** Money of an evening has the value date of the next banking day, which may be after nine days of holidays and weekends. */
const MAX_VALUE_AHEAD_DAYS = 15
const EARLIEST = startOfDay(FIRST_DAY)

/** Why the dates of a line cannot be right, or null: it would be booked on that day. */
export function dateProblem(
  { bookedAt, valueDate }: Pick<BankLine, 'bookedAt' | 'valueDate'>,
  now: Date,
): string | null {
  const valueAt = new Date(`${valueDate}T00:00:00Z`)
  const isAfter = (date: Date, days: number) => date.getTime() > now.getTime() + days * DAY_MS
  if (isAfter(bookedAt, MAX_BOOKED_AHEAD_DAYS)) return 'bookedAt is more than two days in the future'
  if (bookedAt < EARLIEST) return 'bookedAt is before 2001'
  if (isAfter(valueAt, MAX_VALUE_AHEAD_DAYS)) return `valueDate is more than ${MAX_VALUE_AHEAD_DAYS} days in the future`
  return valueAt < EARLIEST ? 'valueDate is before 2001' : null
}

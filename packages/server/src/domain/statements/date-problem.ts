import { FIRST_DAY, startOfDay } from '../../kernel/istanbul.ts'
import { note } from '../../kernel/refusals/note.ts'
import type { Said } from '../../platform/refusal.ts'
import type { BankLine } from './bank-line.ts'

const DAY_MS = 86_400_000
/** The clocks of banks differ from ours, and some date the bookings of an evening to the next day. */
const MAX_BOOKED_AHEAD_DAYS = 2
/** Money of an evening has the value date of the next banking day, which may be after nine days of holidays and weekends. */
const MAX_VALUE_AHEAD_DAYS = 15
const EARLIEST = startOfDay(FIRST_DAY)
const FIRST_YEAR = FIRST_DAY.slice(0, 4)

/** Why the dates of a line cannot be right, or null: it would be booked on that day. */
export function dateProblem({ bookedAt, valueDate }: Pick<BankLine, 'bookedAt' | 'valueDate'>, now: Date): Said | null {
  const valueAt = new Date(`${valueDate}T00:00:00Z`)
  const isAfter = (date: Date, days: number) => date.getTime() > now.getTime() + days * DAY_MS
  if (isAfter(bookedAt, MAX_BOOKED_AHEAD_DAYS)) return note('unread_booked_ahead', { days: MAX_BOOKED_AHEAD_DAYS })
  if (bookedAt < EARLIEST) return note('unread_booked_before', { year: FIRST_YEAR })
  if (isAfter(valueAt, MAX_VALUE_AHEAD_DAYS)) return note('unread_value_ahead', { days: MAX_VALUE_AHEAD_DAYS })
  return valueAt < EARLIEST ? note('unread_value_before', { year: FIRST_YEAR }) : null
}

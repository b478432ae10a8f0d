import type { LocalTime } from '../../kernel/istanbul.ts'
import { addDays, istanbul, startOfDay } from '../../kernel/istanbul.ts'
import { HOUR_MS } from '../../platform/time/clock.ts'
import type { Holiday } from './store.ts'

/** Closing times on full and on half business days, in minutes of the day. */
type Closing = { fullDay: number; halfDay: number }

/** Maximum amount of one FAST transfer from a day on (yyyy-mm-dd, Istanbul), in kuruş. */
export type FastCap = { from: string; amount: bigint }

/** Set by the central bank. No later cap is confirmed, so the last one applies until an operator changes it. */
export const DEFAULT_FAST_CAPS: readonly FastCap[] = [
  { from: '2021-01-08', amount: 50_00n },
  { from: '2021-01-29', amount: 1_000_00n },
  { from: '2021-08-04', amount: 2_000_00n },
  { from: '2022-02-21', amount: 5_000_00n },
  { from: '2023-12-21', amount: 50_000_00n },
  { from: '2024-04-04', amount: 100_000_00n },
]

/** EFT hours in minutes of the day: 08:00–17:30 Istanbul time on business days, until 13:00 on half days. */
const EFT_OPENS = 8 * 60
const EFT_CLOSES: Closing = { fullDay: 17 * 60 + 30, halfDay: 13 * 60 }

/**
 * The cap on a day, from an unsorted list; null before the first. Of two for the same day, the later in the list
 * applies.
 */
export function fastCapOn(day: string, caps: readonly FastCap[]): bigint | null {
  const inForce = caps.filter(({ from }) => from <= day)
  return inForce.toSorted((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from))).at(-1)?.amount ?? null
}

/** Whether EFT is open, or would be with the caller's own earlier closing time. The closing minute is excluded. */
export function eftOpen({ day, minutes }: LocalTime, holidays: readonly Holiday[], closing = EFT_CLOSES): boolean {
  const kind = eftDay(day, holidays)
  return kind !== null && minutes >= EFT_OPENS && minutes < closing[kind]
}

/**
 * The day of the next opening; today only before opening time. The loop ends because the list of holidays is finite.
 */
export function nextEftDay({ day, minutes }: LocalTime, holidays: readonly Holiday[]): string {
  let next = minutes < EFT_OPENS ? day : addDays(day, 1)
  while (eftDay(next, holidays) === null) next = addDays(next, 1)
  return next
}

/** The time at which EFT opens on a day. */
export function eftOpening(day: string): Date {
  return new Date(startOfDay(day).getTime() + EFT_OPENS * 60_000)
}

/**
 * When money that a customer sends by EFT in the coming minutes has arrived: so many hours after the next opening. Null if
 * EFT stays open that long.
 */
export function eftArrival(now: Date, withinMs: number, hours: number, holidays: readonly Holiday[]): Date | null {
  const local = istanbul(now)
  if (eftOpen(local, holidays) && eftOpen(istanbul(new Date(now.getTime() + withinMs)), holidays)) return null
  return new Date(eftOpening(nextEftDay(local, holidays)).getTime() + hours * HOUR_MS)
}

/** Start of the Istanbul day since which this many full business days have passed. Today does not count. */
export function businessDaysAgo(now: Date, count: number, holidays: readonly Holiday[]): Date {
  let { day } = istanbul(now)
  for (let left = count; left > 0;) {
    day = addDays(day, -1)
    if (eftDay(day, holidays) !== null) left--
  }
  return startOfDay(day)
}

/** Null on days without EFT. A half day on a weekend counts as weekend. */
function eftDay(day: string, holidays: readonly Holiday[]): keyof Closing | null {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay()
  const holiday = holidays.find((one) => one.day === day)
  if (weekday === 0 || weekday === 6 || (holiday && !holiday.halfDay)) return null
  return holiday ? 'halfDay' : 'fullDay'
}

/** What a customer should know before paying: FAST is immediate, EFT is open, or EFT opens later. */
export type RailNote = { rail: 'fast' } | { rail: 'eft_open' } | { rail: 'eft_closed'; opens: string }

/** The longest closure is a religious holiday with its weekends; a date beyond two weeks is not shown. */
const LOOK_AHEAD_DAYS = 14

export function railNote(amount: bigint, fastMaximum: bigint, now: Date, holidays: readonly Holiday[]): RailNote {
  if (amount <= fastMaximum) return { rail: 'fast' }
  const localNow = istanbul(now)
  if (eftOpen(localNow, holidays)) return { rail: 'eft_open' }
  const opens = nextEftDay(localNow, holidays)
  return { rail: 'eft_closed', opens: opens <= addDays(localNow.day, LOOK_AHEAD_DAYS) ? opens : localNow.day }
}

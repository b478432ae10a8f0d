import { memoize } from '../platform/concurrency/memoize.ts'
import { DAY_MS, HOUR_MS } from '../platform/time/clock.ts'

/** A day (yyyy-mm-dd) and the minute of the day, in Istanbul time. */
export type LocalTime = { day: string; minutes: number }

/** Turkey has been on UTC+3 all year since 2016. Computed by hand: Intl would cost every deposit a few microseconds. */
const ISTANBUL_OFFSET_MS = 3 * HOUR_MS
const MINUTES_PER_DAY = 24 * 60

export function istanbul(date: Date): LocalTime {
  const minutes = Math.floor((date.getTime() + ISTANBUL_OFFSET_MS) / 60_000)
  const days = Math.floor(minutes / MINUTES_PER_DAY)
  return { day: dayOf(days), minutes: minutes - days * MINUTES_PER_DAY }
}

/** 2026-11-15 14:32:07, Istanbul time. */
export function istanbulTime(date: Date): string {
  return isoTime(date.getTime() + ISTANBUL_OFFSET_MS)
    .slice(0, 19)
    .replace('T', ' ')
}

/** Midnight in Istanbul at the start of a day (yyyy-mm-dd). */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00+03:00`)
}

/** Keyed by days since 1970. */
const dayOf = memoize((days: number) => isoTime(days * DAY_MS).slice(0, 10))

/** The day (yyyy-mm-dd) that is so many days later, or earlier if negative. */
export function addDays(day: string, count: number): string {
  return isoTime(midnight(day) + count * DAY_MS).slice(0, 10)
}

/** Both included. Counted, not compared: such a loop always ends. */
export function daysBetween(from: string, to: string): string[] {
  const count = (midnight(to) - midnight(from)) / DAY_MS + 1
  return Array.from({ length: Math.max(count, 0) }, (_, index) => addDays(from, index))
}

/** First and last day of a month (yyyy-mm). */
export function daysOfMonth(month: string): { from: string; to: string } {
  const from = `${month}-01`
  return { from, to: addDays(`${addDays(from, 31).slice(0, 7)}-01`, -1) }
}

/**
 * Days that people, addresses and files may name. No bank line is booked earlier, and ids, which begin with the time, end in 2106.
 * Fixed, so that no clock is needed; far from the years 1 and 9999, so that computing with them does not throw.
 */
export const FIRST_DAY = '2001-01-01'
export const LAST_DAY = '2099-12-31'

/** Whether the text is an existing day such as 2026-02-28, from the first to the last one. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < FIRST_DAY || text > LAST_DAY) return false
  return !Number.isNaN(midnight(text)) && addDays(text, 0) === text
}

/** Whether the text is a month such as 2026-02, of those days. */
export const isMonth = (text: string) => isDay(`${text}-01`)

const midnight = (day: string) => Date.parse(`${day}T00:00:00Z`)

/** Throws outside of the years 1 to 9999: such a text has another length, sorts wrongly, or is no day for PostgreSQL. */
function isoTime(time: number): string {
  const text = new Date(time).toISOString()
  if (!/^\d{4}-/.test(text) || text < '0001') throw new RangeError(`${text} is outside of the years 1 to 9999.`)
  return text
}

import { memoize } from '../platform/concurrency/memoize.ts'

/** A day (yyyy-mm-dd) and the minute of the day, in Istanbul time. */
export type LocalTime = { day: string; minutes: number }

/** Turkey has been on UTC+3 all year since 2016. Computed by hand: Intl would cost every deposit a few microseconds. */
const ISTANBUL_OFFSET_MS = 3 * 60 * 60_000
const MINUTES_PER_DAY = 24 * 60

export function istanbul(date: Date): LocalTime {
  const minutes = Math.floor((date.getTime() + ISTANBUL_OFFSET_MS) / 60_000)
  const days = Math.floor(minutes / MINUTES_PER_DAY)
  return { day: dayOf(days), minutes: minutes - days * MINUTES_PER_DAY }
}

/** 2026-11-15 14:32:07, Istanbul time. */
export function istanbulTime(date: Date): string {
  return new Date(date.getTime() + ISTANBUL_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')
}

/** Midnight in Istanbul at the start of a day (yyyy-mm-dd). */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00+03:00`)
}

/** Keyed by days since 1970. */
const dayOf = memoize((days: number) => new Date(days * MINUTES_PER_DAY * 60_000).toISOString().slice(0, 10))

/** The day (yyyy-mm-dd) that is so many days later, or earlier if negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * MINUTES_PER_DAY * 60_000).toISOString().slice(0, 10)
}

/** Whether the text is an existing day such as 2026-02-28. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text
}

import { memoize } from '../concurrency/memoize.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The only source of time. Only the composition root knows which clock is used. */
export type Clock = { now: () => Date }

export const realClock: Clock = { now: () => new Date() }

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000)
}

/** As in responses. Requests of one batch share their time, and formatting costs more than a cache lookup. */
export function isoTime(date: Date): string {
  return isoOf(date.getTime())
}

const isoOf = memoize((ms: number) => new Date(ms).toISOString())

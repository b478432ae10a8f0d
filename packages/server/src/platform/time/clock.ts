import { memoize } from '../concurrency/memoize.ts'

/** The only source of time. Code asks a clock; only the composition root knows which one. */
export type Clock = { now: () => Date }

export const realClock: Clock = { now: () => new Date() }

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000)
}

/** As answers show it. Requests that share a list share their moment, and writing it out takes longer than looking it up. */
export function isoTime(date: Date): string {
  return isoOf(date.getTime())
}

const isoOf = memoize((ms: number) => new Date(ms).toISOString())

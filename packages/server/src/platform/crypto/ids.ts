import type { Clock } from '../time/clock.ts'
import { unixSeconds } from '../time/clock.ts'
import type { Random } from './random.ts'
import { memoize } from '../concurrency/memoize.ts'

/** 24 lower-case hex characters: 4 bytes of seconds, then 8 random ones. New rows land at the end of an index. */
export type Ids = { next: () => string }

export function timeOrderedIds({ clock, random }: { clock: Clock; random: Random }): Ids {
  const prefixOf = memoize(secondsPrefix)
  return { next: () => prefixOf(unixSeconds(clock)) + random.hex(8) }
}

/** The smallest id that can have been made in this second: turns a time range into an id range. */
export function firstIdOfSecond(seconds: number): string {
  return `${secondsPrefix(seconds)}0000000000000000`
}

/** The time of a row and of its id are taken one after the other; longer than this apart, the row would not have been written. */
const APART_SECONDS = 30

/** Ids of rows that were created from this moment on, up to that one. A few before and after are among them. */
export function idsBetween(from: Date, to: Date): { notBefore: string; before: string } {
  const second = (time: Date) => Math.floor(time.getTime() / 1000)
  return {
    notBefore: firstIdOfSecond(second(from) - APART_SECONDS),
    before: firstIdOfSecond(second(to) + APART_SECONDS),
  }
}

export const ID_PATTERN = '^[0-9a-f]{24}$'

function secondsPrefix(seconds: number): string {
  return Math.min(Math.max(seconds, 0), 0xffffffff).toString(16).padStart(8, '0')
}

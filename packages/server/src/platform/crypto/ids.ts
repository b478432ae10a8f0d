import type { Clock } from '../time/clock.ts'
import { unixSeconds } from '../time/clock.ts'
import type { Random } from './random.ts'
import { memoize } from '../concurrency/memoize.ts'

/** 24 lower-case hex characters: 4 bytes of seconds, then 8 random ones. New rows are added at the end of an index. */
export type Ids = { next: () => string }

export function timeOrderedIds({ clock, random }: { clock: Clock; random: Random }): Ids {
  const prefixOf = memoize(secondsPrefix)
  return { next: () => prefixOf(unixSeconds(clock)) + random.hex(8) }
}

/** The smallest id of this second: converts a time range into an id range. */
export function firstIdOfSecond(seconds: number): string {
  return `${secondsPrefix(seconds)}0000000000000000`
}

/** The times of a row and of its id are read separately; a request with a larger difference would have failed. */
const MAX_SKEW_SECONDS = 30

/** Range of ids of rows created in this period. May include a few from just before and after it. */
export function idsBetween(from: Date, to: Date): { notBefore: string; before: string } {
  const secondOf = (time: Date) => Math.floor(time.getTime() / 1000)
  return {
    notBefore: firstIdOfSecond(secondOf(from) - MAX_SKEW_SECONDS),
    before: firstIdOfSecond(secondOf(to) + MAX_SKEW_SECONDS),
  }
}

export const ID_PATTERN = '^[0-9a-f]{24}$'

function secondsPrefix(seconds: number): string {
  return Math.min(Math.max(seconds, 0), 0xffffffff).toString(16).padStart(8, '0')
}

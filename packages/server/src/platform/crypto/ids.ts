import type { Clock } from '../time/clock.ts'
import type { Random } from './random.ts'
import { memoize } from '../concurrency/memoize.ts'

/**
 * 24 lower-case hex characters: 4 bytes of seconds, 2 of milliseconds and a counter, 6 random ones. So "newest first" by id
 * holds to the millisecond, and new rows are added at the end of an index.
 */
export type Ids = { next: () => string }

/** 1000 ms × 64 fit into two bytes. Later ids of the same millisecond share the last number. */
const PER_MS = 64

export function timeOrderedIds({ clock, random }: { clock: Clock; random: Random }): Ids {
  const prefixOf = memoize(secondsPrefix)
  let [lastMs, count] = [0, 0]
  return {
    next() {
      const ms = clock.now().getTime()
      count = ms === lastMs ? Math.min(count + 1, PER_MS - 1) : 0
      lastMs = ms
      const within = (((ms % 1000) + 1000) % 1000) * PER_MS + count
      return prefixOf(Math.floor(ms / 1000)) + within.toString(16).padStart(4, '0') + random.hex(6)
    },
  }
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

/** Creation time of an id. */
export function timeOfId(id: string): Date {
  return new Date(parseInt(id.slice(0, 8), 16) * 1000 + Math.floor(parseInt(id.slice(8, 12), 16) / PER_MS))
}

export const ID_PATTERN = '^[0-9a-f]{24}$'

function secondsPrefix(seconds: number): string {
  return Math.min(Math.max(seconds, 0), 0xffffffff).toString(16).padStart(8, '0')
}

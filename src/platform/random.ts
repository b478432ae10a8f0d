import { randomFillSync } from 'node:crypto'

export type Random = { bytes: (count: number) => Buffer }

// One system call fills 4 kB: at thousands of ids a second, a call for each id would cost more than the id.
const POOL_BYTES = 4096

export function secureRandom(): Random {
  let pool = Buffer.alloc(0)
  let used = 0
  return {
    bytes(count) {
      if (used + count > pool.length) {
        pool = randomFillSync(Buffer.alloc(Math.max(POOL_BYTES, count)))
        used = 0
      }
      used += count
      return pool.subarray(used - count, used)
    },
  }
}

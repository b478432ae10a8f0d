import { randomFillSync } from 'node:crypto'

/** `hex` returns `bytes` as text without an intermediate buffer: ids are made several times per request. */
export type Random = { bytes: (count: number) => Buffer; hex: (count: number) => string }

// One system call fills 4 kB: at thousands of ids per second, a call per id would cost more than the id.
const POOL_BYTES = 4096

export function secureRandom(): Random {
  let pool = Buffer.alloc(0)
  let used = 0
  function reserve(count: number): void {
    if (used + count > pool.length) {
      pool = randomFillSync(Buffer.alloc(Math.max(POOL_BYTES, count)))
      used = 0
    }
    used += count
  }
  return {
    bytes(count) {
      reserve(count)
      return pool.subarray(used - count, used)
    },
    hex(count) {
      reserve(count)
      return pool.toString('hex', used - count, used)
    },
  }
}

/** The same seed gives the same numbers, so that a failed run can be repeated with the same plan. */
export type SeededRandom = { below: (limit: number) => number; between: (low: number, high: number) => number }

/** mulberry32 */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (limit) => Math.floor(next() * limit),
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
  }
}

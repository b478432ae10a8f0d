/** Numbers that a seed decides (mulberry32). */
export type Random = {
  /** 0 to `below` - 1. */
  below: (below: number) => number
  pick: <T>(list: readonly T[]) => T | undefined
  amount: (from: number, to: number) => bigint
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    pick: (list) => list[below(list.length)],
    amount: (from, to) => BigInt(from + below(to - from + 1)),
  }
}

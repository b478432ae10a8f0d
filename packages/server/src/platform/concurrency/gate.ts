/** Lets so many through to each place at once; the others wait in order, and are told that they did. */
export type Gate = <Result>(place: string, work: (waited: boolean) => Promise<Result>) => Promise<Result>

export function openGate(limit: number): Gate {
  const places = new Map<string, { inside: number; waiting: (() => void)[] }>()
  return async (place, work) => {
    let at = places.get(place)
    if (!at) places.set(place, (at = { inside: 0, waiting: [] }))
    const { waiting } = at
    const waits = at.inside >= limit
    if (waits) await new Promise<void>((enter) => void waiting.push(enter))
    else at.inside++
    try {
      return await work(waits)
    } finally {
      const next = waiting.shift()
      // Whoever is next takes over the place of the one who leaves.
      if (next) next()
      else if (--at.inside === 0) places.delete(place)
    }
  }
}

/** Limits concurrency per key; excess calls wait in order, and `waited` tells them so. */
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
      // The next waiting call takes over the slot.
      if (next) next()
      else if (--at.inside === 0) places.delete(place)
    }
  }
}

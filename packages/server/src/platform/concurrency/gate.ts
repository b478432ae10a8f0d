/** Limits concurrency per key; excess calls wait in order, and `waited` tells them so. */
export type Gate = <Result>(key: string, work: (waited: boolean) => Promise<Result>) => Promise<Result>

export function openGate(limit: number): Gate {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (key, work) => {
    let queue = queues.get(key)
    if (!queue) queues.set(key, (queue = { running: 0, waiting: [] }))
    const { waiting } = queue
    const mustWait = queue.running >= limit
    if (mustWait) await new Promise<void>((start) => void waiting.push(start))
    else queue.running++
    try {
      return await work(mustWait)
    } finally {
      const next = waiting.shift()
      // The next waiting call takes over the slot.
      if (next) next()
      else if (--queue.running === 0) queues.delete(key)
    }
  }
}

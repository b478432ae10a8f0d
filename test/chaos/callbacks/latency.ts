import type { Evidence } from './evidence.ts'

/** From the commit of an event to its first acceptance, at every healthy endpoint that wants it, in milliseconds, rising. */
export function latenciesOf({ addresses, recorded, notes }: Evidence): number[] {
  const healthy = new Set(addresses.filter(({ kind }) => kind === 'healthy').map(({ receiver }) => receiver))
  const committed = new Map(recorded.map(({ id, committedAt }) => [id, committedAt]))
  const first = new Map<string, number>()
  for (const { receiver, id, acceptedAt } of notes) {
    const since = committed.get(id)
    if (!healthy.has(receiver) || acceptedAt === null || since === undefined) continue
    const key = `${receiver}/${id}`
    first.set(key, Math.min(first.get(key) ?? Infinity, acceptedAt - since))
  }
  return [...first.values()].toSorted((a, b) => a - b)
}

export function percentile(rising: number[], percent: number): number {
  return rising[Math.min(rising.length - 1, Math.floor((rising.length * percent) / 100))] ?? 0
}

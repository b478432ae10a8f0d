import type { Evidence } from './evidence.ts'

/**
 * A worker that is stopped inside a transaction keeps its locks until PostgreSQL ends it two seconds later, and so do up to two that wait
 * for them; then the backlog is sent. Events of this time are measured separately.
 */
const STALL_MS = 8000
/** Those that were under way when it was stopped. */
const BEFORE_MS = 1000

export type Latencies = {
  /** Rising, in milliseconds. */
  usual: number[]
  /** Of events that were recorded while a stopped worker could still hold locks. */
  stalled: number[]
}

/** From the commit of an event to its first acceptance, at every healthy endpoint that wants it. */
export function latenciesOf({ addresses, recorded, notes, stoppedAt }: Evidence): Latencies {
  const healthy = new Set(addresses.filter(({ kind }) => kind === 'healthy').map(({ receiver }) => receiver))
  const committed = new Map(recorded.map(({ id, committedAt }) => [id, committedAt]))
  const first = new Map<string, { since: number; ms: number }>()
  for (const { receiver, id, acceptedAt } of notes) {
    const since = committed.get(id)
    if (!healthy.has(receiver) || acceptedAt === null || since === undefined) continue
    const key = `${receiver}/${id}`
    first.set(key, { since, ms: Math.min(first.get(key)?.ms ?? Infinity, acceptedAt - since) })
  }
  const { usual = [], stalled = [] } = Object.groupBy(first.values(), ({ since }) => {
    return stoppedAt.some((at) => since > at - BEFORE_MS && since < at + STALL_MS) ? 'stalled' : 'usual'
  })
  const rising = (list: { ms: number }[]) => list.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return { usual: rising(usual), stalled: rising(stalled) }
}

export function percentile(rising: number[], percent: number): number {
  return rising[Math.min(rising.length - 1, Math.floor((rising.length * percent) / 100))] ?? 0
}

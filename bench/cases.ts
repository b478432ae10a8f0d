import type { Kind } from './load.ts'

/** The naive version, the product, two processes of it on one database, or another checkout (`before`). */
export type Variant = 'naive' | 'vezne' | 'vezne x2' | 'before'

export type Case = { kind: Kind; connections: number; merchants: 'spread' | 'hot'; variants: Variant[] }

/** Result of one load against one variant. */
export type Measured = {
  name: string
  variant: Variant
  round: number
  perSecond: number
  p50: number
  p99: number
  generatorCpu: number
}

const CONNECTIONS = [1, 64, 256]
/** Enough to keep two processes and two cores busy, few enough to keep latency meaningful. */
export const USUAL_CONNECTIONS = 64

/** With another checkout to compare with, only those two are measured. */
export function planCases(kinds: Kind[], only: number | undefined, against: boolean): Case[] {
  return kinds.flatMap((kind) =>
    CONNECTIONS.filter((connections) => only === undefined || connections === only).flatMap((connections) =>
      (['spread', 'hot'] as const).map((merchants) => ({
        kind,
        connections,
        merchants,
        variants: against ? ['before', 'vezne'] : variantsAt(connections),
      })),
    ),
  )
}

function variantsAt(connections: number): Variant[] {
  return connections === USUAL_CONNECTIONS ? ['naive', 'vezne', 'vezne x2'] : ['naive', 'vezne']
}

export function nameOf({ kind, connections, merchants }: Pick<Case, 'kind' | 'connections' | 'merchants'>): string {
  return `${kind} ${connections} ${merchants}`
}

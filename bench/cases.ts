import type { Kind } from './load.ts'

/** Who answers: the naive version, the product, or two processes of the product on one database. */
export type Variant = 'naive' | 'vezne' | 'vezne x2'

export type Case = { kind: Kind; connections: number; merchants: 'spread' | 'hot'; variants: Variant[] }

/** One load against one variant; what the report is made of. */
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
/** Enough to keep two processes and two cores busy, few enough that latency still says something. */
export const USUAL_CONNECTIONS = 64

export function planCases(kinds: Kind[], only?: number): Case[] {
  return kinds.flatMap((kind) =>
    CONNECTIONS.filter((connections) => only === undefined || connections === only).flatMap((connections) =>
      (['spread', 'hot'] as const).map((merchants) => ({
        kind,
        connections,
        merchants,
        variants: connections === USUAL_CONNECTIONS ? ['naive', 'vezne', 'vezne x2'] : ['naive', 'vezne'],
      })),
    ),
  )
}

export function nameOf({ kind, connections, merchants }: Pick<Case, 'kind' | 'connections' | 'merchants'>): string {
  return `${kind} ${connections} ${merchants}`
}

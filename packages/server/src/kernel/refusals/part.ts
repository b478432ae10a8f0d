import type { Said } from '../../platform/refusal.ts'
import type { FactsFor, Why } from './refuse.ts'

/** A sentence inside another one. */
export function part<W extends Why>(why: W, facts: FactsFor<W>): Said {
  return { why, facts }
}

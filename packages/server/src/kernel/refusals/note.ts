import type { Said } from '../../platform/refusal.ts'
import type { Facts, FactsOf, NoFacts } from './catalogue.ts'
import type { FileNotices } from './files.ts'
import type { NOTICES } from './notices.ts'

export type Notices = typeof NOTICES & FileNotices
type FactsFor<W extends keyof Notices> = FactsOf<Notices[W]>
type Given<W extends keyof Notices> = NoFacts extends FactsFor<W> ? [facts?: NoFacts] : [facts: FactsFor<W>]

/** What the service tells without refusing anything. */
export function note<W extends keyof Notices>(why: W, ...given: Given<W>): Said {
  const [facts = {}]: [Facts?] = given
  return { why, facts }
}

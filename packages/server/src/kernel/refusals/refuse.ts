import { Refusal } from '../../platform/refusal.ts'
import { BOOKS } from './books.ts'
import type { Facts, FactsOf, NoFacts, Reason } from './catalogue.ts'
import { PROPOSALS } from './proposals.ts'
import { CONNECTIONS } from './connections.ts'
import { DEPOSITS } from './deposits.ts'
import { IDENTITY } from './identity.ts'
import { LINES } from './lines.ts'
import { MERCHANTS } from './merchants.ts'
import { PAYOUTS } from './payouts.ts'
import { PLANS } from './plans.ts'
import { PEOPLE } from './people.ts'
import { STATEMENTS } from './statements.ts'
import { UNKNOWN } from './unknown.ts'
import { WEBHOOKS } from './webhooks.ts'
import { WITHDRAWALS } from './withdrawals.ts'

/** Every reason to refuse. The sentences are in `acts/refusals`, complete by type. */
export const REASONS = {
  ...UNKNOWN,
  ...LINES,
  ...STATEMENTS,
  ...CONNECTIONS,
  ...DEPOSITS,
  ...WITHDRAWALS,
  ...WEBHOOKS,
  ...PAYOUTS,
  ...BOOKS,
  ...PLANS,
  ...MERCHANTS,
  ...PEOPLE,
  ...IDENTITY,
  ...PROPOSALS,
}

export type Reasons = typeof REASONS
export type Why = keyof Reasons
export type FactsFor<W extends Why> = FactsOf<Reasons[W]>

type Extra = NonNullable<ConstructorParameters<typeof Refusal>[2]>
/** Reasons without facts need none. */
type Given<W extends Why> =
  NoFacts extends FactsFor<W> ? [facts?: NoFacts, extra?: Extra] : [facts: FactsFor<W>, extra?: Extra]

export function refuse<W extends Why>(why: W, ...given: Given<W>): Refusal {
  const [facts = {}, extra = {}]: [Facts?, Extra?] = given
  const { code }: Reason<Facts> = REASONS[why]
  return new Refusal(code, { said: { why, facts } }, extra)
}

/** Something is wrong with one field, or with several that must fit each other. The API answers each of them in `details`. */
export function refuseField<W extends Why>(fields: string | readonly string[], why: W, ...given: Given<W>): Refusal {
  const [facts = {}, extra = {}]: [Facts?, Extra?] = given
  const { code }: Reason<Facts> = REASONS[why]
  return new Refusal(code, { said: { why, facts }, fields: [fields].flat() }, extra)
}

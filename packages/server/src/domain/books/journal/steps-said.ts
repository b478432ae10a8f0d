import { money } from '../../../kernel/refusals/facts.ts'
import { part } from '../../../kernel/refusals/part.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { ProposeStep } from './propose-step.ts'

/** A refusal tells what to propose instead, one after the other. */
export function stepsSaid(step: ProposeStep, currency: string): Said[] {
  const steps: Said[] = []
  for (let next: ProposeStep | undefined = step; next !== undefined; next = next.afterwards) {
    const { kind, missing, terms } = next
    const { lineIds: lines, restOf = null, withdrawalId: withdrawal = null, settles = null } = terms
    const amount = (of: { amount: bigint } | undefined) => (of ? money(of.amount, currency) : null)
    const about = { kind, lines, restOf, withdrawal, settles, asksSettles: missing.includes('settles') }
    const amounts = { charge: amount(terms.charge), rest: amount(terms.rest) }
    steps.push(part('entry_to_propose', { ...about, ...amounts, isNext: steps.length > 0 }))
  }
  return steps
}

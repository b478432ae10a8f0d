import type { Log } from '../../../platform/log.ts'
import { RULES } from '../../../kernel/actor.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { lineSubject, proposalAbout } from '../../people/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { waitingLines } from '../../statements/index.ts'
import type { JournalDeps } from '../journal/plan.ts'
import { postPlanned } from '../journal/post-entry.ts'
import type { Rule } from './rule.ts'
import { fits, namesTransaction } from './rule.ts'
import { activeRules, lockRule } from './store.ts'
import { isOpen } from './try-rule.ts'

type Deps = JournalDeps & { log: Log }

const BATCH_SIZE = 500

/** Rules that say what the line is. Where several do, none books it. */
export function rulesFor(rules: Rule[], line: StoredLine): Rule[] {
  if (!isOpen(line) || line.candidateWithdrawalId !== null || namesTransaction(line)) return []
  return rules.filter((rule) => fits(rule, line))
}

/** Books what waits and one rule alone says. Read with every run: few lines wait, and what a rule may not book, people decide. */
export async function applyRules(app: Deps): Promise<number> {
  const rules = await activeRules(app)
  if (!rules.some(({ books }) => books)) return 0
  let [booked, after] = [0, '']
  for (;;) {
    const lines = await waitingLines(app.db, after, BATCH_SIZE)
    for (const line of lines) {
      const [rule, another] = rulesFor(rules, line)
      if (rule?.books && !another && (await bookByRule(app, rule, line))) booked += 1
    }
    if (lines.length < BATCH_SIZE) return booked
    after = lines.at(-1)?.id ?? ''
  }
}

/** By the plan of any journal entry. What that refuses, e.g. a debit that may be a payout's, waits for people. */
async function bookByRule(app: Deps, { id: ruleId }: Rule, line: StoredLine): Promise<boolean> {
  try {
    return await app.db.transaction(async (tx) => {
      if ((await proposalAbout(app, tx, lineSubject(line.id))) !== null) return false
      const rule = await lockRule(app, tx, ruleId)
      if (rule?.state !== 'active') return false
      const { kind, reason, proposedBy, approvedAt: proposedAt, approvedBy } = rule
      const its = { id: app.ids.next(), kind, reverses: null, terms: { lineIds: [line.id] }, ruleId }
      await postPlanned(app, tx, { ...its, reason, proposedBy, proposedAt, approvedBy }, RULES)
      return true
    })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'SERVICE_UNAVAILABLE') throw error
    return false
  }
}

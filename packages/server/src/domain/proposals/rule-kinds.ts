import { mustGiveReason } from '../../kernel/reason.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Rule, RuleChange } from '../books/index.ts'
import { checkChange, findRule, setRule, undoRule } from '../books/index.ts'
import type { Difference } from '../people/index.ts'
import type { ProposalDeps, ProposalKind } from './proposal-kind.ts'

const ofStaff = { merchantOf: () => null, action: 'rule.propose', approve: 'rule.approve', always: true } as const
const mustExplain = (why: string) => mustGiveReason('why', why)

const row = (as: Difference['as'], field: string, after: Difference['after'], before: Difference['before'] = null) => ({
  ...{ field, as, before, after },
})

/** What such lines are: said once by two people. `replaces`: the rule that ends with it. */
export const RULE_SET: ProposalKind<RuleChange, Rule> = {
  ...ofStaff,
  normalise: (app, terms) => checkChange(app, terms),
  targetOf: ({ replaces, direction, accountId, words }) =>
    replaces === null ? `rule:${direction} ${accountId ?? 'all'} ${words}` : `rule:${replaces}`,
  async describe(app, db, terms) {
    const { replaces, kind, direction, accountId, words, maxAmount, books } = await checkChange(app, terms)
    const before = replaces === null ? null : await mustFind(app, db, replaces)
    if (before?.state === 'ended') throw refuse('rule_ended', { rule: before.id })
    const account = accountId === null ? undefined : await app.banks.account(accountId)
    return {
      rows: [
        row('fact', 'replaces', replaces),
        row('fact', 'entry', kind, before?.kind ?? null),
        row('fact', 'direction', direction, before?.direction ?? null),
        row('fact', 'account', account?.iban ?? accountId, before?.accountId ?? null),
        row('text', 'words', words, before?.words ?? null),
        row('money', 'maxAmount', String(maxAmount), before ? String(before.maxAmount) : null),
        row('text', 'ruleBooks', books, before?.books ?? null),
      ],
      mustExplain,
    }
  },
  apply: (app, actor, terms, why) => setRule(app, actor, terms, why ?? ''),
}

/** The rule was wrong. What it booked meanwhile, people look at again. */
export const RULE_UNDO: ProposalKind<{ ruleId: string }, Rule> = {
  ...ofStaff,
  targetOf: ({ ruleId }) => `rule:${ruleId}`,
  async describe(app, db, { ruleId }) {
    const rule = await mustFind(app, db, ruleId)
    if (rule.undo) throw refuse('rule_undone', { rule: ruleId })
    return {
      rows: [row('fact', 'lineRule', `${ruleId} ${rule.words}`), row('fact', 'entries', String(rule.booked))],
      mustExplain,
    }
  },
  apply: (app, actor, { ruleId }, why) => undoRule(app, actor, ruleId, why ?? ''),
}

async function mustFind({ marks }: ProposalDeps, db: Parameters<typeof findRule>[0]['db'], id: string): Promise<Rule> {
  const rule = await findRule({ db, marks }, id)
  if (!rule) throw refuse('rule_unknown', { rule: id })
  return rule
}

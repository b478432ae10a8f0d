import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { approvalOf, authorized, authorizedByName } from '../../people/index.ts'
import type { JournalDeps } from '../journal/plan.ts'
import { postPlanned } from '../journal/post-entry.ts'
import { entriesOfRule } from '../journal/store.ts'
import type { Rule, RuleTerms } from './rule.ts'
import { checkRule } from './rule.ts'
import { insertRule, lockRule, updateRuleState } from './store.ts'

/** `replaces`: the rule that ends with it, which may be paused. */
export type RuleChange = RuleTerms & { replaces: string | null }

/** As it will be stored. */
export async function checkChange(app: Pick<JournalDeps, 'banks'>, change: RuleChange): Promise<RuleChange> {
  const { accountId } = change
  if (accountId !== null && !(await app.banks.account(accountId)))
    throw refuseField('account', 'account_unknown', { account: accountId })
  return { ...checkRule(change), replaces: change.replaces }
}

/** Two people once: from then on it books by itself. */
export async function setRule(app: JournalDeps, actor: Actor, change: RuleChange, reason: string): Promise<Rule> {
  mustGiveReason('why', reason)
  const { replaces, ...terms } = await checkChange(app, change)
  return authorizedByName(app, actor, 'rule.approve', async (tx, audit) => {
    const { proposedBy } = approvalOf(app)
    const before = replaces === null ? null : await mustLock(app, tx, replaces)
    if (before) await updateRuleState(app, tx, before, 'ended')
    const people = { proposedBy, approvedBy: actorName(actor), approvedAt: app.clock.now() }
    const rule: Rule = { id: app.ids.next(), ...terms, reason, ...people, state: 'active' }
    await insertRule(app, tx, rule)
    await audit(`rule:${rule.id}`, { before: before && asWritten(before), after: asWritten(rule) })
    return rule
  })
}

/** It books nothing more: one person is enough. */
export async function stopRule(
  app: JournalDeps,
  actor: Actor,
  id: string,
  to: 'paused' | 'ended',
  why: string,
): Promise<Rule> {
  mustGiveReason('why', why)
  return authorized(app, actor, 'rule.stop', async (tx, audit) => {
    const rule = await mustLock(app, tx, id)
    if (rule.state === to) return rule
    const after = await updateRuleState(app, tx, rule, to)
    await audit(`rule:${id}`, { before: { state: rule.state }, after: { state: to }, reason: why })
    return after
  })
}

/** More in one transaction would hold the lines of a day for long. */
const MAX_UNDONE = 1000

/** It was wrong: it ends, and what it has booked is taken back, the oldest first. */
export async function undoRule(
  app: JournalDeps,
  actor: Actor,
  id: string,
  reason: string,
): Promise<{ rule: Rule; undone: number; left: number }> {
  mustGiveReason('why', reason)
  return authorizedByName(app, actor, 'rule.approve', async (tx, audit) => {
    const { proposedBy, proposedAt } = approvalOf(app)
    const people = { proposedBy, proposedAt, approvedBy: actorName(actor), reason }
    const found = await lockRule(app, tx, id)
    if (!found) throw refuse('rule_unknown', { rule: id })
    const rule = await updateRuleState(app, tx, found, 'ended')
    const entries = await entriesOfRule(tx, id, MAX_UNDONE + 1)
    const undone = entries.slice(0, MAX_UNDONE)
    for (const reverses of undone) {
      const its = { id: app.ids.next(), kind: 'reversal' as const, reverses, terms: { lineIds: [] }, ruleId: null }
      await postPlanned(app, tx, { ...its, ...people }, actor)
    }
    await audit(`rule:${id}`, { before: { state: found.state }, after: { state: 'ended', undone: undone.length } })
    return { rule, undone: undone.length, left: entries.length - undone.length }
  })
}

async function mustLock(app: JournalDeps, tx: Tx, id: string): Promise<Rule> {
  const rule = await lockRule(app, tx, id)
  if (!rule) throw refuse('rule_unknown', { rule: id })
  if (rule.state === 'ended') throw refuse('rule_ended', { rule: id })
  return rule
}

const asWritten = ({ kind, direction, accountId, words, maxAmount, books, state }: Rule) => {
  return { kind, direction, accountId, words, maxAmount: String(maxAmount), books, state }
}

import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { approvalOf, authorized, authorizedByName } from '../../people/index.ts'
import type { JournalDeps } from '../journal/plan.ts'
import type { Rule, RuleTerms } from './rule.ts'
import { checkRule } from './rule.ts'
import { insertRule, lockRule, stopInPlace } from './store.ts'

/** `replaces`: the rule that ends with it, which may be paused. */
export type RuleChange = RuleTerms & { replaces: string | null }

/** As it will be stored. The account may be named by its IBAN. */
export async function checkChange({ banks }: Pick<JournalDeps, 'banks'>, change: RuleChange): Promise<RuleChange> {
  const { accountId: given, replaces } = change
  if (given === null) return { ...checkRule(change), replaces }
  const account = (await banks.account(given)) ?? (await banks.accountByIban(normaliseIban(given)))
  if (!account) throw refuseField('account', 'account_unknown', { account: given })
  return { ...checkRule({ ...change, accountId: account.id }), replaces }
}

/** Two people once: from then on it books by itself. */
export async function setRule(app: JournalDeps, actor: Actor, change: RuleChange, reason: string): Promise<Rule> {
  mustGiveReason('why', reason)
  const { replaces, ...terms } = await checkChange(app, change)
  return authorizedByName(app, actor, 'rule.approve', async (tx, audit) => {
    const { proposedBy } = approvalOf(app)
    const before = replaces === null ? null : await mustLock(app, tx, replaces)
    if (before) await stopInPlace(app, tx, before, { state: 'ended' })
    const people = { proposedBy, approvedBy: actorName(actor), approvedAt: app.clock.now() }
    const rule: Rule = { id: app.ids.next(), ...terms, reason, ...people, state: 'active', undo: null, booked: 0 }
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
    const after = await stopInPlace(app, tx, rule, { state: to })
    await audit(`rule:${id}`, { before: { state: rule.state }, after: { state: to }, reason: why })
    return after
  })
}

/** It was wrong: it ends, and the worker takes back what it has booked, entry by entry. */
export async function undoRule(app: JournalDeps, actor: Actor, id: string, reason: string): Promise<Rule> {
  mustGiveReason('why', reason)
  return authorizedByName(app, actor, 'rule.approve', async (tx, audit) => {
    const { proposedBy, proposedAt } = approvalOf(app)
    const rule = await lockRule(app, tx, id)
    if (!rule) throw refuse('rule_unknown', { rule: id })
    if (rule.undo) throw refuse('rule_undone', { rule: id })
    const undo = { proposedBy, proposedAt, approvedBy: actorName(actor), reason }
    const after = await stopInPlace(app, tx, rule, { state: 'ended', undo })
    await audit(`rule:${id}`, { before: { state: rule.state }, after: { state: 'ended', undone: rule.booked } })
    return after
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

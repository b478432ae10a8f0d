import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { addDays, isDay, istanbul, startOfDay } from '../../../kernel/istanbul.ts'
import { isReason, mustGiveReason } from '../../../kernel/reason.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { part } from '../../../kernel/refusals/part.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { closedUntil, lockPastDays, updateClosedUntil } from '../../ledger/index.ts'
import type { Authority, Word } from '../../people/index.ts'
import { authorizedByName, forged, lockEntitled, markWord, mustBeOfPerson, ofPeople } from '../../people/index.ts'
import { isUnexplained } from './difference.ts'
import type { Figures } from './figures.ts'
import { changedFigures } from './figures.ts'
import { meantProposal } from './meant-proposal.ts'
import type { DayProof } from './prove-day.ts'
import { proveDayIn } from './prove-day.ts'
import type { Decision, StoredDifference } from './store.ts'
import {
  insertBalances,
  insertDecision,
  insertDifferences,
  insertMovements,
  lastClosing,
  openProposals,
  planAsReport,
  proposalsOf,
  selectMovements,
} from './store.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids }

/** Until then, entries dated to the day that has just ended may still be written without the lock of past days. */
const MINUTES_AFTER_MIDNIGHT = 10

/** `equal`: who proposed the same figures before, and may still decide. */
export type DayDecision = { state: 'proposed' | 'closed' | 'reopened'; proof: DayProof; equal?: string[] }

/**
 * Without `figures`, proposes to close the day; only if its figures are those that were `seen`, if they are given. With `figures`, a
 * second person who saw the same closes it: entries about it are then dated to the next open day.
 */
export async function closeDay(
  app: Deps,
  actor: Actor,
  day: string,
  said: { figures?: string | undefined; seen?: string | undefined; reason?: string | undefined },
): Promise<DayDecision> {
  const reason = said.reason?.trim() ?? null
  if (reason !== null) mustGiveReason('why', reason)
  return authorizedByName(app, actor, 'day.close', async (tx, audit) => {
    await lockPastDays(tx)
    await mustBeNextToClose(app, tx, day)
    await planAsReport(tx)
    const proof = await proveDayIn(tx, day)
    if (said.seen !== undefined && said.seen !== proof.hash)
      throw refuse('day_figures_not_seen', { day, figures: proof.hash, seen: said.seen })
    mustBeExplained(proof, reason)
    const decision = {
      id: app.ids.next(),
      day,
      action: 'close' as const,
      operator: actorName(actor),
      figuresHash: proof.hash,
      figures: proof.figures,
      reason,
      decidedAt: app.clock.now(),
    }
    if (said.figures === undefined) {
      const equal = await equalProposers(app, tx, proof, actor)
      await insertDecision(tx, { ...decision, completes: null })
      await markWord(app, tx, wordOf(decision))
      await audit(`day:${day}`, { after: { state: 'proposed', figures: proof.hash }, reason })
      return { state: 'proposed', proof, equal }
    }
    const proposal = await mustAgree(app, tx, proof, said.figures, actor)
    await insertDecision(tx, { ...decision, completes: proposal.id })
    await insertBalances(tx, decision.id, proof.balances)
    await insertDifferences(tx, decision.id, carried(proof))
    await insertMovements(tx, decision.id, await selectMovements(tx, { after: addDays(day, -1), until: day }, null))
    await updateClosedUntil(tx, day)
    await audit(`day:${day}`, { after: { state: 'closed', figures: proof.hash }, reason })
    return { state: 'closed', proof: { ...proof, closed: true } }
  })
}

/** Of two people who propose at once, the second is told of the first: either may close the day then. */
async function equalProposers(app: Deps, tx: Tx, { day, hash }: DayProof, actor: Actor): Promise<string[]> {
  const open = (await proposalsOf(tx, day, 'close')).filter(({ figuresHash }) => figuresHash === hash)
  const entitled = await lockProposers(app, tx, open)
  return [...entitled].filter((name) => name !== actorName(actor))
}

/** When a day may be closed. */
export function closableFrom(day: string): Date {
  return new Date(startOfDay(addDays(day, 1)).getTime() + MINUTES_AFTER_MIDNIGHT * 60_000)
}

async function mustBeNextToClose({ clock }: Deps, tx: Tx, day: string): Promise<void> {
  if (!isDay(day)) throw refuseField('day', 'day_malformed')
  const until = await closedUntil(tx)
  if (until !== null && day <= until) throw refuse('day_closed', { day, until })
  if (until !== null && day !== addDays(until, 1)) throw refuse('day_not_next', { next: addDays(until, 1) })
  const from = closableFrom(day)
  if (clock.now() < from)
    throw refuse('day_not_over', { day, from: istanbul(from).day, time: `00:${MINUTES_AFTER_MIDNIGHT}` })
}

function mustBeExplained({ day, accounts }: DayProof, reason: string | null): void {
  if (reason !== null && isReason(reason)) return
  const open = accounts.filter(({ unexplained }) => unexplained !== 0n)
  const unproven = accounts.filter(({ proven }) => !proven)
  if (open.length === 0 && unproven.length > 0)
    throw refuse('day_not_proven', { day, ibans: unproven.map(({ iban }) => iban) })
  if (open.length === 0) return
  throw refuse('day_not_explained', { day, ibans: open.map(({ iban }) => iban) })
}

/** The figures are still those of a proposal by another person, who may still decide. */
async function mustAgree(app: Deps, tx: Tx, proof: DayProof, figures: string, actor: Actor): Promise<Decision> {
  const { day, hash } = proof
  const proposal = await proposalFor(app, tx, await proposalsOf(tx, day, 'close'), actor)
  if (!proposal) throw refuse('day_close_not_proposed', { day })
  if (proposal.figuresHash !== hash) {
    const changes = changesBetween(proposal.figures, proof)
    throw refuse('day_figures_changed', { day, proposedBy: proposal.operator, ...changes })
  }
  if (figures !== hash) throw refuse('day_figures_not_seen', { day, figures: hash, seen: figures })
  await mustBeAnother(app, tx, proposal, actor)
  await mustBeOfPerson(app, tx, wordOf(proposal))
  return proposal
}

/** Open proposals that were written in SQL. */
export async function forgedProposals(app: Pick<Deps, 'marks'> & { db: Queryable }): Promise<Decision[]> {
  const waiting = await openProposals(app.db, await closedUntil(app.db))
  return forged(app, app.db, waiting, wordOf)
}

export async function forgedDays(app: Pick<Deps, 'marks'> & { db: Queryable }): Promise<string[]> {
  return [...new Set((await forgedProposals(app)).map(({ day }) => day))]
}

/** Marked when it is proposed, and checked when another person agrees. */
function wordOf({
  id,
  day,
  action,
  operator,
  figuresHash,
}: Pick<Decision, 'id' | 'day' | 'action' | 'operator' | 'figuresHash'>): Word {
  return { row: ['book_decisions', id], person: operator, says: { day, action, figuresHash } }
}

async function mustBeAnother(app: Deps, tx: Tx, proposal: Decision, actor: Actor): Promise<void> {
  if (proposal.operator === actorName(actor)) throw refuse('proposal_own', { proposedBy: proposal.operator })
  if (!(await mayStillDecide(app, tx, proposal)))
    throw refuse('day_proposer_not_entitled', { day: proposal.day, proposedBy: proposal.operator })
}

async function mayStillDecide(app: Deps, tx: Tx, proposal: Decision): Promise<boolean> {
  return (await lockProposers(app, tx, [proposal])).size > 0
}

const lockProposers = (app: Deps, tx: Tx, proposals: Decision[]): Promise<Set<string>> =>
  lockEntitled(
    app,
    tx,
    proposals.map(({ operator }) => operator),
    proposals[0]?.action === 'reopen' ? 'day.reopen' : 'day.close',
  )

async function proposalFor(app: Deps, tx: Tx, open: Decision[], actor: Actor): Promise<Decision | undefined> {
  const entitled = await lockProposers(app, tx, open)
  return meantProposal(open, (operator) => entitled.has(operator), actorName(actor))
}

const SHOWN = 5

/** The first few, and how many others there are. */
function changesBetween(before: Figures, { figures, accounts }: DayProof): { changed: Said[]; more: number } {
  const changed = changedFigures(before, figures)
  const parts = changed.slice(0, SHOWN).map((one) => {
    const [account = '', figure = '', subject = ''] = one.name.split(' ')
    const currency = accounts.find(({ iban }) => iban === account)?.currency ?? account
    const amount = (value: string | null) =>
      value === null || value === 'null' ? null : money(BigInt(value), currency)
    const facts = { account, figure, subject: subject === '' ? null : subject }
    return part('day_figure_changed', { ...facts, before: amount(one.before), now: amount(one.now) })
  })
  return { changed: parts, more: changed.length - parts.length }
}

/** What is open at the end of the day, for the days after it. What was not explained is accepted from now on. */
function carried({ accounts }: DayProof): StoredDifference[] {
  const all = accounts.flatMap(({ collectingAccountId, differences }) =>
    differences.map(({ subject, merchantId, kind, amount }) => ({
      collectingAccountId,
      subject,
      merchantId,
      kind: isUnexplained({ kind }) ? 'accepted' : kind,
      amount,
    })),
  )
  // An accepted rest of an earlier day and one of this day are one row.
  const byKey = Map.groupBy(all, ({ collectingAccountId, subject }) => `${collectingAccountId} ${subject}`)
  return [...byKey.values()].map((rows) => ({
    ...(rows[0] as StoredDifference),
    amount: rows.reduce((total, { amount }) => total + amount, 0n),
  }))
}

/** Two people open the last closed day again: the first proposes, another says the same. */
export async function reopenDay(app: Deps, actor: Actor, day: string, why: string): Promise<DayDecision> {
  mustGiveReason('why', why)
  return authorizedByName(app, actor, 'day.reopen', async (tx, audit) => {
    await lockPastDays(tx)
    await planAsReport(tx)
    const closing = await lastClosing(tx, null)
    if (closing?.day !== day) throw refuse('day_not_last_closed', { last: closing?.day ?? null })
    const proof = await proveDayIn(tx, day)
    const open = (await proposalsOf(tx, day, 'reopen')).filter(({ figuresHash }) => figuresHash === closing.id)
    const proposal = await proposalFor(app, tx, open, actor)
    // A proposal of someone who may not decide any more counts for nothing.
    const isMeant = proposal !== undefined && (await mayStillDecide(app, tx, proposal))
    // Nor does one that was written in SQL.
    const [standing = null] = await ofPeople(app, tx, isMeant ? [proposal] : [], wordOf)
    if (standing) await mustBeAnother(app, tx, standing, actor)
    const decision = {
      ...{ id: app.ids.next(), day, action: 'reopen' as const, operator: actorName(actor), figuresHash: closing.id },
      ...{ figures: proof.figures, reason: why.trim(), decidedAt: app.clock.now(), completes: standing?.id ?? null },
    }
    await insertDecision(tx, decision)
    if (!standing) await markWord(app, tx, wordOf(decision))
    const state = standing ? 'reopened' : 'proposed'
    await audit(`day:${day}`, { before: { state: 'closed' }, after: { state }, reason: why })
    if (!standing) return { state, proof }
    await updateClosedUntil(tx, (await lastClosing(tx, null))?.day ?? null)
    return { state, proof: { ...proof, closed: false } }
  })
}

import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import { part } from '../../../kernel/refusals/part.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Said } from '../../../platform/refusal.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { authorizedByName, lockEntitled, mustBeOfPerson, releaseSubjects } from '../../people/index.ts'
import type { JournalEntry, Seen } from './journal-entry.ts'
import { readDetails, wordOf, writeDetails } from './journal-entry.ts'
import type { JournalDeps, Plan } from './plan.ts'
import { seenOf } from './plan.ts'
import { PLANS } from './plans.ts'
import { postPlan } from './post-plan.ts'
import { lockEntry, updateDecided, updateReversed } from './store.ts'

/** The second person approves exactly what was proposed: if anything of it has changed since, nothing is booked. */
export async function approveEntry(app: JournalDeps, actor: Actor, id: string): Promise<JournalEntry> {
  return authorizedByName(app, actor, 'journal.approve', async (tx, audit) => {
    const entry = await lockOpen(tx, id)
    await mustBeAnother(app, tx, entry, actor)
    await mustBeOfPerson(app, tx, wordOf(entry))
    const plan = await planAgain(app, tx, entry)
    mustBeAsSeen(entry, plan)
    const decided = { state: 'posted' as const, decidedBy: actorName(actor), note: null }
    await end(app, tx, id, decided)
    if (entry.reverses !== null) await updateReversed(tx, entry.reverses, app.clock.now())
    await postPlan(app, tx, entry, plan, actor)
    await audit(`journal:${id}`, { before: { state: entry.state }, after: { state: 'posted', kind: entry.kind } })
    return { ...entry, ...decided, decidedAt: app.clock.now() }
  }).catch(explainOpening)
}

/** Anyone may reject a proposal, also who made it. */
export async function rejectEntry(app: JournalDeps, actor: Actor, id: string, why: string): Promise<JournalEntry> {
  mustGiveReason('why', why)
  return authorizedByName(app, actor, 'journal.reject', async (tx, audit) => {
    const entry = await lockOpen(tx, id)
    const decided = { state: 'rejected' as const, decidedBy: actorName(actor), note: why }
    await end(app, tx, id, decided)
    await audit(`journal:${id}`, {
      before: { state: entry.state },
      after: { state: 'rejected' },
      reason: 'see journal_entries',
    })
    return { ...entry, ...decided, decidedAt: app.clock.now() }
  })
}

/** Who made a proposal takes it back; any other person rejects it. */
export async function withdrawEntry(app: JournalDeps, actor: Actor, id: string, why: string): Promise<JournalEntry> {
  mustGiveReason('why', why)
  return authorizedByName(app, actor, 'journal.reject', async (tx, audit) => {
    const entry = await lockOpen(tx, id)
    if (entry.proposedBy !== actorName(actor))
      throw refuse('books_proposal_of_another', { proposedBy: entry.proposedBy })
    const decided = { state: 'withdrawn' as const, decidedBy: actorName(actor), note: why }
    await end(app, tx, id, decided)
    await audit(`journal:${id}`, {
      before: { state: entry.state },
      after: { state: 'withdrawn' },
      reason: 'see journal_entries',
    })
    return { ...entry, ...decided, decidedAt: app.clock.now() }
  })
}

type Decided = Parameters<typeof updateDecided>[2]

/** Its lines are free for another proposal. */
async function end(app: JournalDeps, tx: Tx, id: string, decided: Decided): Promise<void> {
  await updateDecided(tx, id, decided, app.clock.now())
  await releaseSubjects(tx, id)
}

async function lockOpen(tx: Tx, id: string): Promise<JournalEntry> {
  const entry = await lockEntry(tx, id)
  if (!entry) throw refuse('journal_entry_unknown', { entry: id })
  const { state, decidedBy } = entry
  if (state !== 'proposed') throw refuse('journal_entry_decided', { state, decidedBy: decidedBy ?? '' })
  return entry
}

async function mustBeAnother(app: JournalDeps, tx: Tx, entry: JournalEntry, actor: Actor): Promise<void> {
  const { proposedBy } = entry
  if (actorName(actor) === proposedBy) throw refuse('proposal_own', { proposedBy })
  if ((await lockEntitled(app, tx, [proposedBy], 'journal.propose')).has(proposedBy)) return
  throw refuse('journal_entry_proposer_not_entitled', { proposedBy, entry: entry.id })
}

/** What it is about may have become something for which it cannot be posted any more. */
async function planAgain(app: JournalDeps, tx: Tx, entry: JournalEntry): Promise<Plan> {
  try {
    return await PLANS[entry.kind](app, tx, { ...entry, terms: entry.details.terms })
  } catch (error) {
    // A lost database says nothing about the proposal.
    if (!(error instanceof Refusal) || error.code === 'SERVICE_UNAVAILABLE') throw error
    const facts = { entry: entry.id, fields: [...error.fields], because: error.said ?? error.message }
    throw refuse('journal_entry_not_postable', facts, { cause: error })
  }
}

function mustBeAsSeen({ id, details }: JournalEntry, plan: Plan): void {
  const now = readDetails(JSON.parse(writeDetails({ ...details, seen: seenOf(plan) }))).seen
  const changed = changesSince(details.seen, now)
  if (changed.length > 0) throw refuse('journal_entry_outdated', { entry: id, changed })
}

function changesSince(before: Seen, now: Seen): Said[] {
  const lines = before.lines.flatMap((line) => {
    const found = now.lines.find(({ id }) => id === line.id)
    if (isDeepStrictEqual(found, line)) return []
    const was = { line: line.id, before: line.state, reasonBefore: line.reason }
    return [part('entry_line_changed', { ...was, now: found?.state ?? null, reasonNow: found?.reason ?? null })]
  })
  const deposits = before.deposits.flatMap((deposit) => {
    const found = now.deposits.find(({ id }) => id === deposit.id)
    if (isDeepStrictEqual(found, deposit)) return []
    const { id, status } = deposit
    return [part('entry_deposit_changed', { deposit: id, before: status, now: found?.status ?? null })]
  })
  const { payout, payoutState: was = null } = before
  const { payoutState: is = null } = now
  const payouts = was === is ? [] : [part('entry_payout_changed', { payout, before: was, now: is })]
  const others = isDeepStrictEqual(before, now) ? [] : [part('entry_bookings_changed', {})]
  const named = [...lines, ...deposits, ...payouts]
  return named.length > 0 ? named : others
}

function explainOpening(error: unknown): never {
  if ((error as { constraint?: string }).constraint !== 'journal_entries_one_opening') throw error
  throw refuse('opening_balance_booked')
}

import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { authorizedByName, mustBeApproved } from '../../people/index.ts'
import type { JournalEntry } from './journal-entry.ts'
import type { Draft, JournalDeps, Proposed } from './plan.ts'
import { seenOf } from './plan.ts'
import { planOf } from './plans.ts'
import { postPlan } from './post-plan.ts'
import { insertEntry, updateReversed } from './store.ts'
import { takesTwo } from './takes-two.ts'

/** Booked by one person, or as one proposed and another approved it. Its id is then that of the proposal. */
export async function postEntry(
  app: JournalDeps,
  actor: Actor,
  { kind, terms, reverses = null }: Proposed,
  reason: string,
): Promise<JournalEntry> {
  mustGiveReason('why', reason)
  const { approval } = app
  const action = approval ? 'journal.approve' : 'journal.propose'
  return authorizedByName(app, actor, action, async (tx, audit) => {
    const [name, now] = [actorName(actor), app.clock.now()]
    const people = approval
      ? { id: approval.id, proposedBy: approval.proposedBy, proposedAt: approval.proposedAt, approvedBy: name }
      : { id: app.ids.next(), proposedBy: name, proposedAt: now, approvedBy: null }
    const entry = await postPlanned(app, tx, { kind, reverses, terms, ...people, reason, ruleId: null }, actor)
    const lines = entry.details.seen.lines.map((line) => line.id)
    await audit(`journal:${entry.id}`, { after: { state: 'posted', kind, reverses, lines } })
    return entry
  }).catch(explainOpening)
}

type New = Draft & Omit<JournalEntry, 'details' | 'postedAt' | 'reversedAt'>

/** In the transaction of who decides, who are the people of the entry: one where one suffices. */
export async function postPlanned(app: JournalDeps, tx: Tx, given: New, actor: Actor): Promise<JournalEntry> {
  const { terms, ...its } = given
  const { id, kind, reverses } = its
  const plan = await planOf(app, tx, { id, kind, reverses, terms })
  if (its.approvedBy === null && (await takesTwo(app, tx, given, plan))) mustBeApproved(app, { always: true })
  const { iban: _iban, name: _name, ...kept } = terms
  // The withdrawal of a refund has its recipient, who is erased with it; an entry stays as it is.
  const details = { terms: kept, seen: seenOf(plan) }
  const entry: JournalEntry = { ...its, details, postedAt: app.clock.now(), reversedAt: null }
  const lineIds = plan.lines.map(({ line }) => line.id)
  await insertEntry(tx, entry, lineIds)
  if (reverses !== null) await updateReversed(tx, reverses, entry.postedAt)
  await postPlan(app, tx, entry, plan, actor)
  return entry
}

function explainOpening(error: unknown): never {
  if ((error as { constraint?: string }).constraint !== 'journal_entries_one_opening') throw error
  throw refuse('opening_balance_booked')
}

import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { authorizedByName, approvalOf } from '../../people/index.ts'
import type { JournalEntry } from './journal-entry.ts'
import type { Draft, JournalDeps, Proposed } from './plan.ts'
import { seenOf } from './plan.ts'
import { planOf } from './plans.ts'
import { postPlan } from './post-plan.ts'
import { insertEntry, updateReversed } from './store.ts'

/** What one person proposed and another approved is booked. Its id is that of the proposal. */
export async function postEntry(
  app: JournalDeps,
  actor: Actor,
  { kind, terms, reverses = null }: Proposed,
  reason: string,
): Promise<JournalEntry> {
  mustGiveReason('why', reason)
  return authorizedByName(app, actor, 'journal.approve', async (tx, audit) => {
    const { id, proposedBy, proposedAt } = approvalOf(app)
    const people = { proposedBy, proposedAt, approvedBy: actorName(actor), reason }
    const entry = await postPlanned(app, tx, { id, kind, reverses, terms, ...people, ruleId: null }, actor)
    const lines = entry.details.seen.lines.map((line) => line.id)
    await audit(`journal:${id}`, { after: { state: 'posted', kind, reverses, lines } })
    return entry
  }).catch(explainOpening)
}

type New = Draft & Omit<JournalEntry, 'details' | 'postedAt' | 'reversedAt'>

/** In the transaction of who decides, who are the people of the entry. */
export async function postPlanned(app: JournalDeps, tx: Tx, given: New, actor: Actor): Promise<JournalEntry> {
  const { terms, ...its } = given
  const { id, kind, reverses } = its
  const plan = await planOf(app, tx, { id, kind, reverses, terms })
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

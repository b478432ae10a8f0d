import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { authorizedByName, claimSubjects, lineSubject, markWord } from '../../people/index.ts'
import { recordDecision } from '../../matching/index.ts'
import type { JournalEntry, JournalKind, Terms } from './journal-entry.ts'
import { readDetails, wordOf, writeDetails } from './journal-entry.ts'
import type { JournalDeps } from './plan.ts'
import { seenOf } from './plan.ts'
import { PLANS } from './plans.ts'
import { insertEntry, listProposedBy } from './store.ts'

/** `once`: refused while the same person's equal proposal waits, because a form may be sent twice. */
export type Proposal = { kind: JournalKind; terms: Terms; reason: string; reverses?: string; once?: true }

/** The first of two people says what the lines are. Books nothing; what would be booked is stored, for the second to approve. */
export async function proposeEntry(app: JournalDeps, actor: Actor, proposal: Proposal): Promise<JournalEntry> {
  const { kind, terms, reason, reverses = null } = proposal
  mustGiveReason('why', reason)
  return authorizedByName(app, actor, 'journal.propose', async (tx, audit) => {
    const id = app.ids.next()
    const plan = await PLANS[kind](app, tx, { id, kind, reverses, terms })
    const details = { terms: plan.terms ?? terms, seen: seenOf(plan) }
    const lineIds = plan.lines.map(({ line }) => line.id)
    if (proposal.once) await mustBeNew(tx, { kind, reverses, details, proposedBy: actorName(actor) })
    const claim = { proposalId: id, kind: 'journal', proposedBy: actorName(actor), until: null }
    await claimSubjects(app, tx, claim, lineIds.map(lineSubject))
    const proposed = { proposedBy: actorName(actor), proposedAt: app.clock.now(), state: 'proposed' as const }
    const open = { decidedBy: null, decidedAt: null, note: null, reversedAt: null }
    const entry: JournalEntry = { id, kind, details, reason, reverses, ...proposed, ...open }
    await insertEntry(tx, entry, lineIds)
    await markWord(app, tx, wordOf(entry))
    const reasons = [{ field: 'journal entry', verdict: `${kind} ${id}` }]
    for (const { line } of plan.lines)
      await recordDecision(app, tx, line.id, { verdict: line.state, why: 'journal_proposed', by: actor, reasons })
    await audit(`journal:${id}`, {
      after: { state: 'proposed', kind, reverses, lines: lineIds },
      reason: 'see journal_entries',
    })
    return entry
  })
}

/** What the proposal is about is locked, so that the second sees the first. */
async function mustBeNew(
  tx: Tx,
  { kind, reverses, details, proposedBy }: Pick<JournalEntry, 'kind' | 'reverses' | 'details' | 'proposedBy'>,
): Promise<void> {
  const { terms } = readDetails(JSON.parse(writeDetails(details)))
  const same = (await listProposedBy(tx, proposedBy)).find(
    (one) => one.kind === kind && one.reverses === reverses && isDeepStrictEqual(one.details.terms, terms),
  )
  if (same) throw refuse('journal_entry_proposed_before', { proposedBy, entry: same.id })
}

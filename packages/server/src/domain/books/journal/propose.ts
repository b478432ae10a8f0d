import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import { authorizedByName } from '../../people/index.ts'
import { recordDecision } from '../../matching/index.ts'
import type { JournalEntry, JournalKind, Terms } from './journal-entry.ts'
import type { JournalDeps } from './plan.ts'
import { seenOf } from './plan.ts'
import { PLANS } from './plans.ts'
import { insertEntry } from './store.ts'

export type Proposal = { kind: JournalKind; terms: Terms; reason: string; reverses?: string }

/** The first of two people says what the lines are. Books nothing; what would be booked is stored, for the second to approve. */
export async function proposeEntry(app: JournalDeps, actor: Actor, proposal: Proposal): Promise<JournalEntry> {
  const { kind, terms, reason, reverses = null } = proposal
  mustGiveReason('why', reason, 'must say why, in five characters or more')
  return authorizedByName(app, actor, 'journal.propose', async (tx, audit) => {
    const id = app.ids.next()
    const plan = await PLANS[kind](app, tx, { id, kind, reverses, terms })
    const details = { terms: plan.terms ?? terms, seen: seenOf(plan) }
    const proposed = { proposedBy: actorName(actor), proposedAt: app.clock.now(), state: 'proposed' as const }
    const open = { decidedBy: null, decidedAt: null, note: null, reversedAt: null }
    const entry: JournalEntry = { id, kind, details, reason, reverses, ...proposed, ...open }
    const lineIds = plan.lines.map(({ line }) => line.id)
    await insertEntry(tx, entry, lineIds)
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

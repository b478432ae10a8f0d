import type { Tx } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { deleteSubjects, selectClaims } from '../subjects/store.ts'
import { updateDecided } from './store.ts'

/** Ends the open proposal about what has ended itself. The caller has locked the subject: whoever proposes or approves locks it first. */
export async function endProposals({ clock }: { clock: Clock }, tx: Tx, subject: string): Promise<void> {
  const now = clock.now()
  for (const { proposalId } of await selectClaims(tx, [subject], now)) {
    await updateDecided(tx, proposalId, { state: 'expired', decidedBy: null, note: null, kept: null }, now)
    await deleteSubjects(tx, proposalId)
  }
}

import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { invalidField } from '../../platform/refusal.ts'
import { markAllUnread } from '../statements/index.ts'
import { doubtIntents } from '../payouts/index.ts'
import { upsertRestore } from '../withdrawals/index.ts'

/**
 * The database was restored to an earlier moment: what was sent after it is not known here. From now on nothing is sent until a
 * person has checked. Payouts that waited to be sent are in doubt, so that the bank is asked before any of them is sent.
 */
export async function markRestored(
  { db, clock }: { db: Db; clock: Clock },
  { to, by }: { to: Date; by: string },
): Promise<void> {
  const now = clock.now()
  if (to > now) throw invalidField('at', 'must be in the past: the moment up to which the database was restored')
  await db.transaction(async (tx) => {
    await upsertRestore(tx, { restoredTo: to, markedBy: by, markedAt: now })
    await doubtIntents(tx, now)
    // Statements count as unread until they were read again: no deposit expires before.
    await markAllUnread(tx)
  })
}

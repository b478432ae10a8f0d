import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Queryable } from '../../../platform/postgres/db.ts'
import { invalidField, Refusal } from '../../../platform/refusal.ts'
import { markAllUnread } from '../../statements/index.ts'
import { doubtIntents } from '../payouts/store.ts'
import type { Withdrawal } from '../withdrawal.ts'
import { isFoundUnsent } from './found-unsent.ts'
import { selectOpenRestore, upsertRestore } from './store.ts'

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

/** Ending a withdrawal gives its money back. The bank may have paid one that is older than the mark, until a check has found it unsent. */
export async function mustNotAwaitCheck(db: Queryable, withdrawal: Withdrawal): Promise<void> {
  const open = await selectOpenRestore(db)
  if (!open || withdrawal.createdAt > open.markedAt || (await isFoundUnsent(db, open, withdrawal))) return
  throw new Refusal(
    'INVALID_STATE',
    'The service was restored from a backup, and the bank may have paid this withdrawal already. Try again after the operator has checked it.',
  )
}

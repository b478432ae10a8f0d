import type { Queryable } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { isFoundUnsent } from './found-unsent.ts'
import { findOpenRestore } from './store.ts'
import type { Withdrawal } from '../withdrawal.ts'

/** Ending a withdrawal returns its money. The bank may have paid one that is older than the mark, until a check finds it unsent. */
export async function mustNotAwaitCheck(db: Queryable, withdrawal: Withdrawal): Promise<void> {
  const open = await findOpenRestore(db)
  if (!open || withdrawal.createdAt > open.markedAt || (await isFoundUnsent(db, open, withdrawal))) return
  throw new Refusal(
    'INVALID_STATE',
    'The service was restored from a backup, and the bank may have paid this withdrawal already. Try again after the operator has checked it.',
  )
}

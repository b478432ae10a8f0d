import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { isFoundUnsent } from './found-unsent.ts'
import { findOpenRestore } from './store.ts'
import type { Withdrawal } from '../withdrawal.ts'

/** Ending a withdrawal returns its money. The bank may have paid one that is older than the mark, until a check finds it unsent. */
export async function mustNotAwaitCheck(db: Queryable, withdrawal: Withdrawal): Promise<void> {
  const open = await findOpenRestore(db)
  if (!open || withdrawal.createdAt > open.markedAt || (await isFoundUnsent(db, open, withdrawal))) return
  throw refuse('withdrawal_unchecked_after_restore')
}

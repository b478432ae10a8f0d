import type { Tx } from '../../../platform/postgres/db.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import { eraseReports } from './batches/reports/store.ts'
import { eraseFiles, selectBatchIds } from './batches/store.ts'
import { isOpen } from './payout.ts'
import { erasePayout, lockPayout } from './store.ts'
import type { Withdrawal } from '../withdrawal.ts'
import { eraseReasons, withdrawalSubject } from '../../people/index.ts'
import { eraseCalls } from '../bank-calls/store.ts'
import { eraseRecipient, lockWithdrawal } from '../store.ts'

/** Refuses while the outcome of the payment is unknown. */
export async function lockEndedWithdrawal(tx: Tx, merchantId: string, id: string): Promise<Withdrawal> {
  // Payout first, the same lock order as when a payout ends.
  const payout = await lockPayout(tx, merchantId, id)
  const withdrawal = await lockWithdrawal(tx, merchantId, id)
  if (!withdrawal) throw refuse('withdrawal_unknown', { withdrawal: id })
  const { status } = withdrawal
  if (status === 'pending' || status === 'processing') throw refuse('withdrawal_not_ended', { status })
  if (payout && isOpen(payout)) throw refuse('payout_outcome_unknown', { state: payout.state, withdrawal: id })
  return withdrawal
}

/** Returns the number of changed rows by table. */
export async function eraseWithdrawal(tx: Tx, withdrawal: Withdrawal) {
  return {
    withdrawals: await eraseRecipient(tx, withdrawal),
    ...(await erasePayout(tx, withdrawal.merchantId, withdrawal.id)),
    payout_calls: await eraseCalls(tx, withdrawal.merchantId, withdrawal.id),
    proposals: await eraseReasons(tx, 'withdrawal.approve', withdrawalSubject(withdrawal.id)),
    ...(await eraseOrderFiles(tx, withdrawal.id)),
  }
}

/** A file names other recipients too; what is known about their payouts is in other tables. */
async function eraseOrderFiles(tx: Tx, withdrawalId: string) {
  const reports = await eraseReports(tx, await selectBatchIds(tx, withdrawalId))
  return { payout_batches: await eraseFiles(tx, withdrawalId), order_reports: reports }
}

import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Deposit, DepositViews } from '../../deposits/index.ts'
import { changeDeposits, lockDeposits } from '../../deposits/index.ts'
import { findWithdrawal, sumRefunds } from '../store.ts'

type Refund = { merchantId: string; refundOf: string | null }

/**
 * Sets what the deposit shows as refunded. Summed under the deposit's lock, not added to or subtracted from: whatever
 * process or version ended a refund, the next change corrects it.
 */
export async function updateRefunded(
  app: { clock: Clock; ids: Ids; views: DepositViews },
  tx: Tx,
  refund: Refund,
): Promise<void> {
  const deposit = await lockRefunded(tx, refund)
  if (!deposit) throw new Error(`There is no deposit ${refund.refundOf}, which a withdrawal refunds.`)
  const refundedAmount = await sumRefunds(tx, deposit.merchantId, deposit.id)
  if (refundedAmount === deposit.refundedAmount) return
  await changeDeposits(app, tx, [{ deposit, changes: { refundedAmount } }])
}

/** For transactions that lock accounts before the withdrawal ends. Does nothing if it is no refund. */
export async function lockRefundedDeposit(tx: Tx, merchantId: string, withdrawalId: string): Promise<void> {
  const withdrawal = await findWithdrawal(tx, merchantId, withdrawalId)
  if (withdrawal) await lockRefunded(tx, withdrawal)
}

async function lockRefunded(tx: Tx, { merchantId, refundOf }: Refund): Promise<Deposit | undefined> {
  if (refundOf === null) return undefined
  const [deposit] = await lockDeposits(tx, [merchantId], [refundOf])
  return deposit
}

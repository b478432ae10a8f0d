import type { Tx } from '../../platform/postgres/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { isOpen } from './payout.ts'
import { erasePayout, lockPayout } from './store.ts'
import type { Withdrawal } from '../withdrawals/index.ts'
import { eraseCalls, eraseNotes, eraseRecipient, lockWithdrawal } from '../withdrawals/index.ts'

/** Refuses while it is not known what became of the money. */
export async function lockEndedWithdrawal(tx: Tx, merchantId: string, id: string): Promise<Withdrawal> {
  // Payout first, as whoever ends one does.
  const payout = await lockPayout(tx, merchantId, id)
  const withdrawal = await lockWithdrawal(tx, merchantId, id)
  if (!withdrawal) throw new Refusal('NOT_FOUND', `There is no withdrawal ${id}.`)
  const { status } = withdrawal
  if (status === 'pending' || status === 'processing') {
    throw new Refusal('INVALID_STATE', `The withdrawal is ${status}: it has not ended.`)
  }
  if (payout && isOpen(payout)) {
    throw new Refusal(
      'INVALID_STATE',
      `The outcome of its payout is not known (${payout.state}): vezne withdrawal show ${id}`,
    )
  }
  return withdrawal
}

/** Returns how many rows were changed, by table. */
export async function eraseWithdrawal(tx: Tx, withdrawal: Withdrawal) {
  return {
    withdrawals: await eraseRecipient(tx, withdrawal),
    ...(await erasePayout(tx, withdrawal.merchantId, withdrawal.id)),
    payout_calls: await eraseCalls(tx, withdrawal.merchantId, withdrawal.id),
    ...(await eraseNotes(tx, withdrawal)),
  }
}

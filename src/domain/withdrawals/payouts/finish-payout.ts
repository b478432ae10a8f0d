import type { Clock } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/db.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { AccountRef } from '../../ledger/index.ts'
import { bankAccount, merchantAccount, openAndPost } from '../../ledger/index.ts'
import { changeWithdrawal } from '../change-withdrawal.ts'
import { lockWithdrawal } from '../store.ts'
import type { FailureReason, Withdrawal } from '../withdrawal.ts'
import { FAILURE_REASONS } from '../withdrawal.ts'
import type { Payout } from './store.ts'
import { updatePayout } from './store.ts'

type Needs = { clock: Clock; ids: Ids }
type Movement = { from: AccountRef; to: AccountRef; amount: bigint; reason: string }

/** The bank has sent it: what was in transit has left the bank's books, and the fee is ours. */
export async function settlePayout(app: Needs, tx: Tx, payout: Payout, bankReference: string): Promise<void> {
  const withdrawal = await theirs(tx, payout)
  await updatePayout(
    tx,
    payout,
    { state: 'accepted', nextAt: payout.nextAt, bankReference, reason: null },
    app.clock.now(),
  )
  await changeWithdrawal(app, tx, withdrawal, { stage: 'settled', bankReference })
  const { transit, cash, fees } = accountsOf(withdrawal, payout)
  await move(app, tx, withdrawal, [
    { from: transit, to: cash, amount: withdrawal.amount, reason: 'payout_settled' },
    { from: transit, to: fees, amount: withdrawal.fee, reason: 'withdrawal_fee' },
  ])
}

/** The bank has said no, and means it: everything goes back to the merchant, the fee too. */
export async function failPayout(app: Needs, tx: Tx, payout: Payout, reason: string): Promise<void> {
  const withdrawal = await theirs(tx, payout)
  await updatePayout(
    tx,
    payout,
    { state: 'rejected', nextAt: payout.nextAt, bankReference: null, reason },
    app.clock.now(),
  )
  await changeWithdrawal(app, tx, withdrawal, { stage: 'failed', failureReason: failureOf(reason) })
  const { transit, available } = accountsOf(withdrawal, payout)
  const amount = withdrawal.amount + withdrawal.fee
  await move(app, tx, withdrawal, [{ from: transit, to: available, amount, reason: 'payout_refused' }])
}

/** Money that came back after it had left is a movement of its own; the withdrawal stays completed, the fee stays ours. */
export async function returnPayout(app: Needs, tx: Tx, payout: Payout): Promise<void> {
  const withdrawal = await theirs(tx, payout)
  const { bankReference } = payout
  await updatePayout(
    tx,
    payout,
    { state: 'returned', nextAt: payout.nextAt, bankReference, reason: null },
    app.clock.now(),
  )
  await changeWithdrawal(app, tx, withdrawal, { stage: 'returned' })
  const { cash, available } = accountsOf(withdrawal, payout)
  await move(app, tx, withdrawal, [{ from: cash, to: available, amount: withdrawal.amount, reason: 'payout_returned' }])
}

async function theirs(tx: Tx, { merchantId, withdrawalId }: Payout): Promise<Withdrawal> {
  const withdrawal = await lockWithdrawal(tx, merchantId, withdrawalId)
  if (!withdrawal) throw new Error(`Payout ${withdrawalId} has no withdrawal.`)
  return withdrawal
}

function accountsOf({ merchantId, currency }: Withdrawal, { sourceAccountId }: Payout) {
  return {
    transit: merchantAccount('payouts_in_transit', merchantId, currency),
    available: merchantAccount('merchant_available', merchantId, currency),
    fees: merchantAccount('fees', merchantId, currency),
    cash: bankAccount('bank_cash', sourceAccountId, currency),
  }
}

function move(app: Needs, tx: Tx, { merchantId, id }: Withdrawal, movements: Movement[]): Promise<void> {
  const real = movements.filter(({ amount }) => amount > 0n)
  return openAndPost(
    app,
    tx,
    real.map((movement) => ({ ...movement, merchantId, subjectId: id })),
  )
}

function failureOf(reason: string): FailureReason {
  return reason in FAILURE_REASONS ? (reason as FailureReason) : 'bank_refused'
}

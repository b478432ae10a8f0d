import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db.ts'
import type { Ids } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { recordEvents } from '../callbacks/index.ts'
import { voidHold } from '../ledger/index.ts'
import { insertHistory, lockWithdrawal, updateStatus } from './store.ts'
import type { FailureReason, Withdrawal, WithdrawalStatus } from './withdrawal.ts'
import { NEXT, withdrawalView } from './withdrawal.ts'

type Needs = { clock: Clock; ids: Ids }

/** Null when the merchant has no such withdrawal. */
export async function cancelWithdrawal(
  app: Needs & { db: Db },
  merchantId: string,
  id: string,
): Promise<Withdrawal | null> {
  return app.db.transaction(async (tx) => {
    const withdrawal = await lockWithdrawal(tx, merchantId, id)
    if (!withdrawal) return null
    if (withdrawal.status !== 'pending') {
      throw new Refusal(
        'INVALID_STATE',
        `Only a pending withdrawal can be cancelled; this one is ${withdrawal.status}.`,
      )
    }
    const cancelled = await changeStatus(app, tx, withdrawal, 'failed', 'cancelled_by_merchant')
    await voidHold(app, tx, merchantId, id)
    return cancelled
  })
}

/** The only way a withdrawal's status changes: the row, its history and the event for the merchant, together. */
async function changeStatus(
  app: Needs,
  tx: Tx,
  before: Withdrawal,
  to: WithdrawalStatus,
  failureReason: FailureReason | null,
): Promise<Withdrawal> {
  if (!NEXT[before.status].includes(to))
    throw new Error(`Withdrawal ${before.id} cannot go from ${before.status} to ${to}.`)
  const after = { ...before, status: to, failureReason, sequence: before.sequence + 1, updatedAt: app.clock.now() }
  const event = {
    merchantId: after.merchantId,
    transactionId: after.id,
    sequence: after.sequence,
    type: `withdrawal.${to}`,
    data: withdrawalView(after),
  }
  const [updated] = await Promise.all([
    updateStatus(tx, before, after),
    insertHistory(tx, before, after),
    recordEvents(app, tx, [event]),
  ])
  if (updated !== 1) throw new Error(`Withdrawal ${before.id} changed its status although its row was locked.`)
  return after
}

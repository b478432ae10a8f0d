import type { Marks } from '../../platform/crypto/marks.ts'
import type { MerchantActor } from '../../kernel/actor.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import { giveBackHold } from '../ledger/index.ts'
import type { WithdrawalViews } from './change-withdrawal.ts'
import { changeWithdrawal } from './change-withdrawal.ts'
import { mustNotAwaitCheck } from './restores/found-unsent.ts'
import { lockWithdrawal } from './store.ts'
import type { Withdrawal } from './withdrawal.ts'

/** Null if the merchant has no such withdrawal. */
export async function cancelWithdrawal(
  app: { db: Db; clock: Clock; ids: Ids; marks: Marks; views: WithdrawalViews },
  actor: MerchantActor,
  id: string,
): Promise<Withdrawal | null> {
  const { merchantId } = actor
  return app.db.transaction(async (tx) => {
    const withdrawal = await lockWithdrawal(tx, merchantId, id)
    if (!withdrawal) return null
    if (withdrawal.status !== 'pending') throw refuse('withdrawal_not_pending', { status: withdrawal.status })
    await mustNotAwaitCheck(tx, withdrawal)
    const cancelled = await changeWithdrawal(app, tx, withdrawal, {
      state: 'failed',
      failureReason: 'cancelled_by_merchant',
    })
    await giveBackHold(app, tx, { merchantId, subjectId: id }, withdrawal.currency, { actor })
    return cancelled
  })
}

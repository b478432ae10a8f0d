import type { MerchantActor } from '../../kernel/actor.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { DepositViews } from './change-deposits.ts'
import { changeStatus } from './change-deposits.ts'
import type { Deposit } from './deposit.ts'
import { lockDeposits } from './store.ts'

/** Returns null if the merchant has no such deposit. */
export async function cancelDeposit(
  app: { db: Db; clock: Clock; ids: Ids; views: DepositViews },
  { merchantId }: MerchantActor,
  id: string,
): Promise<Deposit | null> {
  return app.db.transaction(async (tx) => {
    const [deposit] = await lockDeposits(tx, [merchantId], [id])
    if (!deposit) return null
    if (deposit.status !== 'pending') throw refuse('deposit_not_pending', { status: deposit.status })
    const [cancelled] = await changeStatus(app, tx, [deposit], 'cancelled')
    return cancelled ?? null
  })
}

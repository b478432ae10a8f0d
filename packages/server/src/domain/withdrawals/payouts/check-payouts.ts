import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Log } from '../../../platform/log.ts'
import { logDiffers } from './doubt-payout.ts'
import type { Payout } from './payout.ts'
import { selectUnlikeWithdrawal } from './store.ts'

const DAYS_MS = 7 * 86_400_000
const MAX_SHOWN = 20

/** Payouts, open or of the last days, that are not what was asked for. Only someone else who writes to the database makes one. */
export function findUnlikeWithdrawal({ db, clock }: { db: Db; clock: Clock }): Promise<Payout[]> {
  return selectUnlikeWithdrawal(db, new Date(clock.now().getTime() - DAYS_MS), MAX_SHOWN)
}

/** Those to be sent are compared at every sending; this one finds what was written as if it had been sent. */
export async function checkPayouts(app: { db: Db; clock: Clock; log: Log }): Promise<void> {
  const unlike = await findUnlikeWithdrawal(app)
  if (unlike.length > 0)
    logDiffers(
      app,
      unlike.map(({ withdrawalId }) => withdrawalId),
    )
}

import type { Clock } from '../../../platform/time/clock.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Log } from '../../../platform/log.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Payout } from './payout.ts'
import { NAMED } from './payout.ts'
import { selectUnlikeWithdrawal, updatePayout } from './store.ts'
import type { WithdrawalViews } from '../change-withdrawal.ts'
import type { StateReason } from '../withdrawal.ts'
import { changeWithdrawal } from '../change-withdrawal.ts'
import { lockWithdrawal } from '../store.ts'

type Deps = { clock: Clock; ids: Ids; views: WithdrawalViews }

/** A statement names the payout, so its money may have left: it is not sent, the bank is queried, and two people may decide. */
export async function doubtPayout(app: Deps, tx: Tx, payout: Payout): Promise<void> {
  const doubted = { state: 'asking' as const, nextAt: payout.nextAt, bankReference: null, reason: NAMED }
  // While a worker calls the bank, the bank's response is recorded first.
  if (payout.state !== 'calling') await updatePayout(tx, payout, doubted, app.clock.now())
  await markInDoubt(app, tx, payout, NAMED)
}

/** Only someone who writes to the database without the service can make one. */
export function logDiffers({ log }: { log: Log }, withdrawalIds: string[]): void {
  log.error(
    { security: true, withdrawalIds },
    'a payout differs from its withdrawal, or was not written by this service; see docs/operations.md, "A payout that differs"',
  )
}

/** Without a reason: the bank gave no definite response. */
export async function markInDoubt(
  app: Deps,
  tx: Tx,
  { merchantId, withdrawalId }: Payout,
  stateReason: StateReason | null = null,
): Promise<void> {
  const withdrawal = await lockWithdrawal(tx, merchantId, withdrawalId)
  if (withdrawal?.state !== 'sending' && (withdrawal?.state !== 'unknown' || stateReason === null)) return
  await changeWithdrawal(app, tx, withdrawal, { state: 'unknown', stateReason })
}

/** It is sent again: what prevented that no longer does. */
export async function clearDoubt(app: Deps, tx: Tx, { merchantId, withdrawalId }: Payout): Promise<void> {
  const withdrawal = await lockWithdrawal(tx, merchantId, withdrawalId)
  if (withdrawal?.state !== 'unknown' || withdrawal.stateReason === null) return
  await changeWithdrawal(app, tx, withdrawal, { state: 'unknown', stateReason: null })
}

const DAYS_MS = 7 * DAY_MS
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

import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { DepositViews } from '../deposits/index.ts'
import { recordEvents } from '../webhooks/index.ts'
import { updateRefunded } from './refunds/update-refunded.ts'
import { insertHistory } from './history/store.ts'
import { updateWithdrawal } from './store.ts'
import type { Stage, Withdrawal } from './withdrawal.ts'
import { NEXT, STATUS_OF } from './withdrawal.ts'

/** The merchant's view of a withdrawal, and of the deposit that it refunds; passed in by the edge. */
export type WithdrawalViews = DepositViews & { withdrawal: (withdrawal: Withdrawal) => object }

export type Changes = { stage: Stage } & Partial<
  Pick<
    Withdrawal,
    'stageReason' | 'failureReason' | 'firstTimeIban' | 'rail' | 'sourceAccountId' | 'scheduledFor' | 'bankReference'
  >
>

/**
 * The only way to change a withdrawal: updates the row and, if the change is visible to the merchant, adds history and
 * event. The caller has locked the row.
 */
export async function changeWithdrawal(
  app: { clock: Clock; ids: Ids; views: WithdrawalViews },
  tx: Tx,
  before: Withdrawal,
  changes: Changes,
): Promise<Withdrawal> {
  const after = changed(app.views, before, changes, app.clock.now())
  const isVisible = after.sequence > before.sequence
  const event = {
    merchantId: after.merchantId,
    transactionId: after.id,
    sequence: after.sequence,
    type: `withdrawal.${eventOf(before, after)}`,
    data: app.views.withdrawal(after),
  }
  const [updated] = await Promise.all([
    updateWithdrawal(tx, before, after).catch(explainPayout),
    isVisible ? insertHistory(tx, before, after) : undefined,
    recordEvents(app, tx, isVisible ? [event] : []),
  ])
  if (updated !== 1) throw new Error(`Withdrawal ${before.id} changed although its row was locked.`)
  if (after.refundOf !== null && isUndone(after) !== isUndone(before)) await updateRefunded(app, tx, after)
  return after
}

/** The recipient does not have the money. */
function isUndone({ stage }: Withdrawal): boolean {
  return stage === 'failed' || stage === 'returned'
}

/** Only before it is sent; a payout that was sent ends with its own result. */
function explainPayout(error: unknown): never {
  if ((error as { constraint?: string }).constraint !== 'withdrawals_end_without_payout') throw error
  throw new Refusal(
    'INVALID_STATE',
    'The withdrawal has a payout, so the bank may have it. See docs/operations.md, "A payout that differs".',
  )
}

function changed(views: WithdrawalViews, before: Withdrawal, changes: Changes, now: Date): Withdrawal {
  const status = STATUS_OF[changes.stage]
  if (status !== before.status && !NEXT[before.status].includes(status)) {
    throw new Error(`Withdrawal ${before.id} cannot go from ${before.status} to ${status}.`)
  }
  const after: Withdrawal = { ...before, stageReason: null, ...changes, status }
  // Compares the views, so that a new field needs no second list.
  const isVisible = !isDeepStrictEqual(views.withdrawal(before), views.withdrawal(after))
  return isVisible ? { ...after, sequence: before.sequence + 1, updatedAt: now } : after
}

/** Returned money has its own event, although the status stays. */
function eventOf(before: Withdrawal, { status, stage }: Withdrawal): string {
  if (status !== before.status) return status
  return stage === 'returned' && before.stage !== 'returned' ? 'returned' : 'updated'
}

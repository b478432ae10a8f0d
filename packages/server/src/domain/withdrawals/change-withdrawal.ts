import { isDeepStrictEqual } from 'node:util'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { DepositViews } from '../deposits/index.ts'
import { insertHistory } from '../deposits/index.ts'
import type { NewEvent } from '../webhooks/index.ts'
import { recordEvents } from '../webhooks/index.ts'
import { endProposals, withdrawalSubject } from '../people/index.ts'
import { updateRefunded } from './refunds/update-refunded.ts'
import type { Change } from './store.ts'
import { updateWithdrawals } from './store.ts'
import type { WithdrawalState, Withdrawal } from './withdrawal.ts'
import { NEXT, STATUS_OF } from './withdrawal.ts'

/** The merchant's view of a withdrawal, and of the deposit that it refunds; passed in by the edge. */
export type WithdrawalViews = DepositViews & { withdrawal: (withdrawal: Withdrawal) => object }

export type Changes = { state: WithdrawalState } & Partial<
  Pick<
    Withdrawal,
    'stateReason' | 'failureReason' | 'firstTimeIban' | 'rail' | 'sourceAccountId' | 'scheduledFor' | 'bankReference'
  >
>

type Deps = { clock: Clock; ids: Ids; views: WithdrawalViews }

export async function changeWithdrawal(app: Deps, tx: Tx, before: Withdrawal, changes: Changes): Promise<Withdrawal> {
  const [after] = await changeWithdrawals(app, tx, [{ withdrawal: before, changes }])
  return after as Withdrawal
}

/**
 * The only way to change withdrawals: updates the rows and, for changes that are visible to the merchant, adds history and
 * events. The caller has locked the rows, each once.
 */
export async function changeWithdrawals(
  app: Deps,
  tx: Tx,
  wanted: { withdrawal: Withdrawal; changes: Changes }[],
): Promise<Withdrawal[]> {
  if (wanted.length === 0) return []
  const now = app.clock.now()
  const all = wanted.map(({ withdrawal, changes }) => {
    return { before: withdrawal, after: changed(app.views, withdrawal, changes, now) }
  })
  const visible = all.filter(({ before, after }) => after.sequence > before.sequence)
  const update = updateWithdrawals(tx, all)
  const [updated] = await Promise.all([
    update,
    visible.length > 0 ? insertHistory(tx, visible.map(withReason)) : undefined,
    recordEvents(
      app,
      tx,
      visible.map((one) => newEvent(app.views, one)),
    ),
  ]).catch(async (error: unknown) => {
    // A failed update fails the statements behind it, and theirs may be the first failure to be seen.
    await update.catch(explainPayout)
    throw error
  })
  if (updated !== all.length)
    throw new Error(`One of ${all.map(({ before }) => before.id).join(', ')} changed although its row was locked.`)
  for (const { before, after } of all)
    if (after.refundOf !== null && isUndone(after) !== isUndone(before)) await updateRefunded(app, tx, after)
  // An approval that waits for a second has nothing to approve any more.
  for (const { before, after } of all)
    if (before.state === 'awaiting_approval' && after.status !== 'pending')
      await endProposals(app, tx, withdrawalSubject(after.id))
  return all.map(({ after }) => after)
}

const withReason = ({ before, after }: Change) => {
  return { before, after: { ...after, reason: after.failureReason ?? after.state } }
}

function newEvent(views: WithdrawalViews, { before, after }: Change): NewEvent {
  const { merchantId, id: transactionId, sequence } = after
  const type = `withdrawal.${eventOf(before, after)}`
  return { merchantId, transactionId, sequence, type, data: views.withdrawal(after) }
}

/** The recipient does not have the money. */
function isUndone({ state }: Withdrawal): boolean {
  return state === 'failed' || state === 'returned'
}

/** Only before it is sent; a payout that was sent ends with its own result. */
function explainPayout(error: unknown): never {
  if ((error as { constraint?: string }).constraint !== 'withdrawals_end_without_payout') throw error
  throw refuse('withdrawal_has_payout')
}

function changed(views: WithdrawalViews, before: Withdrawal, changes: Changes, now: Date): Withdrawal {
  const status = STATUS_OF[changes.state]
  if (status !== before.status && !NEXT[before.status].includes(status)) {
    throw new Error(`Withdrawal ${before.id} cannot go from ${before.status} to ${status}.`)
  }
  const after: Withdrawal = { ...before, stateReason: null, ...changes, status }
  // Compares the views, so that a new field needs no second list.
  const isVisible = !isDeepStrictEqual(views.withdrawal(before), views.withdrawal(after))
  return isVisible ? { ...after, sequence: before.sequence + 1, updatedAt: now } : after
}

/** Returned money has its own event, although the status stays. */
function eventOf(before: Withdrawal, { status, state }: Withdrawal): string {
  if (status !== before.status) return status
  return state === 'returned' && before.state !== 'returned' ? 'returned' : 'updated'
}

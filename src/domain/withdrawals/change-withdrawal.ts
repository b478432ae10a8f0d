import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import type { Ids } from '../../platform/ids.ts'
import { recordEvents } from '../callbacks/index.ts'
import { insertHistory, updateWithdrawal } from './store.ts'
import type { Stage, Withdrawal, WithdrawalStatus } from './withdrawal.ts'
import { NEXT, withdrawalView } from './withdrawal.ts'

const STATUS_OF: Record<Stage, WithdrawalStatus> = {
  awaiting_approval: 'pending',
  queued: 'pending',
  scheduled: 'pending',
  submitted: 'processing',
  in_doubt: 'processing',
  settled: 'completed',
  returned: 'completed',
  failed: 'failed',
}

export type Facts = { stage: Stage } & Partial<
  Pick<
    Withdrawal,
    'stageReason' | 'failureReason' | 'firstTimeIban' | 'rail' | 'sourceAccountId' | 'scheduledFor' | 'bankReference'
  >
>

/**
 * The only way a withdrawal changes: the row and, when the merchant is to be told, its history and the event, together.
 * The caller has locked the row in this transaction. Money that came back is told too, although the status stays.
 */
export async function changeWithdrawal(
  app: { clock: Clock; ids: Ids },
  tx: Tx,
  before: Withdrawal,
  facts: Facts,
): Promise<Withdrawal> {
  const status = STATUS_OF[facts.stage]
  const moved = status !== before.status
  if (moved && !NEXT[before.status].includes(status)) {
    throw new Error(`Withdrawal ${before.id} cannot go from ${before.status} to ${status}.`)
  }
  const told = moved || facts.stage === 'returned'
  const after: Withdrawal = {
    ...before,
    stageReason: null,
    ...facts,
    status,
    sequence: before.sequence + Number(told),
    updatedAt: app.clock.now(),
  }
  const event = {
    merchantId: after.merchantId,
    transactionId: after.id,
    sequence: after.sequence,
    type: `withdrawal.${facts.stage === 'returned' ? 'returned' : status}`,
    data: withdrawalView(after),
  }
  const [updated] = await Promise.all([
    updateWithdrawal(tx, before, after),
    told ? insertHistory(tx, before, after) : undefined,
    recordEvents(app, tx, told ? [event] : []),
  ])
  if (updated !== 1) throw new Error(`Withdrawal ${before.id} changed although its row was locked.`)
  return after
}

import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { mustGiveReason } from '../../kernel/reason.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import { giveBackHold } from '../ledger/index.ts'
import type { Authority } from '../people/index.ts'
import { authorizedByName } from '../people/index.ts'
import { mustAwaitApproval } from './approve.ts'
import type { WithdrawalViews } from './change-withdrawal.ts'
import { changeWithdrawal } from './change-withdrawal.ts'
import { mustNotAwaitCheck } from './restores/found-unsent.ts'
import { lockWithdrawalById, updateStopped } from './store.ts'
import type { Withdrawal } from './withdrawal.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids; views: WithdrawalViews }

/** `mustFit`: refuses one that this person does not end in this way. */
type Ending = {
  action: 'withdrawal.stop' | 'withdrawal.reject'
  failureReason: 'stopped_by_operator' | 'rejected_by_operator'
  mustFit: (id: string, withdrawal: Withdrawal | undefined) => Withdrawal
}

/** A person ends a withdrawal that is about to be sent. */
export async function stopWithdrawal(app: Deps, actor: Actor, id: string, reason: string): Promise<Withdrawal> {
  mustGiveReason('why', reason)
  const ending = { failureReason: 'stopped_by_operator', mustFit: mustBeStoppable } as const
  return endUnsent(app, actor, id, reason, { action: 'withdrawal.stop', ...ending })
}

/** A person ends a withdrawal that waits for approval. */
export async function rejectWithdrawal(app: Deps, actor: Actor, id: string, note: string): Promise<Withdrawal> {
  mustGiveReason('note', note)
  const ending = { failureReason: 'rejected_by_operator', mustFit: mustAwaitApproval } as const
  return endUnsent(app, actor, id, note, { action: 'withdrawal.reject', ...ending })
}

/** It fails, and the money returns to the merchant. */
function endUnsent(
  app: Deps,
  actor: Actor,
  id: string,
  reason: string,
  { action, failureReason, mustFit }: Ending,
): Promise<Withdrawal> {
  return authorizedByName(app, actor, action, async (tx, audit) => {
    const withdrawal = mustFit(id, await lockWithdrawalById(tx, id))
    const { merchantId, currency } = withdrawal
    await mustNotAwaitCheck(tx, withdrawal)
    const stop = { operator: actorName(actor), reason: reason.trim(), stoppedAt: app.clock.now() }
    await updateStopped(tx, withdrawal, stop)
    const ended = await changeWithdrawal(app, tx, withdrawal, { state: 'failed', failureReason })
    await giveBackHold(app, tx, { merchantId, subjectId: id }, currency, { actor })
    const [before, after] = [{ state: withdrawal.state }, { state: ended.state }]
    await audit(`withdrawal:${id}`, { before, after, reason: 'see withdrawals' })
    return ended
  })
}

function mustBeStoppable(id: string, withdrawal: Withdrawal | undefined): Withdrawal {
  if (!withdrawal) throw refuse('withdrawal_unknown', { withdrawal: id })
  const { status, state } = withdrawal
  if (state === 'queued') return withdrawal
  if (state === 'awaiting_approval') throw refuse('withdrawal_awaits_approval', { withdrawal: id })
  if (status !== 'processing') throw refuse('withdrawal_ended', { status })
  throw refuse('withdrawal_at_bank', { withdrawal: id })
}

import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { mustGiveReason } from '../../kernel/reason.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Refusal } from '../../platform/refusal.ts'
import { giveBackHold } from '../ledger/index.ts'
import type { Authority } from '../people/index.ts'
import { authorizedByName } from '../people/index.ts'
import type { WithdrawalViews } from './change-withdrawal.ts'
import { changeWithdrawal } from './change-withdrawal.ts'
import { insertStop } from './decisions/store.ts'
import { mustNotAwaitCheck } from './restores/must-not-await-check.ts'
import { lockWithdrawal, findWithdrawalById } from './store.ts'
import type { Withdrawal } from './withdrawal.ts'

/** A person ends a withdrawal before it is sent: it fails, and the money returns to the merchant. */
export async function stopWithdrawal(
  app: Authority & { db: Db; clock: Clock; ids: Ids; views: WithdrawalViews },
  actor: Actor,
  id: string,
  reason: string,
): Promise<Withdrawal> {
  mustGiveReason('why', reason)
  return authorizedByName(app, actor, 'withdrawal.stop', async (tx, audit) => {
    const known = await findWithdrawalById(tx, id)
    if (!known) throw refuse('withdrawal_unknown', { withdrawal: id })
    const withdrawal = (await lockWithdrawal(tx, known.merchantId, id)) as Withdrawal
    if (withdrawal.stage !== 'queued' && withdrawal.stage !== 'scheduled') throw cannotStop(withdrawal)
    await mustNotAwaitCheck(tx, withdrawal)
    await insertStop(tx, withdrawal, { operator: actorName(actor), reason: reason.trim() }, app.clock.now())
    const stopped = await changeWithdrawal(app, tx, withdrawal, {
      stage: 'failed',
      failureReason: 'stopped_by_operator',
    })
    await giveBackHold(app, tx, { merchantId: withdrawal.merchantId, subjectId: id }, withdrawal.currency, { actor })
    const [before, after] = [{ stage: withdrawal.stage }, { stage: stopped.stage }]
    await audit(`withdrawal:${id}`, { before, after, reason: 'see withdrawal_stops' })
    return stopped
  })
}

function cannotStop({ id, status, stage }: Withdrawal): Refusal {
  if (stage === 'awaiting_approval') return refuse('withdrawal_awaits_approval', { withdrawal: id })
  if (status !== 'processing') return refuse('withdrawal_ended', { status })
  return refuse('withdrawal_at_bank', { withdrawal: id })
}

import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Authority } from '../people/index.ts'
import { authorize } from '../people/index.ts'
import type { WithdrawalViews } from './change-withdrawal.ts'
import { changeWithdrawal } from './change-withdrawal.ts'
import { lockScheduled } from './store.ts'

/** After a sandbox clock was set back: scheduled withdrawals are routed again at the current time. */
export async function unschedule(
  app: Authority & { clock: Clock; ids: Ids; views: WithdrawalViews },
  tx: Tx,
  actor: Actor,
): Promise<void> {
  const audit = await authorize(app, tx, actor, 'withdrawal.unschedule')
  const scheduled = await lockScheduled(tx)
  await audit('withdrawals:scheduled', { after: { unscheduled: scheduled.map(({ id }) => id) } })
  for (const withdrawal of scheduled)
    await changeWithdrawal(app, tx, withdrawal, { state: 'queued', scheduledFor: null })
}

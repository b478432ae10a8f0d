import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { mustGiveReason } from '../../kernel/reason.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Connection } from '../connections/index.ts'
import type { Authority } from '../people/index.ts'
import { authorized } from '../people/index.ts'
import type { Withdrawal } from '../withdrawals/index.ts'
import { mustBePending } from './lost-payouts.ts'
import { findOpenRestore, lockWithdrawal, recordCheckResult } from '../withdrawals/index.ts'

/** Without a bank to query, a person has checked and confirms that it was not sent. */
export async function recordUnsent(
  app: Authority & { db: Db; clock: Clock; connections: Connection[] },
  actor: Actor,
  { merchantId, id }: Withdrawal,
  checked: string,
): Promise<void> {
  mustGiveReason('checked', checked, 'evidence_missing')
  if (app.connections.some(({ kind }) => kind === 'http_api')) throw refuse('restore_bank_known')
  await authorized(app, actor, 'restore.record', async (tx, audit) => {
    const withdrawal = await lockWithdrawal(tx, merchantId, id)
    const restore = await findOpenRestore(tx)
    mustBePending(withdrawal, id)
    if (!restore) throw refuse('restore_not_open')
    await recordCheckResult(app, tx, restore, withdrawal, {
      kind: 'person',
      outcome: 'not_sent',
      detail: `${actorName(actor)}: ${checked.trim()}`,
    })
    await audit(`withdrawal:${id}`, { after: { sent: false }, reason: 'see payout_calls' })
  })
}

import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { mustGiveReason } from '../../kernel/reason.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Connection } from '../connections/index.ts'
import type { Authority } from '../people/index.ts'
import { authorized } from '../people/index.ts'
import type { Withdrawal } from '../withdrawals/index.ts'
import { findOpenRestore, lockWithdrawal, recordCheckResult } from '../withdrawals/index.ts'

/** Without a bank to query, a person has checked and confirms that it was not sent. */
export async function recordUnsent(
  app: Authority & { db: Db; clock: Clock; connections: Connection[] },
  actor: Actor,
  { merchantId, id }: Withdrawal,
  checked: string,
): Promise<void> {
  mustGiveReason('checked', checked, 'evidence_missing')
  if (app.connections.some(({ kind }) => kind === 'http_api'))
    throw new Refusal('INVALID_STATE', 'There is a bank to ask about it. Run: npx vezne restore-check')
  await authorized(app, actor, 'restore.record', async (tx, audit) => {
    const withdrawal = await lockWithdrawal(tx, merchantId, id)
    const restore = await findOpenRestore(tx)
    if (!restore || withdrawal?.status !== 'pending')
      throw new Refusal(
        'INVALID_STATE',
        `The withdrawal is ${withdrawal?.status}; only a pending one, before the release, is marked as not sent.`,
      )
    await recordCheckResult(app, tx, restore, withdrawal, {
      kind: 'person',
      outcome: 'not_sent',
      detail: `${actorName(actor)}: ${checked.trim()}`,
    })
    await audit(`withdrawal:${id}`, { after: { sent: false }, reason: 'see payout_calls' })
  })
}

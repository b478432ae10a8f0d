import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { invalidField } from '../../platform/refusal.ts'
import type { Authority } from '../people/index.ts'
import { authorize } from '../people/index.ts'
import { clearReadTimes } from '../statements/index.ts'
import { doubtIntents } from '../payouts/index.ts'
import { upsertRestore } from '../withdrawals/index.ts'

/**
 * The database was restored to an earlier time, so later sendings are not known here. Nothing is sent until a person
 * has checked. The outcome of waiting payouts is unknown, so that the bank is queried before any of them is sent.
 */
export async function markRestored(app: Authority & { db: Db; clock: Clock }, actor: Actor, to: Date): Promise<void> {
  const now = app.clock.now()
  if (to > now) throw invalidField('at', 'must be in the past: the moment up to which the database was restored')
  await app.db.transaction(async (tx) => {
    const audit = await authorize(app, tx, actor, 'restore.mark', { task: 'restore' })
    await upsertRestore(tx, { restoredTo: to, markedBy: actorName(actor), markedAt: now })
    await doubtIntents(tx, now)
    // Statements count as unread until they are read again, so that no deposit expires before.
    await clearReadTimes(tx)
    await audit('deployment:database', { after: { restoredTo: to } })
  })
}

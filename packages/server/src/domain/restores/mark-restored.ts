import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { refuseField } from '../../kernel/refusals/refuse.ts'
import { authorize } from '../people/index.ts'
import type { SendingDeps } from '../withdrawals/index.ts'
import { stopSending } from '../withdrawals/index.ts'

/** The database was restored to an earlier time, so later sendings are not known here. */
export async function markRestored(app: SendingDeps, actor: Actor, to: Date): Promise<void> {
  if (to > app.clock.now()) throw refuseField('at', 'restore_in_future')
  await app.db.transaction(async (tx) => {
    const audit = await authorize(app, tx, actor, 'restore.mark', { task: 'restore' })
    await stopSending(app, tx, { to, markedBy: actorName(actor), audit })
  })
}

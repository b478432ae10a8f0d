import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { isReason } from '../../kernel/reason.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Authority } from '../people/index.ts'
import { authorized, mustBeApproved } from '../people/index.ts'
import { updateReleased } from '../withdrawals/index.ts'
import type { RestoreCheck } from './check-restored.ts'
import { listPaidPairs } from './paid-pairs.ts'

/** What a person who releases has just seen, and how that person checked the rest. */
export type Releasing = { check: RestoreCheck; checked: string | null }

/** What only people can check needs their confirmation. */
export function mustBeReleasable(check: RestoreCheck, checked: string | null): void {
  const { incomplete, uncertain, pairs, byHand, debits } = check
  if (incomplete.length > 0 || uncertain.length > 0)
    throw new Refusal('INVALID_STATE', 'The bank has not said enough yet. See above, and run it again later.')
  if (pairs.length > 0) throw paidAlready()
  if (byHand.length + debits.length > 0 && !isReason(checked ?? ''))
    throw new Refusal(
      'INVALID_STATE',
      'Some of it only people can check, see above. When you have: --checked "what you compared it with"',
    )
}

/** Payouts are sent again: in live by two people, each after a check of their own. */
export async function releaseRestored(
  app: Authority & { db: Db; clock: Clock },
  actor: Actor,
  check: RestoreCheck,
  checked: string | null,
): Promise<void> {
  mustBeReleasable(check, checked)
  const { number } = check.restore
  await authorized(app, actor, 'restore.release', async (tx, audit) => {
    mustBeApproved(app)
    // One that came since the check counts too.
    if ((await listPaidPairs(tx)).length > 0) throw paidAlready()
    const release = { by: actorName(actor), note: checked, at: app.clock.now() }
    if (!(await updateReleased(tx, number, release)))
      throw new Refusal('INVALID_STATE', 'Somebody else has released it in the meantime.')
    await audit(`restore:${number}`, { after: { state: 'released' }, reason: checked })
  })
}

const paidAlready = () =>
  new Refusal(
    'INVALID_STATE',
    'Some withdrawals are probably paid already. Two people record them as sent: vezne restore-check --sent-pairs',
  )

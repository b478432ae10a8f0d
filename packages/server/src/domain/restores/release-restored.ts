import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { isReason } from '../../kernel/reason.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Db } from '../../platform/postgres/db.ts'
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
  if (incomplete.length > 0 || uncertain.length > 0) throw refuse('restore_answers_missing')
  if (pairs.length > 0) throw paidAlready()
  if (byHand.length + debits.length > 0 && !isReason(checked ?? '')) throw refuse('restore_unchecked')
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
    if (!(await updateReleased(tx, number, release))) throw refuse('restore_released')
    await audit(`restore:${number}`, { after: { state: 'released' }, reason: checked })
  })
}

const paidAlready = () => refuse('restore_pairs_open')

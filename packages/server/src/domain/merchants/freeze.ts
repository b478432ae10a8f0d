import type { Actor } from '../../kernel/actor.ts'
import { mustGiveReason } from '../../kernel/reason.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Audit, Authority } from '../people/index.ts'
import { authorized, mustBeApproved } from '../people/index.ts'
import { mustFind } from './find-merchants.ts'
import { updateFrozen } from './store.ts'

type Deps = Authority & { db: Db; clock: Clock }

/** Within a second no process creates transactions for the merchant, and its payouts wait. */
export function freezeMerchant(app: Deps, actor: Actor, merchantId: string, reason: string): Promise<void> {
  return setFrozen(app, actor, merchantId, true, reason)
}

/** Decided by two people. Waiting payouts continue automatically. */
export function unfreezeMerchant(app: Deps, actor: Actor, merchantId: string, reason: string): Promise<void> {
  return setFrozen(app, actor, merchantId, false, reason)
}

async function setFrozen(app: Deps, actor: Actor, merchantId: string, frozen: boolean, reason: string) {
  mustGiveReason('why', reason)
  await mustFind(app.db, merchantId)
  const decide = async (tx: Tx, audit: Audit) => {
    if (!frozen) mustBeApproved(app)
    if (!(await updateFrozen(tx, merchantId, frozen)))
      throw refuse(frozen ? 'merchant_frozen' : 'merchant_not_frozen', { merchant: merchantId })
    await audit(`merchant:${merchantId}`, { before: { frozen: !frozen }, after: { frozen }, reason })
  }
  await authorized(app, actor, 'merchant.freeze', decide, { brake: frozen })
}

/** Guards what a frozen merchant may not do; no query, because the flag is cached with the caller. */
export function mustNotBeFrozen({ frozen }: { frozen: boolean }): void {
  if (frozen) throw refuse('merchant_suspended')
}

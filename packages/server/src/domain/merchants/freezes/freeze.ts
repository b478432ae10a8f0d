import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { invalidField, Refusal } from '../../../platform/refusal.ts'
import { mustFind } from '../find-merchants.ts'
import { updateFrozen } from '../store.ts'
import { insertFreeze } from './store.ts'

type Deps = { db: Db; clock: Clock }

const MIN_REASON_LENGTH = 5

/** Within a second no process creates transactions for the merchant, and its payouts wait. */
export function freezeMerchant(app: Deps, merchantId: string, by: string, reason: string): Promise<void> {
  return setFrozen(app, merchantId, true, by, reason)
}

/** Waiting payouts continue automatically. */
export function unfreezeMerchant(app: Deps, merchantId: string, by: string, reason: string): Promise<void> {
  return setFrozen(app, merchantId, false, by, reason)
}

async function setFrozen({ db, clock }: Deps, merchantId: string, frozen: boolean, by: string, reason: string) {
  if (reason.trim().length < MIN_REASON_LENGTH)
    throw invalidField('why', `must say why, in ${MIN_REASON_LENGTH} characters or more`)
  await mustFind(db, merchantId)
  await db.transaction(async (tx) => {
    if (!(await updateFrozen(tx, merchantId, frozen)))
      throw new Refusal('INVALID_STATE', `The merchant is ${frozen ? 'frozen already' : 'not frozen'}.`)
    await insertFreeze(tx, merchantId, { frozen, decidedBy: by, reason: reason.trim(), decidedAt: clock.now() })
  })
}

/** Guards what a frozen merchant may not do; no query, because the flag is cached with the caller. */
export function mustNotBeFrozen({ frozen }: { frozen: boolean }): void {
  if (frozen) {
    throw new Refusal(
      'ACCOUNT_SUSPENDED',
      'This account is suspended: it can create no deposits or withdrawals. Ask the operator of the service.',
    )
  }
}

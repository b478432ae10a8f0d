import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Fee } from '../../kernel/money.ts'
import { MAX_AMOUNT } from '../../kernel/money.ts'
import { money } from '../../kernel/refusals/facts.ts'
import { refuseField } from '../../kernel/refusals/refuse.ts'
import type { Authority } from '../people/index.ts'
import { authorized, mustBeApproved } from '../people/index.ts'
import { mustFind } from './find-merchants.ts'
import { termsAt } from './merchant.ts'
import type { FeeRow } from './store.ts'
import { insertFees, lockMerchant } from './store.ts'

export type FeeChange = { deposit?: Partial<Fee>; withdraw?: Partial<Fee>; from?: Date }

/**
 * Callers are cached for a second: after this time every process has the new terms, and all switch at the same moment.
 */
const CACHE_PROPAGATION_MS = 2000

/** Two people, in live. Fields that are not given keep the value in force at that time. Returns all terms, newest first. */
export async function changeFees(
  app: Authority & { db: Db; clock: Clock },
  actor: Actor,
  merchantId: string,
  { deposit, withdraw, from }: FeeChange,
): Promise<FeeRow[]> {
  checkFee(deposit)
  checkFee(withdraw)
  return authorized(app, actor, 'merchant.fees', async (tx, audit) => {
    mustBeApproved(app)
    await lockMerchant(tx, merchantId)
    const { fees } = await mustFind(tx, merchantId)
    const now = app.clock.now()
    const earliest = new Date(now.getTime() + CACHE_PROPAGATION_MS)
    const effectiveFrom = from ?? earliest
    if (effectiveFrom < earliest) {
      throw refuseField('from', 'fee_too_early')
    }
    const before = termsAt(fees, effectiveFrom)
    const after = { deposit: { ...before.deposit, ...deposit }, withdraw: { ...before.withdraw, ...withdraw } }
    const terms = { effectiveFrom, ...after, setBy: actorName(actor), createdAt: now }
    await insertFees(tx, merchantId, fees.length + 1, terms)
    await audit(`merchant:${merchantId}`, {
      before: { deposit: before.deposit, withdraw: before.withdraw },
      after: { effectiveFrom, ...after },
    })
    return (await mustFind(tx, merchantId)).fees
  })
}

export function checkFee({ bps = 0, fixed = 0n, min = 0n, max = null }: Partial<Fee> = {}): void {
  if (!Number.isInteger(bps) || bps < 0 || bps > 10_000) throw refuseField('fee', 'fee_rate_wrong')
  for (const amount of [fixed, min, max ?? 0n]) {
    if (amount < 0n || amount > MAX_AMOUNT)
      throw refuseField('fee', 'setting_amount_out_of_range', { least: money(0n), most: money(MAX_AMOUNT) })
  }
}

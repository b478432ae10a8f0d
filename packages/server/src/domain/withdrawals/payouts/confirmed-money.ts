import type { Queryable } from '../../../platform/postgres/db.ts'
import { balanceOf, NO_MERCHANT } from '../../ledger/index.ts'
import { unconfirmedMoney } from '../../statements/index.ts'
import type { Withdrawal } from '../withdrawal.ts'

type Cost = Pick<Withdrawal, 'merchantId' | 'currency' | 'amount' | 'fee'>

/** `covers`: whether the merchant has so much by lines that final statements contain. `use`: a payout of the batch takes it. */
export type ConfirmedMoney = { covers: (withdrawal: Cost) => boolean; use: (withdrawal: Cost) => void }

const keyOf = ({ merchantId, currency }: Pick<Cost, 'merchantId' | 'currency'>) => `${merchantId}|${currency}`
const costOf = ({ amount, fee }: Cost) => amount + fee

/**
 * What is unconfirmed stays with the merchant, available or held for withdrawals that are not sent. Refunds to senders are of no
 * merchant; their lines are confirmed when people agree.
 */
export async function confirmedMoney(db: Queryable, withdrawals: Cost[]): Promise<ConfirmedMoney> {
  const wanted = new Map(withdrawals.filter((one) => one.merchantId !== NO_MERCHANT).map((one) => [keyOf(one), one]))
  const left = new Map<string, bigint>()
  const merchantIds = [...new Set([...wanted.values()].map(({ merchantId }) => merchantId))]
  if ((await unconfirmedMoney(db, merchantIds)).length === 0) return { covers: () => true, use: () => undefined }
  for (const [key, { merchantId, currency }] of wanted) {
    const { available, held } = await balanceOf(db, merchantId, currency)
    left.set(key, available + held)
  }
  // After the balances: what is credited between the two reads is then subtracted, and never left out.
  for (const one of await unconfirmedMoney(db, merchantIds)) {
    const has = left.get(keyOf(one))
    if (has !== undefined) left.set(keyOf(one), has - one.amount)
  }
  return {
    covers: (one) => (left.get(keyOf(one)) ?? costOf(one)) >= costOf(one),
    use: (one) => {
      const has = left.get(keyOf(one))
      if (has !== undefined) left.set(keyOf(one), has - costOf(one))
    },
  }
}

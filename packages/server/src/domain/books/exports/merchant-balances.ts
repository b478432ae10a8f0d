import type { Tx } from '../../../platform/postgres/db.ts'
import { addDays } from '../../../kernel/istanbul.ts'
import { MERCHANT_MONEY } from '../../ledger/index.ts'
import { balancesAt, lastClosing } from '../days/store.ts'
import type { MovementTotal } from './store.ts'
import { sumEntries } from './store.ts'

/** What a merchant had, what moved, and what it has: opening + movements − fees = closing. */
export type MerchantBalance = {
  merchantId: string
  currency: string
  opening: bigint
  deposits: bigint
  /** Negative. */
  withdrawals: bigint
  returns: bigint
  /** Journal entries and corrections. */
  other: bigint
  /** Negative: they are taken from the merchant. */
  fees: bigint
  closing: bigint
}

const CLASS: Record<string, 'deposits' | 'withdrawals' | 'returns'> = {
  deposit_settlement: 'deposits',
  deposit_reversal: 'deposits',
  withdrawal_settlement: 'withdrawals',
  withdrawal_return: 'returns',
}

/** From the ledger: available, held and in transit together. Closing is read for itself, not computed from the movements: the caller reads `atOneMoment`. */
export async function merchantBalances(
  tx: Tx,
  { from, to, merchantId }: { from: string; to: string; merchantId: string | null },
): Promise<MerchantBalance[]> {
  const opening = await moneyAt(tx, addDays(from, -1), merchantId)
  const closing = await moneyAt(tx, to, merchantId)
  const moved = await sumEntries(tx, { after: addDays(from, -1), until: to }, merchantId)
  const movedOf = Map.groupBy(moved, keyOf)
  const keys = new Set([...opening.keys(), ...closing.keys(), ...movedOf.keys()])
  return [...keys].toSorted().map((key) => {
    const [merchant = '', currency = ''] = key.split(' ')
    const sums = classify(movedOf.get(key) ?? [])
    return { merchantId: merchant, currency, opening: opening.get(key) ?? 0n, ...sums, closing: closing.get(key) ?? 0n }
  })
}

const keyOf = ({ merchantId, currency }: { merchantId: string; currency: string }) => `${merchantId} ${currency}`

/** By merchant and currency. */
export async function moneyAt(tx: Tx, day: string, merchantId: string | null): Promise<Map<string, bigint>> {
  const closing = await lastClosing(tx, addDays(day, 1))
  const balances = await balancesAt(tx, { after: closing?.day ?? null, until: day }, closing)
  const money = balances.filter(
    (one) => MERCHANT_MONEY.includes(one.kind) && (merchantId === null || one.merchantId === merchantId),
  )
  const sums = new Map<string, bigint>()
  for (const one of money) sums.set(keyOf(one), (sums.get(keyOf(one)) ?? 0n) + one.balance)
  return sums
}

export function classify(moved: Pick<MovementTotal, 'kind' | 'net' | 'fee'>[]) {
  const sums = { deposits: 0n, withdrawals: 0n, returns: 0n, other: 0n, fees: 0n }
  for (const { kind, net, fee } of moved) {
    sums[CLASS[kind] ?? 'other'] += net + fee
    sums.fees -= fee
  }
  return sums
}

import type { CollectingAccount } from '../banks/index.ts'

/** What an account has received today and is expected to receive. */
export type Load = {
  /** All open deposits on the account: the least loaded account gets the next one. */
  open: number
  /** Received today, or reported as sent by the customer: counts in full. */
  certain: Sum
  /** The other open deposits, by merchant. */
  unpaid: Map<string, Sum>
  /** The part of the unpaid deposits that counts for every merchant: each merchant's unpaid deposits up to its share. */
  reserved: Sum
  share: Sum
}

type Sum = { count: number; amount: bigint }

/**
 * One merchant's unpaid deposits reserve at most a fifth of an account's daily limits. Most are never
 * paid, so a fifth is more than arrives, and it takes five merchants to block an account.
 */
const UNPAID_SHARE = 5

export function emptyLoad(account: Pick<CollectingAccount, 'dailyAmountLimit' | 'dailyCountLimit'> | undefined): Load {
  return {
    open: 0,
    certain: { count: 0, amount: 0n },
    unpaid: new Map(),
    reserved: { count: 0, amount: 0n },
    share: {
      count: Math.floor((account?.dailyCountLimit ?? 0) / UNPAID_SHARE),
      amount: (account?.dailyAmountLimit ?? 0n) / BigInt(UNPAID_SHARE),
    },
  }
}

export function addCertain(load: Load, count: number, amount: bigint): void {
  load.certain.count += count
  load.certain.amount += amount
}

export function addUnpaid(load: Load, merchantId: string, count: number, amount: bigint): void {
  const { unpaid, reserved, share } = load
  let own = unpaid.get(merchantId)
  if (!own) unpaid.set(merchantId, (own = { count: 0, amount: 0n }))
  load.open += count
  if (share.count > 0) reserved.count += least(own.count + count, share.count) - least(own.count, share.count)
  if (share.amount > 0n) reserved.amount += least(own.amount + amount, share.amount) - least(own.amount, share.amount)
  own.count += count
  own.amount += amount
}

/** A merchant's own unpaid deposits count in full against itself, so it cannot reserve more than the account's limit. */
export function takes(
  { dailyAmountLimit, dailyCountLimit }: CollectingAccount,
  { certain, reserved, unpaid, share }: Load,
  merchantId: string,
  amount: bigint,
): boolean {
  // Fast path: most accounts have no limits, and every deposit checks all accounts of its bank.
  if (dailyCountLimit === null && dailyAmountLimit === null) return true
  const own = unpaid.get(merchantId) ?? NOTHING
  const count = certain.count + reserved.count - least(own.count, share.count) + own.count
  if (dailyCountLimit !== null && count >= dailyCountLimit) return false
  if (dailyAmountLimit === null) return true
  const expected = certain.amount + reserved.amount - least(own.amount, share.amount) + own.amount
  return expected + amount <= dailyAmountLimit
}

const NOTHING: Sum = { count: 0, amount: 0n }

function least<Value extends number | bigint>(value: Value, most: Value): Value {
  return value < most ? value : most
}

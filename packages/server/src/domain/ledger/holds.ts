import type { Clock } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import { merchantAccount } from './accounts.ts'
import type { LockedAccounts } from './post-transfers.ts'
import { lockAccounts, postTransfers } from './post-transfers.ts'
import type { HoldRow } from './store.ts'
import { insertHolds, resolveHolds } from './store.ts'

export type Hold = HoldRow
type Deps = { clock: Clock; ids: Ids }

export function holdAccounts(merchantId: string, currency: string) {
  return {
    available: merchantAccount('merchant_available', merchantId, currency),
    held: merchantAccount('merchant_held', merchantId, currency),
  }
}

/** Reserves money. The caller has locked the accounts and checked the balance; a CHECK constraint verifies it again. */
export async function placeHolds(app: Deps, tx: Tx, accounts: LockedAccounts, holds: Hold[]): Promise<void> {
  if (holds.length === 0) return
  const transfers = holds.map(({ merchantId, subjectId, currency, amount }) => {
    const { available, held } = holdAccounts(merchantId, currency)
    return { from: available, to: held, amount, reason: 'withdrawal_held', merchantId, subjectId }
  })
  await Promise.all([insertHolds(tx, holds, app.clock.now()), postTransfers(app, tx, accounts, transfers)])
}

/** Returns the money. A hold that is already resolved is an error: the money would be returned twice. */
export async function voidHold(app: Deps, tx: Tx, merchantId: string, subjectId: string): Promise<void> {
  const [hold] = await resolveHolds(tx, [{ merchantId, subjectId }], 'voided', app.clock.now())
  if (!hold) throw new Error(`The hold of ${subjectId} was resolved before.`)
  const { available, held } = holdAccounts(merchantId, hold.currency)
  const accounts = await lockAccounts(tx, [available, held])
  const release = {
    from: held,
    to: available,
    amount: hold.amount,
    reason: 'withdrawal_released',
    merchantId,
    subjectId,
  }
  await postTransfers(app, tx, accounts, [release])
}

/**
 * Moves money from the merchants' holds into transit to the bank. Takes a list, so that accounts are locked once, in
 * order.
 */
export async function postHolds(app: Deps, tx: Tx, keys: { merchantId: string; subjectId: string }[]): Promise<void> {
  if (keys.length === 0) return
  const holds = await resolveHolds(tx, keys, 'posted', app.clock.now())
  if (holds.length !== keys.length) throw new Error('A hold was resolved before.')
  const transfers = holds.map(({ merchantId, subjectId, currency, amount }) => ({
    from: holdAccounts(merchantId, currency).held,
    to: merchantAccount('payouts_in_transit', merchantId, currency),
    amount,
    reason: 'payout_submitted',
    merchantId,
    subjectId,
  }))
  const refs = transfers.flatMap(({ from, to }) => [from, to])
  await postTransfers(app, tx, await lockAccounts(tx, refs), transfers)
}

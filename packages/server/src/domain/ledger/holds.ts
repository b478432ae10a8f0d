import type { Clock } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import { merchantActor } from '../../kernel/actor.ts'
import { merchantAccount } from './accounts.ts'
import type { Cause } from './entry.ts'
import type { LockedAccounts } from './balance-marks.ts'
import type { Ready } from './post-entries.ts'
import { lockAccounts, openAndPost, postEntries, readyEntries } from './post-entries.ts'
import type { HoldKey, HoldRow } from './store.ts'
import { bookedAbout, insertHolds, resolveHolds } from './store.ts'

export type Hold = HoldRow
type Deps = { clock: Clock; ids: Ids; marks: Marks }

export function holdAccounts(merchantId: string, currency: string) {
  return {
    available: merchantAccount('merchant_available', merchantId, currency),
    held: merchantAccount('merchant_held', merchantId, currency),
  }
}

/** Reserves money. The caller has locked the accounts and checked the balance; a CHECK constraint verifies it again. */
export async function placeHolds(app: Deps, tx: Tx, accounts: LockedAccounts, holds: Hold[]): Promise<void> {
  if (holds.length > 0) await (await readyHolds(app, accounts, holds))(tx)
}

/** For a caller that sends its commit behind them. */
export async function readyHolds(app: Deps, accounts: LockedAccounts, holds: Hold[]): Promise<Ready> {
  const entries = holds.map(({ merchantId, subjectId, currency, amount }) => {
    const { available, held } = holdAccounts(merchantId, currency)
    const transfers = [{ from: available, to: held, amount }]
    return { kind: 'withdrawal_hold' as const, merchantId, subjectId, actor: merchantActor(merchantId), transfers }
  })
  const post = await readyEntries(app, accounts, entries)
  return (tx) => Promise.all([insertHolds(tx, holds, app.clock.now()), post(tx)])
}

/** Returns the money. A hold that is already resolved is an error: the money would be returned twice. */
export async function voidHold(app: Deps, tx: Tx, key: HoldKey, cause: Cause = {}): Promise<void> {
  const { merchantId, subjectId } = key
  const [hold] = await resolveHolds(tx, [key], 'voided', app.clock.now())
  if (!hold) throw new Error(`The hold of ${subjectId} was resolved before.`)
  const { available, held } = holdAccounts(merchantId, hold.currency)
  const transfers = [{ from: held, to: available, amount: hold.amount }]
  await openAndPost(app, tx, [{ ...cause, kind: 'withdrawal_release', merchantId, subjectId, transfers }])
}

/**
 * Ends the hold of a withdrawal that has no payout, whatever became of the hold: what the ledger still shows as held or in transit for it
 * returns to the merchant. The caller has locked the withdrawal.
 */
export async function giveBackHold(app: Deps, tx: Tx, key: HoldKey, currency: string, cause: Cause = {}) {
  const { merchantId, subjectId } = key
  const { available, held } = holdAccounts(merchantId, currency)
  const transit = merchantAccount('payouts_in_transit', merchantId, currency)
  await resolveHolds(tx, [key], 'voided', app.clock.now())
  const accounts = await lockAccounts(tx, [available, held, transit])
  const booked = await bookedAbout(tx, merchantId, subjectId)
  const moved = (side: 'from' | 'to', kind: string) =>
    booked.reduce((sum, one) => (one[side] === kind ? sum + one.amount : sum), 0n)
  const transfers = [held, transit].flatMap((from) => {
    const amount = moved('to', from.kind) - moved('from', from.kind)
    return amount > 0n ? [{ from, to: available, amount }] : []
  })
  if (transfers.length > 0)
    await postEntries(app, tx, accounts, [{ ...cause, kind: 'withdrawal_release', merchantId, subjectId, transfers }])
}

/** Moves money from the merchants' holds into transit to the bank. Takes a list, so that accounts are locked once, in order. */
export async function postHolds(app: Deps, tx: Tx, keys: HoldKey[], cause: Cause = {}): Promise<void> {
  if (keys.length === 0) return
  const holds = await resolveHolds(tx, keys, 'posted', app.clock.now())
  const unresolved = keys.find(({ subjectId }) => !holds.some((hold) => hold.subjectId === subjectId))
  if (unresolved) throw new Error(`The hold of ${unresolved.subjectId} was resolved before.`)
  const entries = holds.map(({ merchantId, subjectId, currency, amount }) => {
    const from = holdAccounts(merchantId, currency).held
    const to = merchantAccount('payouts_in_transit', merchantId, currency)
    return {
      ...cause,
      kind: 'withdrawal_submission' as const,
      merchantId,
      subjectId,
      transfers: [{ from, to, amount }],
    }
  })
  await openAndPost(app, tx, entries)
}

import type { Queryable } from '../../platform/postgres/db.ts'
import { merchantAccount } from './accounts.ts'
import { balancesOf, selectMerchantBalances } from './store.ts'

export { bankAccount, keyOf, merchantAccount, NO_MERCHANT } from './accounts.ts'
export type { AccountKind, AccountRef } from './accounts.ts'
export { bookedOn, ENTRY_KINDS } from './entry.ts'
export type { Cause, EntryKind, NewEntry } from './entry.ts'
export {
  debitClearing,
  debitReceipt,
  suspenseClearing,
  suspenseOf,
  suspenseReceipt,
  suspenseReversal,
  unexplainedOf,
} from './suspense.ts'
export type { LineMoney } from './suspense.ts'
export { forgedBalances, markBalances, spendable } from './balance-marks.ts'
export { lockAccounts, openAccounts, openAndPost, postEntries } from './post-entries.ts'
export { giveBackHold, holdAccounts, placeHolds, postHolds, readyHolds, voidHold } from './holds.ts'
export { checkLedger, isBalanced } from './check-ledger.ts'
export {
  accountsSql,
  closedUntil,
  findDrift,
  noDriftSql,
  findMixedEntries,
  lastCheck,
  lockPastDays,
  merchantMoney,
  updateClosedUntil,
} from './store.ts'
export { cashAbout, cashWindowSql, journalSql, MERCHANT_MONEY, merchantEntriesSql, movedSql } from './days/store.ts'
export type { CashMove, DayWindow } from './days/store.ts'

/** Money at the bank on each collecting account, as a positive amount. */
export { bankCash, balancesOf, bookedAbout, feesEarned } from './store.ts'
export type { Booked } from './store.ts'

export type Balance = { available: bigint; held: bigint }

export async function balanceOf(db: Queryable, merchantId: string, currency: string): Promise<Balance> {
  const rows = await selectMerchantBalances(db, merchantId, currency)
  const of = (kind: string) => rows.find((row) => row.kind === kind)?.balance ?? 0n
  return { available: of('merchant_available'), held: of('merchant_held') }
}

/** `inTransit`: sent to recipients and on no statement yet. */
export type WholeBalance = Balance & { currency: string; inTransit: bigint }

export function wholeBalances(
  db: Queryable,
  merchantId: string,
  currencies: readonly string[],
): Promise<WholeBalance[]> {
  return Promise.all(
    currencies.map(async (currency) => {
      const [inTransit = 0n] = await balancesOf(db, [merchantAccount('payouts_in_transit', merchantId, currency)])
      return { currency, ...(await balanceOf(db, merchantId, currency)), inTransit }
    }),
  )
}

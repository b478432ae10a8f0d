import type { Queryable } from '../../platform/postgres/db.ts'
import type { CheckoutKeys } from './checkout-keys/checkout-keys.ts'
import { readCheckoutToken } from './checkout-token.ts'
import type { Deposit } from './deposit.ts'
import { findDeposit } from './store.ts'

export { openAccountPool } from './account-pool.ts'
export type { AccountPool } from './account-pool.ts'
export { depositsOfAmount } from './candidates/store.ts'
export { cancelDeposit } from './cancel-deposit.ts'
export { changeDeposits, mustCoverRefunds } from './change-deposits.ts'
export type { DepositViews, Changes } from './change-deposits.ts'
export {
  acknowledgeAccount,
  changeAccountState,
  chooseBank,
  claimPayment,
  forgetBank,
  leaveBlockedAccounts,
  takeBackClaim,
} from './checkout-choices.ts'
export {
  loadMarkKey,
  masterKeyProblem,
  openCheckoutKeys,
  prepareCheckoutKeys,
  prepareMarkKey,
  wrongMasterKey,
} from './checkout-keys/checkout-keys.ts'
export type { CheckoutKeys } from './checkout-keys/checkout-keys.ts'
export { deploymentSecrets } from './checkout-keys/store.ts'
export { checkoutToken, checkoutUrl } from './checkout-token.ts'
export { createDeposits } from './create-deposits.ts'
export type { NewDeposit } from './create-deposits.ts'
export {
  DEPOSIT_STATUSES,
  NEXT,
  LATE_PAYMENT_DAYS,
  flagsFor,
  isClaimed,
  isLate,
  isShort,
  payableUntil,
  wasReversed,
} from './deposit.ts'
export type { Deposit, DepositFlag, DepositReason, DepositStatus } from './deposit.ts'
export { makeHandover, useHandover } from './handover.ts'
export { historyOf, insertHistory } from './history/store.ts'
export type { StatusChange } from './history/store.ts'
export { findLink, listLinks, makeLink } from './links/payment-links.ts'
export type { PaymentLink } from './links/payment-links.ts'
export { depositsWithIds, depositsOfAll, depositSums, depositTotals, openByAccount } from './lists/store.ts'
export type { CurrencySum, StatusTotal } from './lists/store.ts'
export { eraseDeposit, lockEndedDeposit } from './erase-deposit.ts'
export { expireDeposits, openExpiry } from './expire-deposits.ts'
export {
  lockByReferenceCodes,
  selectByReferenceCodes,
  lockDeposits,
  findDeposit,
  findDepositById,
  listDeposits,
} from './store.ts'
export { depositsOfCustomer, searchDeposits } from './search/store.ts'
export { watchDeposits } from './watch-deposits.ts'
export type { DepositWatch } from './watch-deposits.ts'

/** Returns the deposit that a checkout address opens; null for any invalid token. */
export async function findByCheckoutToken(
  { db, checkoutKeys }: { db: Queryable; checkoutKeys: CheckoutKeys },
  token: string,
): Promise<Deposit | null> {
  const key = readCheckoutToken(checkoutKeys, token)
  return key && ((await findDeposit(db, key.merchantId, key.id)) ?? null)
}

import type { Db } from '../../platform/postgres/db.ts'
import { depositsOfCustomer, findDepositById } from '../deposits/index.ts'
import { findWithdrawalById, withdrawalsOfCustomer } from '../withdrawals/index.ts'
import type { Subject } from './erase-transaction.ts'

export { eraseTransaction, keptDespite } from './erase-transaction.ts'
export type { ErasedViews, Outcome, Subject, Wish } from './erase-transaction.ts'
export { listErasures } from './store.ts'

/**
 * Transactions still stored under this customer id. Erased ones no longer have it, so a second run continues where the
 * first stopped.
 */
export async function transactionsOfCustomer(
  { db }: { db: Db },
  merchantId: string,
  customerId: string,
): Promise<Subject[]> {
  const deposits = await depositsOfCustomer(db, merchantId, customerId)
  const withdrawals = await withdrawalsOfCustomer(db, merchantId, customerId)
  return [
    ...deposits.map((id) => ({ kind: 'deposit' as const, merchantId, id })),
    ...withdrawals.map((id) => ({ kind: 'withdrawal' as const, merchantId, id })),
  ]
}

export async function findSubject({ db }: { db: Db }, id: string): Promise<Subject | null> {
  const deposit = await findDepositById(db, id)
  if (deposit) return { kind: 'deposit', merchantId: deposit.merchantId, id }
  const withdrawal = await findWithdrawalById(db, id)
  return withdrawal ? { kind: 'withdrawal', merchantId: withdrawal.merchantId, id } : null
}

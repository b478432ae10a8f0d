import type { Compared } from '../../kernel/duplicate-transaction.ts'
import type { Withdrawal } from './withdrawal.ts'

type Request = Pick<
  Withdrawal,
  'amount' | 'currency' | 'bankId' | 'accountName' | 'iban' | 'userId' | 'userName' | 'name'
> &
  Partial<Pick<Withdrawal, 'metadata' | 'refundOf'>>

/** Compares every field of the request; IBANs in compact form. */
export function compareWithdrawals(first: Request, again: Request): Compared {
  return {
    amount: [first.amount, again.amount],
    currency: [first.currency, again.currency],
    bankId: [first.bankId, again.bankId],
    accountName: [first.accountName, again.accountName],
    iban: [first.iban, again.iban],
    userId: [first.userId, again.userId],
    userName: [first.userName, again.userName],
    name: [first.name, again.name],
    refundOf: [first.refundOf ?? null, again.refundOf ?? null],
    // Serialised and parsed like the stored one: -0 becomes 0.
    metadata: [first.metadata ?? null, JSON.parse(JSON.stringify(again.metadata ?? null))],
  }
}

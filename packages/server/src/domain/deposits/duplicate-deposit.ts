import type { Compared } from '../../kernel/duplicate-transaction.ts'
import type { Deposit } from './deposit.ts'

/** A stored deposit with the bank that its request named: the customer may have chosen another one since. */
export type FirstDeposit = Deposit & { requestedBankId: string | null }

type Request = Pick<Deposit, 'amount' | 'currency' | 'customer'> &
  Partial<Pick<Deposit, 'bankId' | 'metadata' | 'returnUrl' | 'language'>>

/** Compares every field of the request; absent optional fields with their defaults. */
export function compareDeposits(first: FirstDeposit, again: Request): Compared {
  return {
    amount: [first.amount, again.amount],
    currency: [first.currency, again.currency],
    bankCode: [first.requestedBankId, again.bankId ?? null],
    'customer.id': [first.customer.id, again.customer.id],
    'customer.name': [first.customer.name, again.customer.name],
    'customer.username': [first.customer.username, again.customer.username],
    // Serialised and parsed like the stored one: -0 becomes 0.
    metadata: [first.metadata, JSON.parse(JSON.stringify(again.metadata ?? null))],
    returnUrl: [first.returnUrl, again.returnUrl ?? null],
    language: [first.language, again.language ?? 'tr'],
  }
}

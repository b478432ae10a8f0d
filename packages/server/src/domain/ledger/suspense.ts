import { bankAccount, NO_MERCHANT } from './accounts.ts'
import type { Transfer } from './post-transfers.ts'

/** The fields of a bank line that the ledger needs. */
export type LineMoney = { id: string; collectingAccountId: string; currency: string; amount: bigint }

/** Money that is received but not attributed yet, or held for a person's decision. */
export function suspenseTransfer({ id, collectingAccountId, currency, amount }: LineMoney): Transfer {
  return {
    from: bankAccount('bank_cash', collectingAccountId, currency),
    to: bankAccount('suspense', collectingAccountId, currency),
    amount,
    reason: 'line_in_suspense',
    merchantId: NO_MERCHANT,
    subjectId: id,
  }
}

/**
 * Reversal: the received money is matched with money that had left `toAccountId` unbooked, or that was booked there as
 * returned because the bank said so.
 */
export function outOfSuspense({ id, collectingAccountId, currency, amount }: LineMoney, toAccountId: string): Transfer {
  return {
    from: bankAccount('suspense', collectingAccountId, currency),
    to: bankAccount('bank_cash', toAccountId, currency),
    amount,
    reason: 'line_out_of_suspense',
    merchantId: NO_MERCHANT,
    subjectId: id,
  }
}

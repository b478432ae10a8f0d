import { bankAccount, HOUSE } from './accounts.ts'
import type { Transfer } from './post-transfers.ts'

/** What a bank line brought, as far as the ledger needs to know. */
export type LineMoney = { id: string; collectingAccountId: string; currency: string; amount: bigint }

/** Money that arrived and is not yet known to be anybody's, or is held until a person has decided. */
export function suspenseTransfer({ id, collectingAccountId, currency, amount }: LineMoney): Transfer {
  return {
    from: bankAccount('bank_cash', collectingAccountId, currency),
    to: bankAccount('suspense', collectingAccountId, currency),
    amount,
    reason: 'line_in_suspense',
    merchantId: HOUSE,
    subjectId: id,
  }
}

/**
 * The other way: what came in turns out to be what had left `toAccountId` unbooked, or what was booked as returned there on the
 * bank's word.
 */
export function outOfSuspense({ id, collectingAccountId, currency, amount }: LineMoney, toAccountId: string): Transfer {
  return {
    from: bankAccount('suspense', collectingAccountId, currency),
    to: bankAccount('bank_cash', toAccountId, currency),
    amount,
    reason: 'line_out_of_suspense',
    merchantId: HOUSE,
    subjectId: id,
  }
}

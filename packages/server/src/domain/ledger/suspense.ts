import type { AccountRef } from './accounts.ts'
import { bankAccount, NO_MERCHANT } from './accounts.ts'
import type { NewEntry } from './entry.ts'
import { bookedOn } from './entry.ts'

/** The fields of a bank line that the ledger needs. */
export type LineMoney = { id: string; collectingAccountId: string; currency: string; amount: bigint; bookedAt: Date }

/** Money that is received but not attributed yet, or held for a person's decision. */
export function suspenseReceipt(line: LineMoney): NewEntry {
  return { ...entryOf('suspense_receipt', line, cashOf(line), suspenseOf(line)), effectiveOn: bookedOn(line) }
}

/**
 * The received money is matched with money that had left `toAccountId` unbooked, or that was booked there as returned
 * because the bank said so.
 */
export function suspenseClearing(line: LineMoney, toAccountId: string): NewEntry {
  return entryOf('suspense_clearing', line, suspenseOf(line), bankAccount('bank_cash', toAccountId, line.currency))
}

/** Another line replaces this one, or two people have dismissed it. */
export function suspenseReversal(line: LineMoney): NewEntry {
  return entryOf('suspense_reversal', line, suspenseOf(line), cashOf(line))
}

/** Money that left for a reason that is not known yet. */
export function debitReceipt(line: LineMoney): NewEntry {
  return { ...entryOf('debit_receipt', line, unexplainedOf(line), cashOf(line)), effectiveOn: bookedOn(line) }
}

/** The debit is explained, or not counted: what explains it has its own booking. */
export function debitClearing(line: LineMoney): NewEntry {
  return { ...entryOf('debit_clearing', line, cashOf(line), unexplainedOf(line)), effectiveOn: bookedOn(line) }
}

function entryOf(kind: NewEntry['kind'], { id, amount }: LineMoney, from: AccountRef, to: AccountRef): NewEntry {
  return { kind, merchantId: NO_MERCHANT, subjectId: id, transfers: [{ from, to, amount }] }
}

function cashOf({ collectingAccountId, currency }: LineMoney): AccountRef {
  return bankAccount('bank_cash', collectingAccountId, currency)
}

/** The account that shows a debit's money while it is unexplained. */
export function unexplainedOf({
  collectingAccountId,
  currency,
}: Pick<LineMoney, 'collectingAccountId' | 'currency'>): AccountRef {
  return bankAccount('unexplained_debits', collectingAccountId, currency)
}

/** The account that holds the line's money while it is in suspense. */
export function suspenseOf({
  collectingAccountId,
  currency,
}: Pick<LineMoney, 'collectingAccountId' | 'currency'>): AccountRef {
  return bankAccount('suspense', collectingAccountId, currency)
}

import type { Fee } from '../../../kernel/money.ts'
import { feeOn } from '../../../kernel/money.ts'
import type { AccountRef, LineMoney, Transfer } from '../../ledger/index.ts'
import { bankAccount, merchantAccount } from '../../ledger/index.ts'
import type { Deposit } from '../../deposits/index.ts'

/** Where a part of a deposit's money stands before it becomes the merchant's. */
export type Source = { from: AccountRef; amount: bigint }

export function fromBank({ collectingAccountId, currency, amount }: Omit<LineMoney, 'id'>): Source {
  return { from: bankAccount('bank_cash', collectingAccountId, currency), amount }
}

export function fromSuspense({ collectingAccountId, currency, amount }: LineMoney): Source {
  return { from: bankAccount('suspense', collectingAccountId, currency), amount }
}

/** A minimum fee never turns a small payment into a debt. */
export function depositFee(received: bigint, terms: Fee): bigint {
  const fee = feeOn(received, terms)
  return fee > received ? received : fee
}

/** The money becomes the merchant's, less our fee, which is taken from what arrived first. */
export function creditTransfers({ merchantId, id, currency, fee }: Deposit, sources: Source[]): Transfer[] {
  const available = merchantAccount('merchant_available', merchantId, currency)
  const fees = merchantAccount('fees', merchantId, currency)
  let feeLeft = fee
  return sources.flatMap(({ from, amount }) => {
    const feePart = feeLeft < amount ? feeLeft : amount
    feeLeft -= feePart
    const common = { from, merchantId, subjectId: id }
    return [
      { ...common, to: available, amount: amount - feePart, reason: 'deposit_credited' },
      { ...common, to: fees, amount: feePart, reason: 'deposit_fee' },
    ].filter((transfer) => transfer.amount > 0n)
  })
}

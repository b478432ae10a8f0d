import type { Fee } from '../../../kernel/money.ts'
import { feeOn } from '../../../kernel/money.ts'
import type { AccountRef, Cause, LineMoney, NewEntry } from '../../ledger/index.ts'
import { bankAccount, merchantAccount } from '../../ledger/index.ts'
import type { Deposit } from '../../deposits/index.ts'

/** Where a part of a deposit's money stands before it becomes the merchant's. */
export type Source = { from: AccountRef; amount: bigint }

export function fromBank({ collectingAccountId, currency, amount }: LineMoney): Source {
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
export function depositSettlement(deposit: Deposit, sources: Source[], cause: Cause): NewEntry {
  const { merchantId, id, currency, fee } = deposit
  const available = merchantAccount('merchant_available', merchantId, currency)
  const fees = merchantAccount('fees', merchantId, currency)
  let feeLeft = fee
  const transfers = sources.flatMap(({ from, amount }) => {
    const feePart = feeLeft < amount ? feeLeft : amount
    feeLeft -= feePart
    return [
      { from, to: available, amount: amount - feePart },
      { from, to: fees, amount: feePart },
    ].filter((transfer) => transfer.amount > 0n)
  })
  return { ...cause, kind: 'deposit_settlement', merchantId, subjectId: id, transfers }
}

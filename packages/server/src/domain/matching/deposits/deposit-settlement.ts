import type { Fee } from '../../../kernel/money.ts'
import { feeOn } from '../../../kernel/money.ts'
import type { AccountRef, Cause, LineMoney, NewEntry } from '../../ledger/index.ts'
import { bankAccount, merchantAccount, suspenseOf } from '../../ledger/index.ts'
import type { Deposit } from '../../deposits/index.ts'

/** Where a part of a deposit's money is before it is credited to the merchant. */
export type Funds = { from: AccountRef; amount: bigint }

export function fromBank({ collectingAccountId, currency, amount }: LineMoney): Funds {
  return { from: bankAccount('bank_cash', collectingAccountId, currency), amount }
}

export function fromSuspense(line: LineMoney): Funds {
  return { from: suspenseOf(line), amount: line.amount }
}

/** A minimum fee never exceeds a small payment. */
export function depositFee(received: bigint, terms: Fee): bigint {
  const fee = feeOn(received, terms)
  return fee > received ? received : fee
}

/** Credits the money to the merchant, less our fee, which is taken from the first money received. */
export function depositSettlement(deposit: Deposit, funds: Funds[], cause: Cause): NewEntry {
  const { merchantId, id, currency, fee } = deposit
  const available = merchantAccount('merchant_available', merchantId, currency)
  const fees = merchantAccount('fees', merchantId, currency)
  let feeLeft = fee
  const transfers = funds.flatMap(({ from, amount }) => {
    const feePart = feeLeft < amount ? feeLeft : amount
    feeLeft -= feePart
    return [
      { from, to: available, amount: amount - feePart },
      { from, to: fees, amount: feePart },
    ].filter((transfer) => transfer.amount > 0n)
  })
  return { ...cause, kind: 'deposit_settlement', merchantId, subjectId: id, transfers }
}

import type { Fee } from '../../../kernel/money.ts'
import { feeOn } from '../../../kernel/money.ts'
import type { AccountRef, Cause, LineMoney, NewEntry } from '../../ledger/index.ts'
import { bankAccount, merchantAccount, suspenseOf } from '../../ledger/index.ts'
import type { MerchantFacts } from '../../merchants/index.ts'
import { termsAt } from '../../merchants/index.ts'
import type { Changes, Deposit } from '../../deposits/index.ts'
import { flagsFor, isLate, payableUntil } from '../../deposits/index.ts'

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

/** A person accepts this much money as the payment, whatever was asked for. `bookedAt`: of the line that completes it. */
export function completion(deposit: Deposit, merchant: MerchantFacts, receivedAmount: bigint, bookedAt: Date) {
  const late = isLate({ ...deposit, expiresAt: payableUntil(deposit) }, bookedAt) ? (['late'] as const) : []
  return {
    status: 'completed',
    receivedAmount,
    flags: [...new Set([...flagsFor(deposit, receivedAmount), ...late])],
    reason: null,
    fee: depositFee(receivedAmount, termsAt(merchant.fees, deposit.createdAt).deposit),
  } satisfies Changes
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

/** Takes back what the settlement credited, the fee too: all of it is in suspense again. */
export function depositReversal(deposit: Deposit, funds: Funds[]): NewEntry {
  const { transfers, ...entry } = depositSettlement(deposit, funds, {})
  const back = transfers.map(({ from, to, amount }) => ({ from: to, to: from, amount }))
  return { ...entry, kind: 'deposit_reversal', transfers: back }
}

import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Fee } from '../../platform/money.ts'
import { feeOn } from '../../platform/money.ts'
import type { AccountRef, Transfer } from '../ledger/index.ts'
import { bankAccount, HOUSE, lockAccounts, merchantAccount, openAccounts, postTransfers } from '../ledger/index.ts'
import type { Deposit } from './deposit.ts'

/** Where a part of a deposit's money stands before it becomes the merchant's. */
export type Source = { from: AccountRef; amount: bigint }

type LineMoney = { id: string; collectingAccountId: string; currency: string; amount: bigint }

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

/** Opens the bank's accounts where a line is their first, locks in id order, posts. Last step of every settlement. */
export async function post(app: { clock: Clock; ids: Ids }, tx: Tx, transfers: Transfer[]): Promise<void> {
  if (transfers.length === 0) return
  const refs = transfers.flatMap(({ from, to }) => [from, to])
  await openAccounts(
    app,
    tx,
    refs.filter(({ merchantId }) => merchantId === HOUSE),
  )
  await postTransfers(app, tx, await lockAccounts(tx, refs), transfers)
}

import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Fee } from '../../platform/money.ts'
import { feeOn } from '../../platform/money.ts'
import type { BankDirectory } from '../banks/index.ts'
import type { AccountRef, Transfer } from '../ledger/index.ts'
import { bankAccount, lockAccounts, merchantAccount, openAccounts, postTransfers } from '../ledger/index.ts'
import { changeStatus } from './change-status.ts'
import type { Deposit } from './deposit.ts'
import { lockDeposits } from './store.ts'

export type Arrival = {
  deposit: Pick<Deposit, 'merchantId' | 'id'>
  collectingAccountId: string
  amount: bigint
  fee: Fee
}

/**
 * Money has arrived for these deposits: what the bank now holds becomes the merchant's, less our fee. The deposit rows
 * are locked before the accounts, everywhere in this order.
 */
export async function settleDeposits(
  app: { clock: Clock; ids: Ids; banks: BankDirectory },
  tx: Tx,
  arrivals: Arrival[],
): Promise<Deposit[]> {
  const byId = new Map(arrivals.map((arrival) => [arrival.deposit.id, arrival]))
  const deposits = await lockDeposits(
    tx,
    arrivals.map(({ deposit }) => deposit.merchantId),
    arrivals.map(({ deposit }) => deposit.id),
  )
  const facts = new Map(
    deposits.map((deposit) => {
      const arrival = byId.get(deposit.id) as Arrival
      const fee = feeOn(arrival.amount, arrival.fee)
      // A minimum fee never turns a small payment into a debt.
      return [deposit.id, { receivedAmount: arrival.amount, fee: fee > arrival.amount ? arrival.amount : fee }]
    }),
  )
  const settled = await changeStatus(app, tx, deposits, 'completed', ({ id }) => facts.get(id) ?? {})
  const transfers = settled.flatMap((deposit) => credit(deposit, byId.get(deposit.id) as Arrival))
  await openAccounts(
    app,
    tx,
    transfers.map(({ from }) => from),
  )
  await postTransfers(
    app,
    tx,
    await lockAccounts(
      tx,
      transfers.flatMap(({ from, to }) => [from, to]),
    ),
    transfers,
  )
  return settled
}

function credit({ merchantId, id, currency, receivedAmount, fee }: Deposit, arrival: Arrival): Transfer[] {
  const from = bankAccount('bank_cash', arrival.collectingAccountId, currency)
  const part = (to: AccountRef, amount: bigint, reason: string): Transfer[] =>
    amount > 0n ? [{ from, to, amount, reason, merchantId, subjectId: id }] : []
  return [
    ...part(merchantAccount('merchant_available', merchantId, currency), receivedAmount - fee, 'deposit_credited'),
    ...part(merchantAccount('fees', merchantId, currency), fee, 'deposit_fee'),
  ]
}

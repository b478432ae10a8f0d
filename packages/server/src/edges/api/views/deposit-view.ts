import type { DepositTransaction } from '@vezne/contract'
import type { BankDirectory } from '../../../domain/banks/index.ts'
import type { Deposit } from '../../../domain/deposits/index.ts'

/** The deposit as the merchant sees it, in `GET /v1/transactions` and in every callback. */
export async function depositView(banks: BankDirectory, deposit: Deposit): Promise<DepositTransaction> {
  const received = deposit.status === 'completed'
  const account = await assignedAccount(banks, deposit)
  return {
    transactionId: deposit.id,
    type: 'deposit',
    processId: deposit.processId,
    amount: Number(deposit.amount),
    currency: deposit.currency,
    status: deposit.status,
    receivedAmount: Number(deposit.receivedAmount),
    fee: Number(deposit.fee),
    netAmount: received ? Number(deposit.receivedAmount - deposit.fee) : 0,
    ...(deposit.refundedAmount > 0n && { refundedAmount: Number(deposit.refundedAmount) }),
    ...(deposit.takenBackAmount > 0n && { takenBackAmount: Number(deposit.takenBackAmount) }),
    flags: deposit.flags,
    ...(deposit.reason !== null && { reason: deposit.reason }),
    ...(deposit.bankId !== null && { bankCode: deposit.bankId }),
    ...(account && { assignedAccount: account }),
    customer: deposit.customer,
    ...(deposit.metadata !== null && { metadata: deposit.metadata }),
    expiresAt: deposit.expiresAt.toISOString(),
    createdAt: deposit.createdAt.toISOString(),
    updatedAt: deposit.updatedAt.toISOString(),
    sequence: deposit.sequence,
  }
}

/** The account to pay into; undefined if none is assigned yet, in which case the response omits it. */
export async function assignedAccount(banks: BankDirectory, { collectingAccountId }: Deposit) {
  const account = collectingAccountId === null ? undefined : await banks.account(collectingAccountId)
  return account && { bankName: account.bankName, accountName: account.title, iban: account.iban }
}

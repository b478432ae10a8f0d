import type { BankDirectory } from '../banks/index.ts'
import type { Deposit } from './deposit.ts'

/** The deposit as its merchant sees it: in `GET /v1/transactions` and in every callback. */
export async function depositView({ banks }: { banks: BankDirectory }, deposit: Deposit) {
  const received = deposit.status === 'completed'
  return {
    transactionId: deposit.id,
    type: 'deposit' as const,
    processId: deposit.processId,
    amount: Number(deposit.amount),
    currency: deposit.currency,
    status: deposit.status,
    receivedAmount: Number(deposit.receivedAmount),
    fee: Number(deposit.fee),
    netAmount: received ? Number(deposit.receivedAmount - deposit.fee) : 0,
    flags: deposit.flags,
    ...(deposit.reason !== null && { reason: deposit.reason }),
    ...(deposit.bankId !== null && { bankCode: deposit.bankId }),
    ...(await assignedAccount(banks, deposit)),
    customer: deposit.customer,
    ...(deposit.metadata !== null && { metadata: deposit.metadata }),
    expiresAt: deposit.expiresAt.toISOString(),
    createdAt: deposit.createdAt.toISOString(),
    updatedAt: deposit.updatedAt.toISOString(),
    sequence: deposit.sequence,
  }
}

/** Present only when there is one, as the contract has it. */
export async function assignedAccount(
  banks: BankDirectory,
  { collectingAccountId }: Deposit,
): Promise<{ assignedAccount?: { bankName: string; accountName: string; iban: string } }> {
  const account = collectingAccountId === null ? undefined : await banks.account(collectingAccountId)
  if (!account) return {}
  return { assignedAccount: { bankName: account.bankName, accountName: account.title, iban: account.iban } }
}

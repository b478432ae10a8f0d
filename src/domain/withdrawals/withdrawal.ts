export type WithdrawalStatus = 'pending' | 'processing' | 'completed' | 'failed'

/** `failed` is reached only by a definite no: cancelled or rejected before sending, or refused by the bank. */
export const NEXT: Record<WithdrawalStatus, readonly WithdrawalStatus[]> = {
  pending: ['processing', 'failed'],
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
}

export const WITHDRAWAL_STATUSES = Object.keys(NEXT) as WithdrawalStatus[]

export type FailureReason = 'cancelled_by_merchant'

export type Withdrawal = {
  id: string
  merchantId: string
  processId: string
  amount: bigint
  fee: bigint
  currency: string
  status: WithdrawalStatus
  /** How often the status has changed. */
  sequence: number
  bankId: string | null
  iban: string
  accountName: string
  userId: string
  userName: string
  name: string
  failureReason: FailureReason | null
  createdAt: Date
  updatedAt: Date
}

/** The withdrawal as its merchant sees it: in `GET /v1/transactions` and in every callback. */
export function withdrawalView(withdrawal: Withdrawal) {
  return {
    transactionId: withdrawal.id,
    type: 'withdrawal' as const,
    processId: withdrawal.processId,
    amount: Number(withdrawal.amount),
    fee: Number(withdrawal.fee),
    currency: withdrawal.currency,
    status: withdrawal.status,
    ...(withdrawal.failureReason !== null && { failureReason: withdrawal.failureReason }),
    ...(withdrawal.bankId !== null && { bankId: withdrawal.bankId }),
    iban: withdrawal.iban,
    accountName: withdrawal.accountName,
    userId: withdrawal.userId,
    userName: withdrawal.userName,
    name: withdrawal.name,
    createdAt: withdrawal.createdAt.toISOString(),
    updatedAt: withdrawal.updatedAt.toISOString(),
    sequence: withdrawal.sequence,
  }
}

import type { WithdrawalTransaction } from '@vezne/contract'
import type { Withdrawal } from '../../../domain/withdrawals/index.ts'
import { FAILURE_REASONS } from '../../../domain/withdrawals/index.ts'

/** The withdrawal as the merchant sees it, in `GET /v1/transactions` and in every callback. */
export function withdrawalView(withdrawal: Withdrawal): WithdrawalTransaction {
  const { scheduledFor } = withdrawal
  return {
    transactionId: withdrawal.id,
    type: 'withdrawal',
    processId: withdrawal.processId,
    amount: Number(withdrawal.amount),
    fee: Number(withdrawal.fee),
    currency: withdrawal.currency,
    status: withdrawal.status,
    ...(withdrawal.failureReason !== null && {
      failureReason: withdrawal.failureReason,
      failureText: FAILURE_REASONS[withdrawal.failureReason],
    }),
    // A withdrawal waiting for funds also has a time, but it is only the next retry within a minute and of no use to a merchant.
    ...(withdrawal.stateReason === 'eft_closed' && scheduledFor && { scheduledFor: scheduledFor.toISOString() }),
    ...(withdrawal.bankReference !== null && { bankReference: withdrawal.bankReference }),
    ...(withdrawal.state === 'returned' && { returned: true }),
    ...(withdrawal.refundOf !== null && { refundOf: withdrawal.refundOf }),
    ...(withdrawal.refundReason !== null && { refundReason: withdrawal.refundReason }),
    ...(withdrawal.settlement && { settlement: true }),
    ...(withdrawal.bankId !== null && { bankId: withdrawal.bankId }),
    iban: withdrawal.iban,
    accountName: withdrawal.accountName,
    userId: withdrawal.userId,
    userName: withdrawal.userName,
    name: withdrawal.name,
    ...(withdrawal.metadata !== null && { metadata: withdrawal.metadata }),
    createdAt: withdrawal.createdAt.toISOString(),
    updatedAt: withdrawal.updatedAt.toISOString(),
    sequence: withdrawal.sequence,
  }
}

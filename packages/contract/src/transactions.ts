import type { Static } from 'typebox'
import { Type } from 'typebox'
import {
  amount,
  bankId,
  closed,
  count,
  currency,
  id,
  metadata,
  money,
  processId,
  shownBankId,
  shownIban,
  shownProcessId,
  shownText,
  text,
  time,
} from './fields.ts'
import { LIMITS } from './limits.ts'

export const DEPOSIT_STATUSES = ['pending', 'processing', 'expired', 'completed', 'failed', 'cancelled'] as const
export const WITHDRAWAL_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const
const DEPOSIT_FLAGS = ['late', 'underpaid', 'overpaid', 'duplicate', 'name_mismatch'] as const
const DEPOSIT_REASONS = [
  'short',
  'over',
  'third_party_sender',
  'late_review',
  'payment_rejected',
  'match_corrected',
  'payment_reversed',
] as const
const FAILURE_REASONS = [
  'cancelled_by_merchant',
  'rejected_by_operator',
  'stopped_by_operator',
  'account_closed',
  'name_mismatch',
  'limit_exceeded',
  'invalid_iban',
  'not_sent',
  'bank_refused',
] as const

export const newCustomer = Type.Object({
  id: text(LIMITS.customerId),
  name: text(LIMITS.personName),
  username: text(LIMITS.username),
})

export const newDeposit = Type.Object({
  processId,
  amount,
  currency: Type.Optional(currency),
  bankCode: Type.Optional(bankId),
  customer: newCustomer,
  metadata: Type.Optional(metadata),
  returnUrl: Type.Optional(text(LIMITS.returnUrl)),
  language: Type.Optional(Type.Enum(['tr', 'en'])),
})

export const newWithdrawal = Type.Object({
  processId,
  amount,
  currency: Type.Optional(currency),
  bankId: Type.Optional(bankId),
  accountName: text(LIMITS.accountName.max, LIMITS.accountName.min),
  iban: Type.String({ minLength: 1, maxLength: LIMITS.iban }),
  userId: text(LIMITS.customerId),
  userName: text(LIMITS.username),
  name: text(LIMITS.personName),
  metadata: Type.Optional(metadata),
})

/** `iban` and `accountName` are for a deposit whose bank line names no sender. */
export const newRefund = Type.Object({
  processId,
  amount: Type.Optional(amount),
  reason: Type.Optional(text(LIMITS.refundReason)),
  iban: Type.Optional(Type.String({ minLength: 1, maxLength: LIMITS.iban })),
  accountName: Type.Optional(text(LIMITS.accountName.max, LIMITS.accountName.min)),
})

export const assignedAccount = closed({ bankName: Type.String(), accountName: Type.String(), iban: shownIban })
/** Carries a token in its query. */
const checkoutUrl = Type.String({ pattern: '^https?://[^?]+/checkout\\?token=[\\w-]+$' })

export const createdDeposit = closed({
  transactionId: id,
  processId: shownProcessId,
  amount,
  currency,
  status: Type.Literal('pending'),
  assignedAccount: Type.Optional(assignedAccount),
  checkoutUrl,
  expiresAt: time,
  createdAt: time,
})

export const createdWithdrawal = closed({
  transactionId: id,
  processId: shownProcessId,
  amount,
  currency,
  status: Type.Literal('pending'),
  createdAt: time,
})

export const createdRefund = closed({ ...createdWithdrawal.properties, refundOf: id })

export const shownCustomer = closed({
  id: shownText(LIMITS.customerId),
  name: shownText(LIMITS.personName),
  username: shownText(LIMITS.username),
})

export const failureText = closed({ tr: Type.String(), en: Type.String() })

/** In events, and in the response to a cancellation. Keys are in the order in which they are written. */
export const DepositTransaction = closed({
  transactionId: id,
  type: Type.Literal('deposit'),
  processId: shownProcessId,
  amount,
  currency,
  status: Type.Enum(DEPOSIT_STATUSES),
  receivedAmount: money,
  fee: money,
  netAmount: money,
  refundedAmount: Type.Optional(amount),
  takenBackAmount: Type.Optional(amount),
  flags: Type.Array(Type.Enum(DEPOSIT_FLAGS)),
  reason: Type.Optional(Type.Enum(DEPOSIT_REASONS)),
  bankCode: Type.Optional(shownBankId),
  assignedAccount: Type.Optional(assignedAccount),
  customer: shownCustomer,
  metadata: Type.Optional(metadata),
  expiresAt: time,
  createdAt: time,
  updatedAt: time,
  sequence: count,
})
export type DepositTransaction = Static<typeof DepositTransaction>

export const WithdrawalTransaction = closed({
  transactionId: id,
  type: Type.Literal('withdrawal'),
  processId: shownProcessId,
  amount,
  fee: money,
  currency,
  status: Type.Enum(WITHDRAWAL_STATUSES),
  failureReason: Type.Optional(Type.Enum(FAILURE_REASONS)),
  failureText: Type.Optional(failureText),
  scheduledFor: Type.Optional(time),
  bankReference: Type.Optional(Type.String({ minLength: 1 })),
  returned: Type.Optional(Type.Literal(true)),
  refundOf: Type.Optional(id),
  refundReason: Type.Optional(shownText(LIMITS.refundReason)),
  settlement: Type.Optional(Type.Literal(true)),
  bankId: Type.Optional(shownBankId),
  iban: shownIban,
  accountName: shownText(LIMITS.accountName.max),
  userId: shownText(LIMITS.customerId),
  userName: shownText(LIMITS.username),
  name: shownText(LIMITS.personName),
  metadata: Type.Optional(metadata),
  createdAt: time,
  updatedAt: time,
  sequence: count,
})
export type WithdrawalTransaction = Static<typeof WithdrawalTransaction>

/** GET has the address again while the customer can still pay, for a merchant who missed the first response. */
export const depositWithCheckout = closed({ ...DepositTransaction.properties, checkoutUrl: Type.Optional(checkoutUrl) })

export const shownTransaction = Type.Union([depositWithCheckout, WithdrawalTransaction])
export const cancelledTransaction = Type.Union([DepositTransaction, WithdrawalTransaction])

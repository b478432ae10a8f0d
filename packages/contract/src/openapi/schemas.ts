import type { TObject, TProperties } from 'typebox'
import { bank, failedSince } from '../endpoints.ts'
import { warning } from '../envelope.ts'
import { fieldProblem, readinessChecks } from '../errors.ts'
import { attempt, attemptDuration, delivery, eventWithAttempts, shownEvent } from '../events.ts'
import {
  assignedAccount,
  createdDeposit,
  createdRefund,
  createdWithdrawal,
  depositWithCheckout,
  DepositTransaction,
  failureText,
  newCustomer,
  newDeposit,
  newRefund,
  newWithdrawal,
  shownCustomer,
  WithdrawalTransaction,
} from '../transactions.ts'

export type Described = { schema: TObject; text: string; fields: Record<string, string> }

/** Every field has a meaning, or it does not compile. */
function described<Properties extends TProperties>(
  schema: TObject<Properties>,
  text: string,
  fields: Record<keyof Properties & string, string>,
): Described {
  return { schema, text, fields }
}

const ids = { transactionId: 'Our identifier of the transaction.', processId: 'Your identifier, as sent.' }
const TEXT = {
  processId: 'Your identifier of the order. It can be used once: a second use creates nothing.',
  kurus: 'In the smallest unit of the currency (kuruş): 125000 is 1.250,00 TL.',
  currency: 'ISO 4217 code.',
  metadata: 'Your own data, up to 4096 bytes as JSON. Returned unchanged.',
  createdAt: 'When it was created.',
}
const created = {
  ...ids,
  amount: TEXT.kurus,
  currency: TEXT.currency,
  status: 'Always `pending`.',
  createdAt: TEXT.createdAt,
}
const shared = {
  ...ids,
  type: 'The kind of transaction.',
  amount: `As ordered. ${TEXT.kurus}`,
  currency: TEXT.currency,
  status: 'Where it stands. Decide on this and `sequence`, not on the order in which callbacks arrive.',
  metadata: 'As sent; absent if nothing was sent.',
  createdAt: TEXT.createdAt,
  updatedAt: 'When anything shown here last changed.',
  sequence: 'How often anything shown here has changed. Each change is one event.',
}
const deposit = {
  ...shared,
  receivedAmount:
    'Money received for this deposit, credited or held. Credit the customer with this, not with `amount`.',
  fee: 'Your fee; 0 until completed.',
  netAmount: 'Credited to your balance: received less fee when completed, else 0.',
  refundedAmount: 'Sum of its refunds that neither failed nor came back; absent if there are none.',
  takenBackAmount: 'What the bank took back and your balance was charged with; absent if nothing.',
  flags: 'Remarks about the payment.',
  reason: 'Why it is in review or has failed; absent otherwise.',
  bankCode: 'The bank the customer pays from, by its `_id`; absent until chosen.',
  assignedAccount: 'The account to pay to; absent until assigned.',
  customer: 'The customer, as sent.',
  expiresAt: 'The money must be sent by this time. Later money is still matched, flagged `late`.',
}
const event = {
  eventId: 'Our identifier of the event; the `webhook-id` of its callbacks.',
  type: 'What happened.',
  transactionId: 'The transaction; of `endpoint.test`, which has none, its own `eventId`.',
  sequence: 'The `sequence` of the transaction with this change: 1, 2, 3 without gaps.',
  cursor: 'Its position in the stream. Use it only for `cursor` and `after`.',
  createdAt: 'When it happened.',
  payload: 'The body of its callbacks, byte for byte.',
  deliveries: 'One per endpoint; empty if there was none with a URL.',
}

/** The named schemas of the document. A schema that is one of these is written as a reference to it. */
export const SCHEMAS = {
  Bank: described(bank, 'A bank that a customer may pay from.', {
    _id: 'The `bankCode` of a deposit and the `bankId` of a withdrawal. `FAST` for the FAST entry.',
    name: 'Display name.',
    code: 'Four-digit EFT code, or `FAST`. Accepted wherever `_id` is.',
    minAmount: 'Smallest deposit, in kuruş.',
    maxAmount: 'Largest deposit, in kuruş.',
    logo: 'Address of an SVG; absent on the FAST entry.',
  }),
  NewCustomer: described(newCustomer, 'Who pays.', {
    id: 'Your identifier of the customer: the same for all payments of one person.',
    name: 'First and last name as the bank knows them. Compared with the sender of the transfer.',
    username: 'The name that the customer uses with you.',
  }),
  NewDeposit: described(newDeposit, 'A deposit to create.', {
    processId: TEXT.processId,
    amount: `What the customer pays. ${TEXT.kurus}`,
    currency: 'ISO 4217 code. Default: the first currency of the deployment.',
    bankCode:
      'The bank the customer pays from: `_id` or `code` of the bank list, or `FAST`. Default: the customer chooses on the checkout page.',
    customer: 'Who pays.',
    metadata: TEXT.metadata,
    returnUrl:
      'Where the checkout page links back to. Its origin must be registered for you; in a sandbox your own machine always is.',
    language: 'Language of the checkout page. Default: `tr`.',
  }),
  NewWithdrawal: described(newWithdrawal, 'A withdrawal to create.', {
    processId: TEXT.processId,
    amount: `What the recipient gets; the fee is added. ${TEXT.kurus}`,
    currency: 'ISO 4217 code. Default: the first currency of the deployment.',
    bankId: 'The bank of the IBAN, if you want it checked: `_id` or `code` of a bank, or `FAST`.',
    accountName: 'Whose account it is, as the bank knows it. Banks refuse a transfer if it differs.',
    iban: 'The Turkish IBAN to pay to. Spaces are removed and letters are upper-cased.',
    userId: 'Your identifier of the customer who gets the money.',
    userName: 'The name that this customer uses with you.',
    name: 'First and last name of this customer. May differ from `accountName`.',
    metadata: TEXT.metadata,
  }),
  NewRefund: described(newRefund, 'A refund to create.', {
    processId: 'Your identifier of the refund. It is unique among withdrawals and refunds.',
    amount: 'What is sent back, in kuruş. Default: all that can be refunded.',
    reason: 'Shown as `refundReason`.',
    iban: 'Only if the bank named no sender of the payment: where the money goes. Two people of the operator approve it.',
    accountName: 'Only with `iban`: whose account it is.',
  }),
  AssignedAccount: described(assignedAccount, 'The account that a customer pays to.', {
    bankName: 'The bank of the account.',
    accountName: 'Whose account it is. The customer enters this as the recipient.',
    iban: 'The IBAN of the account.',
  }),
  CreatedDeposit: described(createdDeposit, 'A new deposit.', {
    ...created,
    assignedAccount: 'The account to pay to; absent if the customer has yet to choose a bank.',
    checkoutUrl: 'Redirect the customer here. It contains a token: treat it as a secret between you and the customer.',
    expiresAt: deposit.expiresAt,
  }),
  CreatedWithdrawal: described(createdWithdrawal, 'A new withdrawal.', created),
  CreatedRefund: described(createdRefund, 'A new refund.', { ...created, refundOf: 'The deposit.' }),
  Customer: described(shownCustomer, 'The customer of a deposit.', {
    id: 'As sent.',
    name: 'As sent.',
    username: 'As sent.',
  }),
  Deposit: described(DepositTransaction, 'A deposit as events show it.', deposit),
  DepositWithCheckout: described(depositWithCheckout, 'A deposit as GET shows it.', {
    ...deposit,
    checkoutUrl: 'The address of the checkout page; only while `pending`.',
  }),
  FailureText: described(failureText, 'Why a withdrawal failed, for the customer. The wording may change.', {
    tr: 'In Turkish.',
    en: 'In English.',
  }),
  Withdrawal: described(WithdrawalTransaction, 'A withdrawal or refund.', {
    ...shared,
    fee: 'Your fee, in kuruş. Held and paid on top of `amount`.',
    failureReason: 'Why it failed: a stable code; only when `failed`.',
    failureText: 'The same for the customer; only when `failed`.',
    scheduledFor: 'Only while EFT is closed: when it is sent.',
    bankReference: 'The number that the bank gave the transfer; only when sent.',
    returned: '`true` if the money came back after completion; absent otherwise.',
    refundOf: 'Only of a refund: the deposit.',
    refundReason: 'Only of a refund with a `reason`.',
    settlement: '`true` if the operator sent your balance to your own account; absent otherwise.',
    bankId: 'Only if it was in the request; always the `_id`.',
    iban: 'Compact, 26 characters.',
    accountName: 'As sent.',
    userId: 'As sent.',
    userName: 'As sent.',
    name: 'As sent.',
  }),
  Delivery: described(delivery, 'An event at one endpoint.', {
    endpointId: 'The endpoint.',
    url: 'Its current URL; null if it was removed.',
    state: 'Where the delivery stands.',
    tries: 'Attempts of the current schedule; of a delivered one, all attempts ever made.',
    nextAttemptAt: 'Only while `waiting`: not before this time.',
    finishedAt: 'Only when delivered or given up.',
    lastOutcome: 'Outcome of the last attempt.',
    lastStatus: 'Its HTTP status.',
  }),
  Event: described(shownEvent, 'One change of a transaction.', event),
  AttemptDuration: described(attemptDuration, 'Milliseconds of an attempt.', {
    connect: 'Until connected; 0 on a reused connection.',
    wait: 'Until the status arrived.',
    read: 'Until the response was read.',
  }),
  Attempt: described(attempt, 'One attempt to deliver an event.', {
    endpointId: 'Where it was sent.',
    at: 'When.',
    outcome: 'What came of it.',
    status: 'HTTP status; null if there was no response.',
    problem: 'What went wrong, in words that may change; null when accepted.',
    durationMs: 'How long it took.',
    answer: 'The start of the response body, as text.',
  }),
  EventWithAttempts: described(eventWithAttempts, 'An event with every attempt to deliver it.', {
    ...event,
    attempts: 'The newest 200, the oldest of them first.',
  }),
  FailedSince: described(failedSince, 'Which events to send again.', {
    since: 'Events from this time on: ISO 8601 with a zone.',
  }),
  FieldProblem: described(fieldProblem, 'A field that was refused.', {
    field: 'Its path, such as `customer.name`.',
    problem: 'The rule, and what was sent where that helps.',
  }),
  Warning: described(warning, 'A field of the request that is not documented. In a sandbox only.', {
    field: 'Its path.',
    message: 'What was ignored, and what may have been meant.',
  }),
  ReadinessChecks: described(readinessChecks, 'What was checked: `ok`, or what is wrong.', {
    process: 'The process itself.',
    database: 'The connection to the database.',
    schema: 'The version of the schema.',
    writing: 'Whether a write is possible.',
    primary: 'Whether it is the primary.',
    clock: 'The clock, compared with that of the database.',
    replication: 'The replication in force: `none`, `asynchronous`, `synchronous`, or `not known`. For information.',
  }),
}

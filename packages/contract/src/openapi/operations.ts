import type { ErrorCode } from '../errors.ts'
import type { EndpointContract, ENDPOINTS } from '../endpoints.ts'

type KeysOf<Schema> = Schema extends { properties: infer Properties } ? keyof Properties & string : never
type Parameters<Contract extends EndpointContract> =
  | KeysOf<Contract['request']['params']>
  | KeysOf<Contract['request']['querystring']>

export const GROUPS = {
  Banks: 'Where customers can pay from.',
  Deposits: 'Money from customers, and back to them.',
  Withdrawals: 'Money to IBANs.',
  Transactions: 'Deposits, withdrawals and refunds.',
  Balance: 'Your money with us.',
  Events: 'What changed, and the callbacks about it.',
  Health: 'For load balancers.',
}

export type Operation = {
  summary: string
  text: string
  group: keyof typeof GROUPS
  parameters: Record<string, string>
  /** Besides those of every signed call. */
  errors: ErrorCode[]
}
type Operations = {
  [Name in keyof typeof ENDPOINTS]: Operation & {
    parameters: { [Parameter in Parameters<(typeof ENDPOINTS)[Name]>]: string }
  }
}

/** Of every call below /v1. */
export const SIGNED_ERRORS: ErrorCode[] = [
  'VALIDATION_ERROR',
  'INVALID_API_KEY',
  'MISSING_SIGNATURE',
  'MISSING_TIMESTAMP',
  'TIMESTAMP_EXPIRED',
  'INVALID_SIGNATURE',
  'IP_NOT_WHITELISTED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]

const ONE = { transactionId: 'Our identifier of the transaction.' }
const PAGE = { limit: 'Entries of a page.' }

export const OPERATIONS: Operations = {
  availableBanks: {
    summary: 'List banks',
    text: 'The banks a customer may pay from: FAST first, then by name. The response has an `ETag`; send it as `If-None-Match`, and an unchanged list is a `304`.',
    group: 'Banks',
    parameters: {},
    errors: [],
  },
  createDeposit: {
    summary: 'Create a deposit',
    text: 'Redirect the customer to `checkoutUrl`. With `bankCode` an account is assigned at once; otherwise the customer chooses a bank.',
    group: 'Deposits',
    parameters: {},
    errors: ['ACCOUNT_SUSPENDED', 'DUPLICATE_TRANSACTION', 'AMOUNT_OUT_OF_RANGE'],
  },
  createWithdrawal: {
    summary: 'Create a withdrawal',
    text: 'Pays to a Turkish IBAN. Amount and fee are held at once; the transfer is usually sent within seconds. Your address must be on your list.',
    group: 'Withdrawals',
    parameters: {},
    errors: ['ACCOUNT_SUSPENDED', 'INVALID_IBAN', 'DUPLICATE_TRANSACTION', 'INSUFFICIENT_BALANCE'],
  },
  listTransactions: {
    summary: 'List transactions',
    text: 'Deposits and withdrawals together, newest first.',
    group: 'Transactions',
    parameters: {
      type: 'Only this kind.',
      status: 'Only this status.',
      processId: 'Only those with your identifier: at most one deposit and one withdrawal or refund.',
      from: 'Created at this time or later: ISO 8601 with a zone. Write the + of `+03:00` as `%2B`.',
      to: 'Created before this time: ISO 8601 with a zone.',
      cursor: 'The `nextCursor` of the page before.',
      ...PAGE,
    },
    errors: [],
  },
  getTransaction: {
    summary: 'Get a transaction',
    text: 'One deposit, withdrawal or refund.',
    group: 'Transactions',
    parameters: ONE,
    errors: ['NOT_FOUND'],
  },
  getInstructions: {
    summary: 'Get payment instructions',
    text: 'The words of a payment, for an e-mail or a message that you send to your customer. Plain text of several lines.',
    group: 'Deposits',
    parameters: { transactionId: 'The deposit.', language: 'Language of the text. Default: that of the deposit.' },
    errors: ['NOT_FOUND', 'INVALID_STATE'],
  },
  cancelTransaction: {
    summary: 'Cancel a transaction',
    text: 'Only while `pending`. A deposit becomes `cancelled`; a withdrawal `failed`, and its money is available again.',
    group: 'Transactions',
    parameters: ONE,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'REQUEST_REPEATED'],
  },
  refundTransaction: {
    summary: 'Refund a deposit',
    text: 'Sends money of a completed deposit back to the account it was paid from, in one part or several. A refund is a withdrawal with `refundOf`. Your address must be on your list.',
    group: 'Deposits',
    parameters: { transactionId: 'The deposit.' },
    errors: [
      'ACCOUNT_SUSPENDED',
      'INVALID_IBAN',
      'NOT_FOUND',
      'INVALID_STATE',
      'AMOUNT_OUT_OF_RANGE',
      'DUPLICATE_TRANSACTION',
      'INSUFFICIENT_BALANCE',
    ],
  },
  getBalance: {
    summary: 'Get the balance',
    text: '`available` may be withdrawn now; `held` is for withdrawals that wait to be sent. Withdrawals in `processing` are in neither.',
    group: 'Balance',
    parameters: { currency: 'ISO 4217 code. Default: the first currency of the deployment.' },
    errors: [],
  },
  listEvents: {
    summary: 'List events',
    text: 'What was sent in callbacks, and whether it was delivered. Start with `after=0` to read all events in order without callbacks.',
    group: 'Events',
    parameters: {
      type: 'Only this type.',
      transactionId: 'Only of this transaction.',
      state: 'Only those with a delivery in this state.',
      cursor: 'The `nextCursor` of the page before: older events follow.',
      after: 'Events after this cursor, the oldest first. Not together with `cursor`.',
      ...PAGE,
    },
    errors: [],
  },
  getEvent: {
    summary: 'Get an event',
    text: 'One event with every attempt to deliver it.',
    group: 'Events',
    parameters: { eventId: 'The `webhook-id` of its callbacks.' },
    errors: ['NOT_FOUND'],
  },
  resendEvent: {
    summary: 'Send an event again',
    text: 'With the same `webhook-id` and body, whatever its state.',
    group: 'Events',
    parameters: {
      eventId: 'The `webhook-id` of its callbacks.',
      endpointId: 'Only to this endpoint. Default: every endpoint it was sent to or waits for.',
    },
    errors: ['NOT_FOUND', 'INVALID_STATE', 'REQUEST_REPEATED'],
  },
  resendFailed: {
    summary: 'Send failed events again',
    text: 'All events that were given up or have only failed so far, for example after an outage of your receiver.',
    group: 'Events',
    parameters: {},
    errors: ['REQUEST_REPEATED'],
  },
  health: {
    summary: 'Liveness',
    text: 'The process responds. Not signed.',
    group: 'Health',
    parameters: {},
    errors: [],
  },
  readiness: {
    summary: 'Readiness',
    text: 'The service can accept requests. Not signed.',
    group: 'Health',
    parameters: {},
    errors: ['SERVICE_UNAVAILABLE'],
  },
}

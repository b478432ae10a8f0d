import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import { readinessChecks } from './errors.ts'
import { eventCursor, eventWithAttempts, shownEvent } from './events.ts'
import {
  closed,
  count,
  currency,
  id,
  ID_PATTERN,
  limit,
  balance,
  money,
  nullable,
  processId,
  shownBankId,
  timeWithZone,
} from './fields.ts'
import {
  cancelledTransaction,
  createdDeposit,
  createdRefund,
  createdWithdrawal,
  DEPOSIT_STATUSES,
  newDeposit,
  newRefund,
  newWithdrawal,
  shownTransaction,
} from './transactions.ts'
import { EVENT_TYPES } from './event-types.ts'

type Requests = { params?: TSchema; querystring?: TSchema; body?: TSchema }

/** `data` is what the envelope of a success holds. */
export type EndpointContract = {
  method: 'GET' | 'POST'
  path: string
  status: 200 | 201
  request: Requests
  data: TSchema
}

type Of<Schema> = Schema extends TSchema ? Static<Schema> : undefined

/** What a request holds that its schemas have accepted. */
export type RequestOf<Contract extends EndpointContract> = {
  params: Of<Contract['request']['params']>
  query: Of<Contract['request']['querystring']>
  body: Of<Contract['request']['body']>
}
export type DataOf<Contract extends EndpointContract> = Static<Contract['data']>

export const bank = closed({
  _id: shownBankId,
  name: Type.String({ minLength: 1 }),
  code: Type.String({ pattern: '^(\\d{4}|FAST)$' }),
  minAmount: money,
  maxAmount: money,
  logo: Type.Optional(Type.String({ pattern: '^https?://' })),
})

const transactionId = Type.Object({
  transactionId: Type.String({
    pattern: ID_PATTERN,
    description: 'must be 24 lower-case hex characters (for a processId use GET /v1/transactions?processId=…)',
  }),
})
const eventId = Type.Object({ eventId: id })
const deliveries = closed({ deliveries: count })

// Queries are closed: a filter that is misspelt and ignored shows the wrong transactions.
const transactionFilter = closed({
  type: Type.Optional(Type.Enum(['deposit', 'withdrawal'])),
  // Those of withdrawals are among them.
  status: Type.Optional(Type.Enum(DEPOSIT_STATUSES)),
  processId: Type.Optional(processId),
  from: Type.Optional(timeWithZone),
  to: Type.Optional(timeWithZone),
  cursor: Type.Optional(id),
  limit: Type.Optional(limit),
})

const eventFilter = closed({
  type: Type.Optional(Type.Enum([...EVENT_TYPES])),
  transactionId: Type.Optional(id),
  state: Type.Optional(Type.Enum(['waiting', 'given_up'])),
  cursor: Type.Optional(eventCursor),
  after: Type.Optional(eventCursor),
  limit: Type.Optional(limit),
})

export const failedSince = Type.Object({ since: timeWithZone })

const define = <const Contract extends EndpointContract>(contract: Contract) => contract

export const ENDPOINTS = {
  availableBanks: define({
    method: 'GET',
    path: '/v1/available-banks',
    status: 200,
    request: {},
    data: closed({ banks: Type.Array(bank) }),
  }),
  createDeposit: define({
    method: 'POST',
    path: '/v1/deposit',
    status: 201,
    request: { body: newDeposit },
    data: createdDeposit,
  }),
  createWithdrawal: define({
    method: 'POST',
    path: '/v1/withdraw',
    status: 201,
    request: { body: newWithdrawal },
    data: createdWithdrawal,
  }),
  listTransactions: define({
    method: 'GET',
    path: '/v1/transactions',
    status: 200,
    request: { querystring: transactionFilter },
    data: closed({ transactions: Type.Array(shownTransaction), nextCursor: nullable(id) }),
  }),
  getTransaction: define({
    method: 'GET',
    path: '/v1/transactions/:transactionId',
    status: 200,
    request: { params: transactionId },
    data: shownTransaction,
  }),
  getInstructions: define({
    method: 'GET',
    path: '/v1/transactions/:transactionId/instructions',
    status: 200,
    request: { params: transactionId, querystring: closed({ language: Type.Optional(Type.Enum(['tr', 'en'])) }) },
    data: closed({ transactionId: id, language: Type.Enum(['tr', 'en']), text: Type.String({ minLength: 1 }) }),
  }),
  cancelTransaction: define({
    method: 'POST',
    path: '/v1/transactions/:transactionId/cancel',
    status: 200,
    request: { params: transactionId },
    data: cancelledTransaction,
  }),
  refundTransaction: define({
    method: 'POST',
    path: '/v1/transactions/:transactionId/refund',
    status: 201,
    request: { params: transactionId, body: newRefund },
    data: createdRefund,
  }),
  getBalance: define({
    method: 'GET',
    path: '/v1/balance',
    status: 200,
    request: { querystring: closed({ currency: Type.Optional(currency) }) },
    data: closed({ currency, available: balance, held: money }),
  }),
  listEvents: define({
    method: 'GET',
    path: '/v1/events',
    status: 200,
    request: { querystring: eventFilter },
    data: closed({ events: Type.Array(shownEvent), nextCursor: nullable(eventCursor) }),
  }),
  getEvent: define({
    method: 'GET',
    path: '/v1/events/:eventId',
    status: 200,
    request: { params: eventId },
    data: eventWithAttempts,
  }),
  resendEvent: define({
    method: 'POST',
    path: '/v1/events/:eventId/resend',
    status: 200,
    request: { params: eventId, querystring: closed({ endpointId: Type.Optional(id) }) },
    data: deliveries,
  }),
  resendFailed: define({
    method: 'POST',
    path: '/v1/events/resend',
    status: 200,
    request: { body: failedSince },
    data: deliveries,
  }),
  /** The last two are not signed for: a load balancer asks them. */
  health: define({
    method: 'GET',
    path: '/healthz',
    status: 200,
    request: {},
    data: closed({ status: Type.Literal('ok') }),
  }),
  readiness: define({
    method: 'GET',
    path: '/readyz',
    status: 200,
    request: {},
    data: closed({ status: Type.Literal('ready'), checks: readinessChecks }),
  }),
}

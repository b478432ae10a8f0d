import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import type { EventType } from './event-types.ts'
import { EVENT_TYPES } from './event-types.ts'
import { closed, count, id, nullable, time } from './fields.ts'
import { DepositTransaction, WithdrawalTransaction } from './transactions.ts'

function eventOf<EventType extends string, Data extends TSchema>(type: EventType, data: Data) {
  return closed({ type: Type.Literal(type), timestamp: time, data })
}

type DepositStatus = DepositTransaction['status']
type WithdrawalStatus = WithdrawalTransaction['status']

const deposit = <Status extends DepositStatus>(status: Status) =>
  eventOf(`deposit.${status}`, closed({ ...DepositTransaction.properties, status: Type.Literal(status) }))
const withdrawal = <Status extends WithdrawalStatus>(status: Status) =>
  eventOf(`withdrawal.${status}`, closed({ ...WithdrawalTransaction.properties, status: Type.Literal(status) }))
const returned = { status: Type.Literal('completed'), returned: Type.Literal(true) }

/** The bodies of callbacks, by type. There is none for `pending`: whoever created the transaction knows it. */
export const EVENTS = {
  'deposit.processing': deposit('processing'),
  'deposit.expired': deposit('expired'),
  'deposit.completed': deposit('completed'),
  'deposit.failed': deposit('failed'),
  'deposit.cancelled': deposit('cancelled'),
  'deposit.updated': eventOf('deposit.updated', DepositTransaction),
  'withdrawal.processing': withdrawal('processing'),
  'withdrawal.completed': withdrawal('completed'),
  'withdrawal.failed': withdrawal('failed'),
  'withdrawal.returned': eventOf('withdrawal.returned', closed({ ...WithdrawalTransaction.properties, ...returned })),
  'withdrawal.updated': eventOf('withdrawal.updated', WithdrawalTransaction),
  'endpoint.test': eventOf('endpoint.test', closed({ endpointId: id })),
} as const satisfies Record<EventType, TSchema>

const OUTCOMES = ['accepted', '4xx', '5xx', 'redirect', 'timeout', 'tls', 'dns', 'refused'] as const

export const delivery = closed({
  endpointId: id,
  url: nullable(Type.String()),
  state: Type.Enum(['waiting', 'delivered', 'given_up']),
  tries: count,
  nextAttemptAt: Type.Optional(time),
  finishedAt: Type.Optional(time),
  lastOutcome: nullable(Type.Enum(OUTCOMES)),
  lastStatus: nullable(count),
})

export const attemptDuration = closed({ connect: count, wait: count, read: count })

export const attempt = closed({
  endpointId: id,
  at: time,
  outcome: Type.Enum(OUTCOMES),
  status: nullable(count),
  problem: nullable(Type.String()),
  durationMs: attemptDuration,
  answer: Type.String(),
})

/** Nineteen digits would pass what PostgreSQL can hold. */
export const eventCursor = Type.String({
  pattern: '^(0|[1-9][0-9]{0,17})$',
  description: 'must be the cursor of an event',
})

/** As GET shows it. `payload` is the body of its callbacks, byte for byte. */
export const shownEvent = closed({
  eventId: id,
  type: Type.Enum(EVENT_TYPES),
  transactionId: id,
  sequence: count,
  cursor: eventCursor,
  createdAt: time,
  payload: Type.String(),
  deliveries: Type.Array(delivery),
})

export const eventWithAttempts = closed({ ...shownEvent.properties, attempts: Type.Array(attempt) })

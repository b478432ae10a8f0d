import type { EventType } from '@vezne/contract/event-types'
import type { Deposit } from '../../../domain/deposits/index.ts'
import type { Endpoint } from '../../../domain/merchants/index.ts'
import type { EventWithDeliveries, findEvent } from '../../../domain/webhooks/index.ts'
import type { Withdrawal } from '../../../domain/withdrawals/index.ts'
import type { CliApp } from './context.ts'

// What --json shows has the names, units and times of the API; what only operators see is added under names of its own. A program then
// reads a transaction in the same way wherever it got it.

type Viewing = Pick<CliApp, 'views'>

export async function depositJson({ views }: Viewing, deposit: Deposit) {
  const { id: _, bankId: __, refundedAmount: ___, takenBackAmount: ____, ...rest } = deposit
  return { ...withoutNulls(rest), ...(await views.deposit(deposit)) }
}

/** `stateReason` may be one that only operators see. */
type Stated = Omit<Withdrawal, 'stateReason'> & { stateReason: string | null }

export function withdrawalJson({ views }: Viewing, withdrawal: Stated) {
  const { id: _, settlement: __, mark: ___, ...rest } = withdrawal
  return { ...withoutNulls(rest), ...views.withdrawal(withdrawal as Withdrawal) }
}

/** As GET /v1/events; a delivery `behind` another waits for it. */
export function eventJson(event: EventWithDeliveries, endpoints: Endpoint[]) {
  const { id, type, body, position, deliveries, erasedAt, transactionId, sequence, createdAt } = event
  return {
    eventId: id,
    type: type as EventType,
    transactionId,
    sequence,
    cursor: position,
    createdAt,
    payload: body,
    ...(erasedAt && { erasedAt }),
    deliveries: deliveries.map(({ endpointId, state, tries, nextAt, finishedAt, lastOutcome, lastStatus }) => {
      const waits = state === 'waiting' || state === 'behind'
      return {
        endpointId,
        url: endpoints.find((endpoint) => endpoint.id === endpointId)?.url ?? null,
        state: waits ? 'waiting' : state,
        ...(state === 'behind' && { behind: true }),
        tries,
        ...(waits && { nextAttemptAt: nextAt }),
        ...(finishedAt && { finishedAt }),
        lastOutcome,
        lastStatus,
      }
    }),
  }
}

type Attempt = NonNullable<Awaited<ReturnType<typeof findEvent>>>['attempts'][number]

export function attemptJson({ endpointId, at, outcome, status, problem, answer, ...took }: Attempt) {
  const durationMs = { connect: took.connectMs, wait: took.waitMs, read: took.readMs }
  return { endpointId, at, outcome, status, problem, durationMs, answer }
}

export function endpointJson<Shown extends { id: string }>({ id, ...endpoint }: Shown) {
  return { endpointId: id, ...endpoint }
}

export function merchantJson<Shown extends { id: string }>({ id, ...merchant }: Shown) {
  return { merchantId: id, ...merchant }
}

/** `minAmount` and `maxAmount` are those of the default currency. */
export function bankJson<Shown extends { id: string; limits?: { currency: string }[] }>(
  { currencies: [currency] }: Pick<CliApp, 'currencies'>,
  { id, ...bank }: Shown,
) {
  const { currency: _, ...range } = bank.limits?.find((one) => one.currency === currency) ?? { currency }
  return { _id: id, ...bank, ...range }
}

/** Of its own fields the API leaves out what there is none of. */
const OPTIONAL = new Set([
  ...['bankId', 'bankReference', 'failureReason', 'metadata', 'reason', 'refundOf', 'refundReason', 'scheduledFor'],
])

function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([name, value]) => value !== null || !OPTIONAL.has(name)))
}

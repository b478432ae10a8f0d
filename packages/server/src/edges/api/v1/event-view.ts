import type { EventType } from '@vezne/contract'
import type { EventWithDeliveries } from '../../../domain/webhooks/index.ts'
import type { Endpoint } from '../../../domain/merchants/index.ts'

/** An event is shown as waiting until it has been delivered; the internal reason is not exposed. */
const SHOWN = {
  waiting: 'waiting',
  behind: 'waiting',
  delivered: 'delivered',
  given_up: 'given_up',
} as const

/** `payload` is the body exactly as it is sent, byte for byte. */
export function eventView(event: EventWithDeliveries, endpoints: Endpoint[]) {
  const { id, type, transactionId, sequence, body, position, createdAt, deliveries } = event
  return {
    eventId: id,
    // Safe cast: only `recordEvents` writes types.
    type: type as EventType,
    transactionId,
    sequence,
    cursor: position,
    createdAt: createdAt.toISOString(),
    payload: body,
    deliveries: deliveries.map(({ endpointId, state, tries, nextAt, lastOutcome, lastStatus, finishedAt }) => ({
      endpointId,
      url: endpoints.find((endpoint) => endpoint.id === endpointId)?.url ?? null,
      state: SHOWN[state],
      tries,
      ...(SHOWN[state] === 'waiting' && { nextAttemptAt: nextAt.toISOString() }),
      ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
      lastOutcome,
      lastStatus,
    })),
  }
}

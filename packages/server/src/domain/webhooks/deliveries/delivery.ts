import type { Outcome } from '../../../platform/http-client/outbound.ts'
import type { QueueKey } from '../endpoint-queues/endpoint-queue.ts'

// A delivery is one event to be sent to one endpoint. It is deleted once delivered; its attempts remain.

/** `behind`: blocked by an earlier event of its transaction that is not delivered yet. */
export type DeliveryState = 'waiting' | 'behind' | 'given_up'

export type DeliveryKey = QueueKey & { eventId: string }
/** With its position in the stream, which orders the events of a transaction. */
export type PlacedDelivery = DeliveryKey & { transactionId: string; position: string }
export type NewDelivery = PlacedDelivery & { type: string; state: 'waiting' | 'behind' }

/** A delivery that this process may send. `number` is the number of the attempt. */
export type Claim = PlacedDelivery & { number: number; tries: number; since: Date; body: string }

/** The status of an event at an endpoint, as shown to people. */
export type Delivery = DeliveryKey & {
  state: DeliveryState | 'delivered'
  tries: number
  nextAt: Date
  lastOutcome: Outcome | null
  lastStatus: number | null
  finishedAt: Date | null
}

export type Page = { after: Pick<PlacedDelivery, 'endpointId' | 'transactionId' | 'position'>; limit: number }

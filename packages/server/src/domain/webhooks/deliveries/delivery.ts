import type { Outcome } from '../../../platform/http-client/outbound.ts'
import type { QueueKey } from '../endpoint-queues/endpoint-queue.ts'

// A delivery is one event on its way to one endpoint. When it has arrived it is deleted; its attempts remain.

/** `behind`: blocked, because an earlier event of its transaction has not arrived yet. */
export type DeliveryState = 'waiting' | 'behind' | 'given_up'

export type DeliveryKey = QueueKey & { eventId: string }
/** With its place in the stream, which orders the events of a transaction. */
export type PlacedDelivery = DeliveryKey & { transactionId: string; position: string }
export type NewDelivery = PlacedDelivery & { type: string; state: 'waiting' | 'behind' }

/** A delivery that this process may call about. `number` is the number of the attempt. */
export type Claim = PlacedDelivery & { number: number; tries: number; since: Date; body: string }

/** What became of an event at an endpoint, as people see it. */
export type Delivery = DeliveryKey & {
  state: DeliveryState | 'delivered'
  tries: number
  nextAt: Date
  lastOutcome: Outcome | null
  lastStatus: number | null
  finishedAt: Date | null
}

/** A page of a long list of deliveries. */
export type Page = { after: Pick<PlacedDelivery, 'endpointId' | 'transactionId' | 'position'>; limit: number }

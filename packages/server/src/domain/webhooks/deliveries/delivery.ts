import type { Outcome } from '../../../platform/http-client/outbound.ts'
import type { LaneKey } from '../lanes/lane.ts'

// One event on its way to one endpoint. When it has arrived, its attempts tell of it and the delivery is gone.

/** `behind`: an earlier event of its transaction is not through yet. */
export type DeliveryState = 'waiting' | 'behind' | 'given_up'

export type DeliveryKey = LaneKey & { eventId: string }
/** A delivery and its place among those of its transaction. */
export type Placed = DeliveryKey & { transactionId: string; position: string }
export type NewDelivery = Placed & { type: string }

/** It waits for its next try; its schedule began at `since`. */
export type Due = DeliveryKey & { position: string; tries: number; since: Date; nextAt: Date }

/** Being called about: where, and which. */
export type BeingCalled = Pick<Placed, 'endpointId' | 'position'>

/** What became of an event at an endpoint, as people see it. */
export type Delivery = DeliveryKey & {
  state: DeliveryState | 'delivered'
  tries: number
  nextAt: Date
  lastOutcome: Outcome | null
  lastStatus: number | null
  finishedAt: Date | null
}

/** A slice of a long list: what comes after the last of the slice before. */
export type Slice = { after: Pick<Placed, 'endpointId' | 'transactionId' | 'position'>; limit: number }

/** From the text that `selectDue` makes of each. */
export function readDue({ merchantId, endpointId }: LaneKey, text: string): Due {
  const [eventId = '', position = '', tries, since, nextAt] = text.split(' ')
  const times = { since: new Date(Number(since)), nextAt: new Date(Number(nextAt)) }
  return { merchantId, endpointId, eventId, position, tries: Number(tries), ...times }
}

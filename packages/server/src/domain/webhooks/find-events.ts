import type { Queryable } from '../../platform/postgres/db.ts'
import type { Accepted } from './attempts/store.ts'
import { selectAccepted, selectAttempts } from './attempts/store.ts'
import type { Delivery } from './deliveries/delivery.ts'
import { selectDeliveries, selectEventIdsInState } from './deliveries/store.ts'
import type { Event, EventFilter } from './store.ts'
import { selectEvent, selectEvents, selectEventsById } from './store.ts'

export type EventWithDeliveries = Event & { deliveries: Delivery[] }

/** `waiting`: not yet delivered to an endpoint; `given_up`: not accepted by one of them within thirty days. */
type EventSearch = EventFilter & { state?: 'waiting' | 'given_up' | undefined }

export async function listEvents(
  db: Queryable,
  merchantId: string,
  { state, ...filter }: EventSearch,
): Promise<EventWithDeliveries[]> {
  if (!state) return withDeliveries(db, merchantId, await selectEvents(db, merchantId, filter))
  const ids = await selectEventIdsInState(db, merchantId, state, filter)
  const found = new Map((await selectEventsById(db, merchantId, ids)).map((event) => [event.id, event]))
  return withDeliveries(
    db,
    merchantId,
    ids.flatMap((id) => found.get(id) ?? []),
  )
}

export async function findEvent(db: Queryable, merchantId: string, id: string) {
  const event = await selectEvent(db, merchantId, id)
  if (!event) return null
  const [[found], attempts] = await Promise.all([
    withDeliveries(db, merchantId, [event]),
    selectAttempts(db, merchantId, id),
  ])
  return found ? { ...found, attempts } : null
}

async function withDeliveries(db: Queryable, merchantId: string, events: Event[]): Promise<EventWithDeliveries[]> {
  const ids = events.map(({ id }) => id)
  // In this order: a delivery that ends between the two queries is seen twice; in the other order it would be missed.
  const open = await selectDeliveries(db, merchantId, ids)
  const accepted = await selectAccepted(db, merchantId, ids)
  const isOpen = new Set(open.map(keyOf))
  // If it was resent, it is waiting again.
  const through = accepted.filter((one) => !isOpen.has(keyOf(one))).map((one) => delivered(merchantId, one))
  const all = [...open, ...through].toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1))
  const byEvent = Map.groupBy(all, ({ eventId }) => eventId)
  return events.map((event) => ({ ...event, deliveries: byEvent.get(event.id) ?? [] }))
}

function delivered(merchantId: string, { eventId, endpointId, tries, status, at }: Accepted): Delivery {
  const last = { lastOutcome: 'accepted' as const, lastStatus: status }
  return { merchantId, eventId, endpointId, state: 'delivered', tries, nextAt: at, finishedAt: at, ...last }
}

function keyOf({ eventId, endpointId }: { eventId: string; endpointId: string }): string {
  return `${eventId}/${endpointId}`
}

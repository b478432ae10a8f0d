import type { Actor } from '../../../kernel/actor.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { findEndpoint, findEndpoints, wants } from '../../merchants/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorize } from '../../people/index.ts'
import type { Event } from '../store.ts'
import { lockEvent, selectErasedIds } from '../store.ts'
import { selectEndpointsTried } from '../attempts/store.ts'
import { lockQueues, openQueues, wakeQueues } from '../endpoint-queues/store.ts'
import { inBatches } from './in-batches.ts'
import type { PlacedDelivery } from './delivery.ts'
import { insertDeliveries, restart, selectDeliveries, selectGivenUp, selectWaiting } from './store.ts'

type Deps = Authority & { db: Db; clock: Clock; realClock: Clock }

/** Sends an event again, to one endpoint or to all that want it, whatever its status. Returns the number of deliveries. */
export function resendEvent(
  app: Deps,
  actor: Actor,
  merchantId: string,
  eventId: string,
  endpointId?: string,
): Promise<number> {
  return app.db.transaction(async (tx) => {
    const audit = await authorize(app, tx, actor, 'event.resend', { merchantId })
    const event = await lockEvent(tx, merchantId, eventId)
    if (!event) throw refuse('event_unknown', { event: eventId })
    if (event.erasedAt) throw refuse('event_erased', { event: eventId, day: istanbul(event.erasedAt).day })
    const targets = await addressees(tx, merchantId, event, endpointId)
    if (targets.length === 0) throw refuse('event_unwanted')
    await openQueues(tx, targets, app.realClock.now())
    await lockQueues(tx, targets)
    const now = app.clock.now()
    // For endpoints that have received it already or never had it.
    const fresh = targets.map((target) => ({ ...target, type: event.type, state: 'behind' as const }))
    await insertDeliveries(tx, fresh, now)
    await restart(tx, targets, { from: ['waiting', 'behind', 'given_up'], now })
    await wakeQueues(tx, targets, now)
    await audit(`event:${eventId}`, { after: { merchantId, endpoints: targets.map((one) => one.endpointId) } })
    return targets.length
  })
}

/** Resends deliveries that were given up, or have only failed so far, of events since this time. Returns how many. */
export async function resendFailed(app: Deps, actor: Actor, merchantId: string, since: Date): Promise<number> {
  // Recorded first: each batch is a transaction of its own, and there may be none.
  await app.db.transaction(async (tx) => {
    const audit = await authorize(app, tx, actor, 'event.resend', { merchantId })
    await audit(`merchant:${merchantId}`, { after: { resentSince: since } })
  })
  const endpointIds = (await findEndpoints(app.db, [merchantId])).map(({ id }) => id)
  let count = 0
  const again = async (tx: Tx, deliveries: PlacedDelivery[], now: Date) => {
    await authorize(app, tx, actor, 'event.resend', { merchantId })
    // Under the queue locks, which erasing takes too.
    const ids = deliveries.map(({ eventId }) => eventId)
    const erased = await selectErasedIds(tx, merchantId, ids)
    const whole = deliveries.filter(({ eventId }) => !erased.has(eventId))
    count += await restart(tx, whole, { from: ['waiting', 'given_up'], now })
    await wakeQueues(tx, deliveries, now)
  }
  // Given-up deliveries first, so that later events of the same transactions are blocked before they are sent.
  await inBatches(app, (page) => selectGivenUp(app.db, { merchantId, endpointIds, since }, page), again)
  for (const endpointId of endpointIds) {
    await inBatches(app, (page) => selectWaiting(app.db, { merchantId, endpointId }, since, page), again)
  }
  return count
}

async function addressees(tx: Tx, merchantId: string, event: Event, endpointId?: string): Promise<PlacedDelivery[]> {
  const { id: eventId, transactionId, type, position } = event
  if (endpointId !== undefined) await findEndpoint(tx, merchantId, endpointId)
  const open = await selectDeliveries(tx, merchantId, [eventId])
  const had = new Set([...open, ...(await selectEndpointsTried(tx, merchantId, eventId))].map((one) => one.endpointId))
  const chosen = (await findEndpoints(tx, [merchantId])).filter((endpoint) => {
    if (endpoint.url === null) return false
    if (endpointId !== undefined) return endpoint.id === endpointId
    return had.size > 0 ? had.has(endpoint.id) : wants(endpoint, type)
  })
  return chosen.map(({ id }) => ({ merchantId, endpointId: id, eventId, transactionId, position }))
}

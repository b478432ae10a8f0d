import type { Clock } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { findEndpoint, findEndpoints, setEndpointState, wants } from '../../merchants/index.ts'
import type { Event } from '../store.ts'
import { selectEvent } from '../store.ts'
import type { DeliveryKey } from './store.ts'
import { lockLanes, openLanes, updateLanes, wakeLanes } from '../lanes/store.ts'
import { giveUpOpen, insertDeliveries, restart, restartWaiting, selectDeliveries, selectFailedSince } from './store.ts'

type Needs = { db: Db; clock: Clock; realClock: Clock }

/** Sends an event once more, to one endpoint or to all that want it, whatever became of it before. Answers how many. */
export function resendEvent(app: Needs, merchantId: string, eventId: string, endpointId?: string): Promise<number> {
  return app.db.transaction(async (tx) => {
    const event = await selectEvent(tx, merchantId, eventId)
    if (!event) throw new Refusal('NOT_FOUND', `There is no event ${eventId}.`)
    const keys = await addressees(tx, merchantId, event, endpointId)
    if (keys.length === 0) {
      throw new Refusal('INVALID_STATE', 'No endpoint with an address wants this event. Add one and send it again.')
    }
    await openLanes(tx, keys, app.realClock.now())
    await lockLanes(tx, keys)
    const now = app.clock.now()
    const { transactionId, type, position } = event
    // For those that never had it. A row that is there already stays as it is.
    const fresh = keys.map((key) => ({ ...key, transactionId, type, position, state: 'behind' as const }))
    await insertDeliveries(tx, fresh, now)
    await restart(tx, keys, now)
    await wakeLanes(tx, keys, now)
    return keys.length
  })
}

/** Everything that failed, or has only failed so far, of the events from this moment on. Answers how many. */
export function resendFailed(app: Needs, merchantId: string, since: Date): Promise<number> {
  return app.db.transaction(async (tx) => {
    const there = new Set((await findEndpoints(tx, [merchantId])).map(({ id }) => id))
    // What was given up because its endpoint was removed has nowhere to go.
    const keys = (await selectFailedSince(tx, merchantId, since)).filter(({ endpointId }) => there.has(endpointId))
    if (keys.length === 0) return 0
    await lockLanes(tx, keys)
    const now = app.clock.now()
    await restart(tx, keys, now)
    await wakeLanes(tx, keys, now)
    return keys.length
  })
}

/** What has waited goes out now, in order, each with a new schedule. */
export function enableEndpoint(app: Needs, merchantId: string, endpointId: string): Promise<void> {
  return changeState(app, merchantId, endpointId, 'enabled', null, async (tx, now) => {
    const key = { merchantId, endpointId }
    const [lane] = await lockLanes(tx, [key])
    if (!lane) return
    await restartWaiting(tx, key, now)
    await updateLanes(tx, [{ ...lane, failures: 0, failingSince: null, warnedAt: null, openUntil: null }], now)
  })
}

/** Events wait from now on, none is lost. */
export function disableEndpoint(app: Needs, merchantId: string, endpointId: string, reason: string): Promise<void> {
  return changeState(app, merchantId, endpointId, 'disabled', reason, async () => {})
}

/** What had not arrived is given up, visibly. */
export function removeEndpoint(app: Needs, merchantId: string, endpointId: string): Promise<void> {
  return changeState(app, merchantId, endpointId, 'removed', 'it was removed', async (tx, now) => {
    const key = { merchantId, endpointId }
    await lockLanes(tx, [key])
    await giveUpOpen(tx, key, now)
  })
}

async function changeState(
  app: Needs,
  merchantId: string,
  endpointId: string,
  state: 'enabled' | 'disabled' | 'removed',
  reason: string | null,
  besides: (tx: Tx, now: Date) => Promise<void>,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    await findEndpoint(tx, merchantId, endpointId)
    await besides(tx, app.clock.now())
    await setEndpointState(tx, merchantId, endpointId, state, reason)
  })
}

async function addressees(tx: Tx, merchantId: string, event: Event, endpointId?: string): Promise<DeliveryKey[]> {
  if (endpointId !== undefined) {
    const { url } = await findEndpoint(tx, merchantId, endpointId)
    return url === null ? [] : [{ merchantId, endpointId, eventId: event.id }]
  }
  const had = new Set((await selectDeliveries(tx, merchantId, [event.id])).map((delivery) => delivery.endpointId))
  const endpoints = (await findEndpoints(tx, [merchantId])).filter(({ url }) => url !== null)
  const chosen = endpoints.filter((endpoint) => (had.size > 0 ? had.has(endpoint.id) : wants(endpoint, event.type)))
  return chosen.map(({ id }) => ({ merchantId, endpointId: id, eventId: event.id }))
}

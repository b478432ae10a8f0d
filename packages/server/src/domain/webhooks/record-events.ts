import type { Actor } from '../../kernel/actor.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import { findEndpoint } from '../merchants/index.ts'
import type { Authority } from '../people/index.ts'
import { authorized } from '../people/index.ts'
import { insertEvents } from './store.ts'

/** A notification for a merchant. `data` is the transaction as the API shows it at this time. */
export type NewEvent = { merchantId: string; transactionId: string; sequence: number; type: string; data: object }

type Deps = { clock: Clock; ids: Ids }

/** Stores events in the same transaction as the change that they report: neither exists without the other. */
export async function recordEvents({ clock, ids }: Deps, tx: Tx, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const now = clock.now()
  const rows = events.map(({ type, data, ...event }) => {
    return { ...event, id: ids.next(), type, body: bodyOf(type, data, now), forEndpoint: null }
  })
  await insertEvents(tx, rows, now)
}

/**
 * Sent to one endpoint only, so that a developer can see whether it arrives. It is a separate transaction with one event.
 * Only for an endpoint that can receive it: a test that is not delivered shows nothing.
 */
export async function recordTestEvent(
  app: Deps & Authority & { db: Db },
  actor: Actor,
  merchantId: string,
  endpointId: string,
): Promise<string> {
  const [id, now, type] = [app.ids.next(), app.clock.now(), 'endpoint.test']
  const body = bodyOf(type, { endpointId }, now)
  const event = { merchantId, id, transactionId: id, sequence: 1, type, body, forEndpoint: endpointId }
  await authorized(
    app,
    actor,
    'endpoint.test',
    async (tx, audit) => {
      const { url, state, stateReason } = await findEndpoint(tx, merchantId, endpointId)
      if (url === null) throw refuse('endpoint_without_address', { endpoint: endpointId })
      if (state !== 'enabled')
        throw refuse('endpoint_switched_off', { merchant: merchantId, endpoint: endpointId, reason: stateReason })
      await insertEvents(tx, [event], now)
      await audit(`endpoint:${endpointId}`, { after: { merchantId, eventId: id } })
    },
    { usersOf: merchantId },
  )
  return id
}

/** Stored as text: the bytes that are signed are the bytes that are sent, at every attempt. */
function bodyOf(type: string, data: object, now: Date): string {
  return JSON.stringify({ type, timestamp: now.toISOString(), data })
}

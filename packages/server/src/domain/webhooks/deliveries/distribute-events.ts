import type { Clock } from '../../../platform/time/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Endpoint } from '../../merchants/index.ts'
import { findEndpoints, wants } from '../../merchants/index.ts'
import { runBatch } from '../../set-aside/index.ts'
import type { UndistributedEvent } from '../store.ts'
import { lockDistribution, numberEvents, selectUndistributed } from '../store.ts'
import { lockQueues, openQueues, wakeQueues } from '../endpoint-queues/store.ts'
import type { PlacedDelivery } from './delivery.ts'
import { insertDeliveries, selectOpenTransactions } from './store.ts'

type Deps = { db: Db; clock: Clock; realClock: Clock; log: Log }
/** New events of one transaction, which stay in order. */
type Told = { transactionId: string; events: (UndistributedEvent & { place: number })[] }

/** Small enough that the first event is sent quickly, large enough that a burst needs few transactions. */
const BATCH_SIZE = 200

/** Gives new events their position in the merchant's stream and one delivery per subscribed endpoint, even if it is disabled. */
export async function distributeEvents(app: Deps): Promise<number> {
  const { moved } = await runBatch<Told, UndistributedEvent>(app, {
    what: 'event',
    idOf: ({ transactionId }) => transactionId,
    claim,
    work(tx, told) {
      const events = told.flatMap((one) => one.events).toSorted((a, b) => a.place - b.place)
      return distribute(app, tx, events)
    },
  })
  return moved
}

async function claim(tx: Tx, only?: Told[]): Promise<Told[]> {
  if (!(await lockDistribution(tx))) return []
  const chosen = only?.map(({ transactionId }) => transactionId)
  const found = (await selectUndistributed(tx, BATCH_SIZE, chosen)).map((event, place) => ({ ...event, place }))
  return [...Map.groupBy(found, ({ transactionId }) => transactionId)].map(([transactionId, events]) => {
    return { transactionId, events }
  })
}

async function distribute({ clock, realClock }: Deps, tx: Tx, events: UndistributedEvent[]) {
  const endpoints = await findEndpoints(tx, [...new Set(events.map(({ merchantId }) => merchantId))])
  const positions = await numberEvents(tx, events)
  const deliveries = events.flatMap((event) =>
    addressees(endpoints, event).map((endpoint) => deliveryOf(event, endpoint, positions.get(event.id) ?? '')),
  )
  if (deliveries.length === 0) return events
  const now = clock.now()
  await openQueues(tx, deliveries, realClock.now())
  await lockQueues(tx, deliveries)
  const open = new Set((await selectOpenTransactions(tx, deliveries)).map(keyOf))
  const rows = deliveries.map((delivery) => {
    const blocked = open.has(keyOf(delivery))
    open.add(keyOf(delivery))
    return { ...delivery, state: blocked ? ('behind' as const) : ('waiting' as const) }
  })
  await insertDeliveries(tx, rows, now)
  await wakeQueues(tx, deliveries, now)
  return events
}

function addressees(endpoints: Endpoint[], { merchantId, type, forEndpoint }: UndistributedEvent): Endpoint[] {
  return endpoints.filter((endpoint) => {
    if (endpoint.merchantId !== merchantId || endpoint.url === null) return false
    return forEndpoint === null ? wants(endpoint, type) : endpoint.id === forEndpoint
  })
}

function deliveryOf(
  event: UndistributedEvent,
  endpoint: Endpoint,
  position: string,
): PlacedDelivery & { type: string } {
  const { merchantId, id: eventId, transactionId, type } = event
  return { merchantId, endpointId: endpoint.id, eventId, transactionId, type, position }
}

function keyOf({ endpointId, transactionId }: { endpointId: string; transactionId: string }): string {
  return `${endpointId}/${transactionId}`
}

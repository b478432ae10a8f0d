import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Endpoint } from '../../merchants/index.ts'
import { findEndpoints, wants } from '../../merchants/index.ts'
import type { UndistributedEvent } from '../store.ts'
import { lockDistribution, numberEvents, selectUndistributed } from '../store.ts'
import type { NewDelivery } from './delivery.ts'
import { lockLanes, openLanes, wakeLanes } from '../lanes/store.ts'
import { insertDeliveries, markFollowed, selectOpenTransactions } from './store.ts'

type Deps = { db: Db; clock: Clock; realClock: Clock }

/** Few enough that a first event is on its way at once, enough that a burst costs few transactions. */
const AT_ONCE = 200

/**
 * Gives every new event its place in the merchant's stream and one delivery per endpoint that wants it. A disabled
 * endpoint gets its deliveries too: they wait until it is enabled again.
 */
export function distributeEvents({ db, clock, realClock }: Deps): Promise<number> {
  return db.transaction(async (tx) => {
    if (!(await lockDistribution(tx))) return 0
    const events = await selectUndistributed(tx, AT_ONCE)
    if (events.length === 0) return 0
    const endpoints = await findEndpoints(tx, [...new Set(events.map(({ merchantId }) => merchantId))])
    const positions = await numberEvents(tx, events)
    const deliveries = events.flatMap((event) =>
      addressees(endpoints, event).map((endpoint) => delivery(event, endpoint, positions.get(event.id) ?? '')),
    )
    if (deliveries.length === 0) return events.length
    const now = clock.now()
    await openLanes(tx, deliveries, realClock.now())
    await lockLanes(tx, deliveries)
    const open = new Set((await selectOpenTransactions(tx, deliveries)).map(keyOf))
    const rows = deliveries.map((one) => {
      const behind = open.has(keyOf(one))
      open.add(keyOf(one))
      return { ...one, state: behind ? ('behind' as const) : ('waiting' as const) }
    })
    await insertDeliveries(tx, rows, now)
    const followers = rows.filter(({ state }) => state === 'behind')
    if (followers.length > 0) await markFollowed(tx, followers)
    await wakeLanes(tx, deliveries, now)
    return events.length
  })
}

function addressees(endpoints: Endpoint[], { merchantId, type, forEndpoint }: UndistributedEvent): Endpoint[] {
  return endpoints.filter((endpoint) => {
    if (endpoint.merchantId !== merchantId || endpoint.url === null) return false
    return forEndpoint === null ? wants(endpoint, type) : endpoint.id === forEndpoint
  })
}

function delivery(event: UndistributedEvent, endpoint: Endpoint, position: string): NewDelivery {
  const { merchantId, id: eventId, transactionId, type } = event
  return { merchantId, endpointId: endpoint.id, eventId, transactionId, type, position }
}

function keyOf({ endpointId, transactionId }: { endpointId: string; transactionId: string }): string {
  return `${endpointId}/${transactionId}`
}

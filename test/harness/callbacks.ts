import { after } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { App } from '../../packages/server/src/compose.ts'
import type { Claimed } from '../../packages/server/src/domain/webhooks/deliveries/claim-deliveries.ts'
import { recordAndClaim } from '../../packages/server/src/domain/webhooks/deliveries/record-and-claim.ts'
import type { CallResult } from '../../packages/server/src/domain/webhooks/deliveries/record-results.ts'
import { distributeEvents, openDispatcher, recordEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import type { Endpoint, EndpointSettings } from '../../packages/server/src/domain/merchants/index.ts'
import { addEndpoint, changeEndpoint, findEndpoints } from '../../packages/server/src/domain/merchants/index.ts'
import { startCallbacks } from '../../packages/server/src/edges/workers/worker-schedules.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { exampleData } from './example-events.ts'
import { travelTo, until } from './until.ts'

/** The callback workers of `vezne work`; they stop with the test file. */
export function startCallbackWorkers(app: App) {
  const workers = startCallbacks(app)
  after(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    await app.outbound.close()
  })
  return { poke: () => workers.forEach((worker) => worker.poke()) }
}

/** One run of the workers, if none are started: distributes new events, sends and records what is due. */
export async function runCallbacksOnce(app: App): Promise<void> {
  while ((await distributeEvents(app)) > 0);
  const dispatcher = openDispatcher(app, () => undefined)
  await dispatcher.deliver()
  await dispatcher.stop()
}

/** The steps of a worker before and after its calls, without the calls. */
export async function claimOnly(app: App): Promise<Claimed[]> {
  return (await recordAndClaim(app, [], { claim: true })).claimed
}
export async function recordOnly(app: App, results: CallResult[]): Promise<('recorded' | 'late')[]> {
  return (await recordAndClaim(app, results, { claim: false })).recorded
}

/** Records events of a transaction that does not exist: callbacks do not look at their content. Returns its id. */
export async function addEvents(
  app: App,
  merchantId: string,
  { count = 1, type = 'deposit.completed', transactionId = app.ids.next(), from = 1 } = {},
): Promise<string> {
  for (let sequence = from; sequence < from + count; sequence++) {
    const event = { merchantId, transactionId, sequence, type, data: exampleData(type, { transactionId, sequence }) }
    await app.db.transaction((tx) => recordEvents(app, tx, [event]))
  }
  return transactionId
}

/** Sets the address of the endpoint that every merchant has from the start. */
export async function setCallbackUrl(
  app: App,
  merchantId: string,
  url: string,
  settings: Partial<Omit<EndpointSettings, 'url'>> = {},
): Promise<Endpoint> {
  const [first] = await findEndpoints(app.db, [merchantId])
  return changeEndpoint(app, UNATTRIBUTED, merchantId, first?.id ?? '', { url, ...settings })
}

export function addTestEndpoint(app: App, merchantId: string, settings: Partial<EndpointSettings>) {
  return addEndpoint(app, UNATTRIBUTED, merchantId, settings)
}

export type DeliveryRow = {
  endpointId: string
  eventId: string
  state: string
  tries: number
  nextAt: Date
}

/** Deliveries in all states; of delivered ones, `tries` is the total number of attempts. */
export function deliveriesOf(app: App, transactionId: string): Promise<DeliveryRow[]> {
  return app.db.query<DeliveryRow>(sql`
    with open as (
      select d.endpoint_id, d.event_id, d.state, d.tries, d.next_at, d.position
      from deliveries d where d.transaction_id = ${transactionId}
    ), through as (
      select a.endpoint_id, a.event_id, 'delivered' as state, count(*)::int as tries, max(a.at) as next_at, e.position
      from events e join delivery_attempts a on a.merchant_id = e.merchant_id and a.event_id = e.id
      where e.transaction_id = ${transactionId}
        and not exists (select from open o where o.event_id = a.event_id and o.endpoint_id = a.endpoint_id)
      group by a.endpoint_id, a.event_id, e.position having bool_or(a.outcome = 'accepted')
    )
    select endpoint_id as "endpointId", event_id as "eventId", state, tries, next_at as "nextAt"
    from (select * from open union all select * from through) as every order by position, endpoint_id`)
}

/** Number of concurrent calls of an endpoint, from its queue. */
export const calling = sql`(
  select count(*)::int from delivery_claims c where c.merchant_id = l.merchant_id and c.endpoint_id = l.endpoint_id)`

/** Waits until the deliveries of a transaction have these states, in the order of its events. */
export function untilStates(app: App, transactionId: string, states: string[]): Promise<DeliveryRow[]> {
  return until(
    () => deliveriesOf(app, transactionId),
    (rows) => rows.map(({ state }) => state).join() === states.join(),
  )
}

/** Moves business time and wakes all workers. */
export async function later(app: App, workers: { poke: () => void }, to: Date): Promise<void> {
  await travelTo(app, Math.ceil((to.getTime() - app.realClock.now().getTime()) / 1000))
  workers.poke()
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { disableEndpoint, enableEndpoint, resendEvent } from '../../packages/server/src/domain/webhooks/index.ts'
import { findEndpoint, findEndpoints, rotateSecret } from '../../packages/server/src/domain/merchants/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { accepted } from '../harness/envelope.ts'
import { depositBody } from '../harness/examples.ts'
import {
  addTestEndpoint,
  deliveriesOf,
  later,
  setCallbackUrl,
  startCallbackWorkers,
  addEvents,
  untilStates,
} from '../harness/callbacks.ts'
import { answer, ok, startReceiver, verify } from '../harness/receiver.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const service = await startService()
const { app } = service
const workers = startCallbackWorkers(app)

async function shopWith(url: string, settings = {}) {
  const shop = await service.merchant()
  return { ...shop, endpoint: await setCallbackUrl(app, shop.merchantId, url, settings) }
}

async function untilReceived({ all }: { all: unknown[] }, count: number): Promise<void> {
  await until(
    () => app.db.query(sql`select 1`),
    () => all.length >= count,
  )
  assert.equal(all.length, count)
}

test('a status change arrives: signed for any Standard Webhooks library, the body as GET shows the transaction', async () => {
  const receiver = await startReceiver()
  const shop = await shopWith(receiver.url)
  const { transactionId } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  await shop.post(`/v1/transactions/${transactionId}/cancel`, undefined)
  await untilStates(app, transactionId, ['delivered'])
  const [received] = receiver.all
  assert.ok(received)
  verify(shop.callbackSecret, received)
  assert.equal(received.event.type, 'deposit.cancelled')
  assert.deepEqual(received.event.data, accepted(await shop.get(`/v1/transactions/${transactionId}`), 200))
  assert.equal(received.headers['content-type'], 'application/json')
  assert.throws(() => verify(shop.callbackSecret, { ...received, body: `${received.body} ` }), /signature/i)
})

test('an endpoint that is added while others are being called: its first callback is signed too', async () => {
  const [old, young] = [await startReceiver(), await startReceiver()]
  const shop = await shopWith(old.url)
  await untilStates(app, await addEvents(app, shop.merchantId), ['delivered'])
  const { secret } = await addTestEndpoint(app, shop.merchantId, { url: young.url })
  await untilStates(app, await addEvents(app, shop.merchantId), ['delivered', 'delivered'])
  const [received] = young.all
  assert.ok(received)
  verify(secret, received)
})

test('every attempt carries the same id and the same bytes, and is kept with what was answered', async () => {
  const receiver = await startReceiver(answer(500))
  const shop = await shopWith(receiver.url)
  const transactionId = await addEvents(app, shop.merchantId)
  const [{ nextAt } = assert.fail()] = await until(
    () => deliveriesOf(app, transactionId),
    ([row]) => row?.tries === 1,
  )
  receiver.behave(ok)
  await later(app, workers, nextAt)
  await untilStates(app, transactionId, ['delivered'])
  const [first, second] = receiver.all
  assert.deepEqual([first?.id, first?.body], [second?.id, second?.body])
  const rows = await app.db.query(sql`
    select number, outcome, status, answer from delivery_attempts where event_id = ${first?.id ?? ''} order by number`)
  assert.deepEqual(rows, [
    { number: 1, outcome: '5xx', status: 500, answer: 'status 500' },
    { number: 2, outcome: 'accepted', status: 200, answer: 'ok' },
  ])
})

test('in order within a transaction, and no other transaction waits for it', async () => {
  const receiver = await startReceiver()
  const shop = await shopWith(receiver.url)
  const stuck = app.ids.next()
  receiver.behave((received, response) =>
    response.writeHead(received.event.data.transactionId === stuck ? 503 : 200).end(),
  )
  await addEvents(app, shop.merchantId, { transactionId: stuck, count: 3 })
  const free = await addEvents(app, shop.merchantId, { count: 3 })
  await untilStates(app, free, ['delivered', 'delivered', 'delivered'])
  const [head] = await until(
    () => deliveriesOf(app, stuck),
    ([row]) => row?.tries === 1,
  )
  assert.deepEqual(
    (await deliveriesOf(app, stuck)).map(({ state }) => state),
    ['waiting', 'behind', 'behind'],
  )
  receiver.behave(ok)
  await later(app, workers, head?.nextAt ?? new Date())
  await untilStates(app, stuck, ['delivered', 'delivered', 'delivered'])
  const told = receiver.all.filter(({ event }) => event.data.transactionId === stuck)
  assert.deepEqual(
    told.map(({ event }) => event.data.sequence),
    [1, 1, 2, 3],
  )
})

test('several endpoints: each with its own secret and filter; one that is off gets its events when it is on again', async () => {
  const [all, some, off] = [await startReceiver(), await startReceiver(), await startReceiver()]
  const shop = await shopWith(all.url)
  const filtered = await addTestEndpoint(app, shop.merchantId, { url: some.url, eventTypes: ['withdrawal.failed'] })
  const quiet = await addTestEndpoint(app, shop.merchantId, { url: off.url })
  await disableEndpoint(app, UNATTRIBUTED, shop.merchantId, quiet.endpoint.id, 'under repair')
  const deposit = await addEvents(app, shop.merchantId, { count: 2 })
  const withdrawal = await addEvents(app, shop.merchantId, { type: 'withdrawal.failed' })
  await untilReceived(all, 3)
  await untilReceived(some, 1)
  assert.equal(off.all.length, 0)
  verify(filtered.secret, some.all[0] ?? assert.fail())
  assert.equal(some.all[0]?.event.data.transactionId, withdrawal)
  await enableEndpoint(app, UNATTRIBUTED, shop.merchantId, quiet.endpoint.id)
  await untilReceived(off, 3)
  const ofDeposit = off.all.filter(({ event }) => event.data.transactionId === deposit)
  assert.deepEqual(
    ofDeposit.map(({ event }) => event.data.sequence),
    [1, 2],
  )
  off.all.forEach((received) => verify(quiet.secret, received))
})

test('during a rotation both secrets verify; after it only the new one', async () => {
  const receiver = await startReceiver()
  const shop = await shopWith(receiver.url)
  const { secret, oldSecretEndsAt } = await rotateSecret(app, UNATTRIBUTED, shop.merchantId, shop.endpoint.id)
  await untilStates(app, await addEvents(app, shop.merchantId), ['delivered'])
  const both = receiver.all.at(-1) ?? assert.fail()
  verify(secret, both)
  verify(shop.callbackSecret, both)
  await later(app, workers, new Date(oldSecretEndsAt.getTime() + 1000))
  const oneByOne = async () => {
    await untilStates(app, await addEvents(app, shop.merchantId), ['delivered'])
    return receiver.all.at(-1)
  }
  // The address book is a second old at most.
  await until(oneByOne, (last) => last?.headers['webhook-signature']?.split(' ').length === 1)
  const only = receiver.all.at(-1) ?? assert.fail()
  verify(secret, only)
  assert.throws(() => verify(shop.callbackSecret, only), /signature/i)
})

test('410 switches the endpoint off; what comes meanwhile waits, and goes out in order when it is on again', async () => {
  const receiver = await startReceiver(answer(410))
  const shop = await shopWith(receiver.url)
  const transactionId = await addEvents(app, shop.merchantId, { count: 2 })
  const switchedOff = await until(
    () => findEndpoint(app.db, shop.merchantId, shop.endpoint.id),
    ({ state }) => state === 'disabled',
  )
  assert.match(switchedOff.stateReason ?? '', /410/)
  receiver.behave(ok)
  await addEvents(app, shop.merchantId, { transactionId, from: 3 })
  await untilStates(app, transactionId, ['waiting', 'behind', 'behind'])
  assert.equal(receiver.all.length, 1)
  await enableEndpoint(app, UNATTRIBUTED, shop.merchantId, shop.endpoint.id)
  workers.poke()
  await untilStates(app, transactionId, ['delivered', 'delivered', 'delivered'])
  assert.deepEqual(
    receiver.all.map(({ event }) => event.data.sequence),
    [1, 1, 2, 3],
  )
})

test('Retry-After is honoured when it asks for more than the schedule', async () => {
  const receiver = await startReceiver(answer(429, { 'retry-after': '3600' }))
  const shop = await shopWith(receiver.url)
  const transactionId = await addEvents(app, shop.merchantId)
  const [row] = await until(
    () => deliveriesOf(app, transactionId),
    ([one]) => one?.tries === 1,
  )
  // Its queue has only failed since then: written with the answer.
  const [queue] = await app.db.query<{ failingSince: Date }>(sql`
    select failing_since as "failingSince" from endpoint_queues where endpoint_id = ${shop.endpoint.id}`)
  assert.equal((row?.nextAt.getTime() ?? 0) - (queue?.failingSince.getTime() ?? 0), 3_600_000)
})

test('a delivered event is sent again by hand, with the same id', async () => {
  const receiver = await startReceiver()
  const shop = await shopWith(receiver.url)
  const transactionId = await addEvents(app, shop.merchantId)
  const [row] = await untilStates(app, transactionId, ['delivered'])
  assert.equal(await resendEvent(app, UNATTRIBUTED, shop.merchantId, row?.eventId ?? ''), 1)
  workers.poke()
  await untilReceived(receiver, 2)
  assert.equal(receiver.all[0]?.id, receiver.all[1]?.id)
  await untilStates(app, transactionId, ['delivered'])
})

test('a merchant without an address loses nothing: the event can be sent once it has one', async () => {
  const receiver = await startReceiver()
  const shop = await service.merchant()
  const transactionId = await addEvents(app, shop.merchantId)
  const { events } = await until(
    async () => accepted(await shop.get(`/v1/events?transactionId=${transactionId}`), 200),
    (data) => data.events.length === 1,
  )
  assert.deepEqual(events[0].deliveries, [])
  const [endpoint] = await findEndpoints(app.db, [shop.merchantId])
  assert.equal(endpoint?.url, null)
  await setCallbackUrl(app, shop.merchantId, receiver.url)
  accepted(await shop.post(`/v1/events/${events[0].eventId}/resend`, undefined), 200)
  await untilStates(app, transactionId, ['delivered'])
})

test('every attempt of all these is counted once, by its outcome', async () => {
  const kept = () =>
    app.db.query<{ outcome: string; value: number }>(sql`
      select outcome, count(*)::int as value from delivery_attempts group by outcome order by outcome`)
  const counted = async () => {
    const { values } = await app.metrics.callbacks.get()
    const rows = values.map(({ labels, value }) => ({ outcome: String(labels.outcome), value }))
    return rows.toSorted((a, b) => (a.outcome < b.outcome ? -1 : 1))
  }
  // An attempt is counted when its answer comes, and kept a moment later.
  const [rows] = await until(
    () => Promise.all([kept(), counted()]),
    (both) => isDeepStrictEqual(...both),
  )
  assert.ok(rows.length >= 2, 'some arrived, some failed')
})

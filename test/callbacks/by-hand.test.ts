import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import {
  disableEndpoint,
  distributeEvents,
  enableEndpoint,
  openDispatcher,
  removeEndpoint,
  resendEvent,
  resendFailed,
} from '../../packages/server/src/domain/webhooks/index.ts'
import { findEndpoint } from '../../packages/server/src/domain/merchants/index.ts'
import type { Claimed } from '../../packages/server/src/domain/webhooks/deliveries/claim-deliveries.ts'
import { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import {
  addTestEndpoint,
  claimOnly,
  deliveriesOf,
  setCallbackUrl,
  recordOnly,
  addEvents,
  runCallbacksOnce,
} from '../harness/callbacks.ts'
import { laterBy } from '../harness/crash.ts'
import { answer, ok, startReceiver } from '../harness/receiver.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

// What people do to endpoints and events, step by step: a worker takes its turn only when a test says so.
const service = await startService()
const { app } = service

async function shopWith(url: string, settings = {}) {
  const shop = await service.merchant()
  return { ...shop, endpoint: await setCallbackUrl(app, shop.merchantId, url, settings) }
}

const statesOf = async (transactionId: string) => (await deliveriesOf(app, transactionId)).map(({ state }) => state)

/** A transaction of so many events, the first of which was tried for thirty days. */
async function givenUp(merchantId: string, receiver: Awaited<ReturnType<typeof startReceiver>>, count: number) {
  const transactionId = await addEvents(app, merchantId, { count })
  receiver.behave(answer(500))
  await distributeEvents(app)
  await app.db.query(sql`
    update deliveries set since = since - interval '31 days' where transaction_id = ${transactionId} and state = 'waiting'`)
  await runCallbacksOnce(app)
  return transactionId
}

test('410 among other failures of one list: the endpoint is disabled all the same', async () => {
  const receiver = await startReceiver()
  for (const statuses of [
    [410, 500],
    [500, 410],
    [410, 200],
  ]) {
    const shop = await shopWith(receiver.url)
    for (const _ of statuses) await addEvents(app, shop.merchantId)
    await distributeEvents(app)
    const calls = await claimOnly(app)
    assert.equal(calls.length, 2)
    const nothing = { problem: null, body: '', retryAfterSeconds: null, connectMs: 0, waitMs: 0, readMs: 0 }
    const list = statuses.map((status, index) => {
      const outcome = status === 200 ? ('accepted' as const) : ('4xx' as const)
      return { claim: calls[index] ?? assert.fail(), answer: { outcome, status, ...nothing }, at: app.clock.now() }
    })
    await recordOnly(app, list)
    const { state, stateReason } = await findEndpoint(app.db, shop.merchantId, shop.endpoint.id)
    assert.equal(state, 'disabled', statuses.join())
    assert.match(stateReason ?? '', /410/)
  }
})

test('an event that arrives at one endpoint lets nothing overtake it at another, though both are written down at once', async () => {
  const shop = await shopWith('http://127.0.0.1:9/one')
  const { endpoint: other } = await addTestEndpoint(app, shop.merchantId, { url: 'http://127.0.0.1:9/other' })
  const transactionId = await addEvents(app, shop.merchantId, { count: 3 })
  await distributeEvents(app)
  const nothing = { problem: null, body: '', retryAfterSeconds: null, connectMs: 0, waitMs: 0, readMs: 0 }
  const answer = { outcome: 'accepted' as const, status: 200, ...nothing }
  const arrive = (claims: Claimed[]) =>
    recordOnly(
      app,
      claims.map((claim) => ({ claim, answer, at: app.clock.now() })),
    )
  const first = await claimOnly(app)
  await arrive(first.filter(({ endpointId }) => endpointId === other.id))
  // The second event at one endpoint, the first one at the other.
  const second = await claimOnly(app)
  await arrive([...second, ...first.filter(({ endpointId }) => endpointId === shop.endpoint.id)])
  const rows = await deliveriesOf(app, transactionId)
  const at = (endpointId: string) => rows.filter((row) => row.endpointId === endpointId).map(({ state }) => state)
  assert.deepEqual(at(other.id), ['delivered', 'delivered', 'waiting'])
  assert.deepEqual(at(shop.endpoint.id), ['delivered', 'waiting', 'behind'])
})

test('an endpoint that is disabled gets no call more, not even those that would have been next', async () => {
  const receiver = await startReceiver()
  const shop = await shopWith(receiver.url, { maxConcurrent: 1 })
  for (let count = 0; count < 3; count++) await addEvents(app, shop.merchantId)
  await runCallbacksOnce(app)
  await disableEndpoint(app, UNATTRIBUTED, shop.merchantId, shop.endpoint.id, 'enough')
  await runCallbacksOnce(app)
  assert.equal(receiver.all.length, 1)
})

test('an endpoint is removed: what waits for it is given up, also what was distributed at that very moment', async () => {
  const receiver = await startReceiver(answer(500))
  const shop = await shopWith(receiver.url)
  const transactionId = await addEvents(app, shop.merchantId, { count: 2 })
  await runCallbacksOnce(app)
  await removeEndpoint(app, UNATTRIBUTED, shop.merchantId, shop.endpoint.id)
  await runCallbacksOnce(app)
  assert.deepEqual(await statesOf(transactionId), ['given_up', 'given_up'])
  // A distributor that had read the endpoints before the removal writes after it.
  await app.db.query(sql`
    update deliveries set state = 'waiting', finished_at = null where transaction_id = ${transactionId}`)
  await app.db.query(
    sql`update endpoint_queues set wake_at = ${app.clock.now()} where endpoint_id = ${shop.endpoint.id}`,
  )
  await runCallbacksOnce(app)
  assert.deepEqual(await statesOf(transactionId), ['given_up', 'given_up'])
  assert.equal(receiver.all.length, 1)
})

test('an endpoint is removed during a call: the call still counts, and what stood behind it is given up', async () => {
  const receiver = await startReceiver()
  const shop = await shopWith(receiver.url)
  const transactionId = await addEvents(app, shop.merchantId, { count: 2 })
  receiver.behave((received, response, request) => {
    void removeEndpoint(app, UNATTRIBUTED, shop.merchantId, shop.endpoint.id).then(() =>
      ok(received, response, request),
    )
  })
  await runCallbacksOnce(app)
  await runCallbacksOnce(app)
  assert.deepEqual(await statesOf(transactionId), ['delivered', 'given_up'])
})

test('sending what failed leaves removed endpoints alone: nobody is there', async () => {
  const [here, gone] = [await startReceiver(), await startReceiver()]
  const shop = await shopWith(gone.url)
  await addTestEndpoint(app, shop.merchantId, { url: here.url })
  here.behave(answer(500))
  const transactionId = await givenUp(shop.merchantId, gone, 1)
  await removeEndpoint(app, UNATTRIBUTED, shop.merchantId, shop.endpoint.id)
  here.behave(ok)
  assert.equal(await resendFailed(app, UNATTRIBUTED, shop.merchantId, new Date(0)), 1)
  await runCallbacksOnce(app)
  assert.deepEqual((await statesOf(transactionId)).toSorted(), ['delivered', 'given_up'])
  assert.deepEqual([here.all.length, gone.all.length], [2, 1])
})

test('what failed is sent again in order: what waits stands back behind what had been given up', async () => {
  const receiver = await startReceiver()
  const shop = await shopWith(receiver.url)
  const transactionId = await givenUp(shop.merchantId, receiver, 3)
  await runCallbacksOnce(app)
  assert.deepEqual(await statesOf(transactionId), ['given_up', 'waiting', 'behind'])
  assert.equal(await resendFailed(app, UNATTRIBUTED, shop.merchantId, new Date(0)), 1, 'the other follows')
  assert.deepEqual(await statesOf(transactionId), ['waiting', 'behind', 'behind'])
  receiver.behave(ok)
  for (let count = 0; count < 3; count++) await runCallbacksOnce(app)
  assert.deepEqual(
    receiver.all.map(({ event }) => event.data.sequence),
    [1, 2, 1, 2, 3],
  )
  assert.equal(await resendFailed(app, UNATTRIBUTED, shop.merchantId, new Date(0)), 0)
})

test('what failed before the given moment stays as it is', async () => {
  const receiver = await startReceiver()
  const shop = await shopWith(receiver.url)
  const transactionId = await givenUp(shop.merchantId, receiver, 1)
  const justAfter = new Date(app.clock.now().getTime() + 1)
  assert.equal(await resendFailed(app, UNATTRIBUTED, shop.merchantId, justAfter), 0)
  assert.deepEqual(await statesOf(transactionId), ['given_up'])
})

test('2,500 that failed are sent again, each once', async () => {
  const receiver = await startReceiver()
  const shop = await shopWith(receiver.url)
  const [some] = await deliveriesOf(app, await givenUp(shop.merchantId, receiver, 1))
  const now = app.clock.now()
  await app.db.query(sql`
    with told as (
      insert into events (merchant_id, id, transaction_id, sequence, type, body, created_at, position)
      select ${shop.merchantId}, substr(md5('e' || n), 1, 24), substr(md5('t' || n), 1, 24), 1, 'a.b', '{}', ${now}, 1000000 + n
      from generate_series(1, 2499) n returning *
    )
    insert into deliveries (
      merchant_id, endpoint_id, event_id, transaction_id, type, position, state, since, next_at, created_at, finished_at
    )
    select merchant_id, ${some?.endpointId ?? ''}, id, transaction_id, type, position, 'given_up', ${now}, ${now}, ${now}, ${now}
    from told`)
  assert.equal(await resendFailed(app, UNATTRIBUTED, shop.merchantId, new Date(0)), 2500)
  const [count] = await app.db.query<{ waiting: number }>(sql`
    select count(*)::int as waiting from deliveries where merchant_id = ${shop.merchantId} and state = 'waiting'`)
  assert.equal(count?.waiting, 2500)
  await disableEndpoint(app, UNATTRIBUTED, shop.merchantId, shop.endpoint.id, 'the test is over')
})

test('by hand to one endpoint: refused when it has no address, or is not this merchant’s', async () => {
  const receiver = await startReceiver()
  const [shop, other] = [await shopWith(receiver.url), await shopWith(receiver.url)]
  const nowhere = await addTestEndpoint(app, shop.merchantId, {})
  const [row] = await addEvents(app, shop.merchantId).then(async (id) => {
    await runCallbacksOnce(app)
    return deliveriesOf(app, id)
  })
  const refusedAs = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code
  const resend = (endpointId: string) => resendEvent(app, UNATTRIBUTED, shop.merchantId, row?.eventId ?? '', endpointId)
  await assert.rejects(resend(nowhere.endpoint.id), refusedAs('INVALID_STATE'))
  await assert.rejects(resend(other.endpoint.id), refusedAs('NOT_FOUND'))
  assert.equal(await resend(shop.endpoint.id), 1)
  await runCallbacksOnce(app)
  assert.equal(receiver.all.length, 2)
})

test('by hand while it is being called: the call goes on, and nothing is sent twice', async () => {
  const receiver = await startReceiver()
  const shop = await shopWith(receiver.url)
  const transactionId = await addEvents(app, shop.merchantId)
  receiver.behave((received, response, request) => {
    void resendEvent(app, UNATTRIBUTED, shop.merchantId, received.id).then(() => ok(received, response, request))
  })
  await runCallbacksOnce(app)
  await runCallbacksOnce(app)
  assert.deepEqual(await statesOf(transactionId), ['delivered'])
  assert.equal(receiver.all.length, 1)
})

test('enabling begins every schedule anew, thirty days from now', async () => {
  const receiver = await startReceiver(answer(500))
  const shop = await shopWith(receiver.url)
  const transactionId = await addEvents(app, shop.merchantId)
  await runCallbacksOnce(app)
  await disableEndpoint(app, UNATTRIBUTED, shop.merchantId, shop.endpoint.id, 'a long holiday')
  const afterHoliday = laterBy(app, 40 * 24 * 3600)
  await enableEndpoint(afterHoliday, UNATTRIBUTED, shop.merchantId, shop.endpoint.id)
  await runCallbacksOnce(afterHoliday)
  const [row] = await deliveriesOf(app, transactionId)
  assert.deepEqual([row?.state, row?.tries], ['waiting', 1])
})

test('an event that an endpoint never had is sent to it by hand while an earlier one still fails: it follows', async () => {
  const receiver = await startReceiver(answer(500))
  const shop = await shopWith(receiver.url, { eventTypes: ['deposit.completed'] })
  const transactionId = await addEvents(app, shop.merchantId)
  await addEvents(app, shop.merchantId, { transactionId, from: 2, type: 'deposit.failed' })
  await runCallbacksOnce(app)
  const [second] = await app.db.query<{ id: string }>(sql`
    select id from events where transaction_id = ${transactionId} and sequence = 2`)
  await resendEvent(app, UNATTRIBUTED, shop.merchantId, second?.id ?? '', shop.endpoint.id)
  assert.deepEqual(await statesOf(transactionId), ['waiting', 'behind'])
  receiver.behave(ok)
  await runCallbacksOnce(laterBy(app, 10))
  await runCallbacksOnce(laterBy(app, 10))
  assert.deepEqual(await statesOf(transactionId), ['delivered', 'delivered'])
})

test('enabled while calls are under way: they are counted still, and the endpoint gets no more than it allows', async () => {
  const held: (() => void)[] = []
  const receiver = await startReceiver((received, response, request) => {
    held.push(() => ok(received, response, request))
  })
  const shop = await shopWith(receiver.url, { maxConcurrent: 2 })
  for (let count = 0; count < 20; count++) await addEvents(app, shop.merchantId)
  await distributeEvents(app)
  // The last ones are the longest due, so that those under way are not the first in the stream.
  await app.db.query(sql`
    update deliveries set next_at = next_at - position * interval '1 second' where merchant_id = ${shop.merchantId}`)
  const dispatcher = openDispatcher(app, () => undefined)
  assert.equal((await dispatcher.deliver()).claimed, 2)
  await disableEndpoint(app, UNATTRIBUTED, shop.merchantId, shop.endpoint.id, 'a moment')
  await enableEndpoint(app, UNATTRIBUTED, shop.merchantId, shop.endpoint.id)
  assert.equal((await dispatcher.deliver()).claimed, 0)
  await disableEndpoint(app, UNATTRIBUTED, shop.merchantId, shop.endpoint.id, 'the test is over')
  await until(
    () => app.db.query(sql`select 1`),
    () => held.length === 2,
  )
  held.forEach((answer) => answer())
  await dispatcher.stop()
})

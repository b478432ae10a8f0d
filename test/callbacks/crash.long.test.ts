import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { App } from '../../packages/server/src/compose.ts'
import type { Claimed } from '../../packages/server/src/domain/webhooks/deliveries/claim-deliveries.ts'
import { distributeEvents, openDispatcher } from '../../packages/server/src/domain/webhooks/index.ts'
import type { Answer } from '../../packages/server/src/platform/http-client/outbound.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { claimOnly, deliveriesOf, setCallbackUrl, recordOnly, addEvents } from '../harness/callbacks.ts'
import { Crash, laterBy, crashingWorker } from '../harness/crash.ts'
import type { Received } from '../harness/receiver.ts'
import { ok, startReceiver } from '../harness/receiver.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

// Claim, call, record, with a death between any two. No worker runs here unless a test starts it.
const service = await startService()
const { app } = service
after(() => app.outbound.close())

const LEASE = 60
const said = (status: number): Answer => {
  const nothing = { body: '', retryAfterSeconds: null, connectMs: 0, waitMs: 0, readMs: 0 }
  const good = status < 300
  return { outcome: good ? 'accepted' : '5xx', status, problem: good ? null : 'no', ...nothing }
}

async function shopWith(url: string, settings = {}) {
  const shop = await service.merchant()
  return { ...shop, endpoint: await setCallbackUrl(app, shop.merchantId, url, settings) }
}

/** One worker's turn: what is due is claimed, called and recorded, and nothing is left under way. */
async function turn(worker: App): Promise<number> {
  const dispatcher = openDispatcher(worker, () => undefined)
  const { claimed } = await dispatcher.deliver()
  await dispatcher.stop()
  return claimed
}

async function work(worker: App): Promise<void> {
  while ((await distributeEvents(worker)) + (await turn(worker)) > 0);
}

const sequencesOf = (all: Received[], transactionId: string) =>
  all.filter(({ event }) => event.data.transactionId === transactionId).map(({ event }) => event.data.sequence)

/** The states and tries of a transaction's deliveries, and the outcomes of every call that was made for them. */
async function checkHistory(transactionId: string) {
  const rows = await deliveriesOf(app, transactionId)
  const attempts = await app.db.query<{ number: number; status: number }>(sql`
    select number, a.status from events e join delivery_attempts a on a.merchant_id = e.merchant_id and a.event_id = e.id
    where e.transaction_id = ${transactionId} order by e.position, number`)
  return {
    states: rows.map(({ state, tries }) => `${state} ${tries}`),
    attempts: attempts.map(({ number, status }) => `${number}: ${status}`),
  }
}

const receiver = await startReceiver()

/** Two events of one transaction, a worker that dies at this point, a healthy one after its lease. */
async function live(dieAt: number): Promise<number> {
  const shop = await shopWith(receiver.url)
  const transactionId = await addEvents(app, shop.merchantId, { count: 2 })
  const { worker, points, isDead } = crashingWorker(app, dieAt)
  await work(worker).catch((error: unknown) => error instanceof Crash || Promise.reject(error as Error))
  assert.equal(isDead(), dieAt !== Infinity)
  if (isDead()) await work(laterBy(app, LEASE + 1))
  const rows = await deliveriesOf(app, transactionId)
  assert.deepEqual(
    rows.map(({ state }) => state),
    ['delivered', 'delivered'],
  )
  const told = receiver.all.filter(({ event }) => event.data.transactionId === transactionId)
  const sequences = told.map(({ event }) => event.data.sequence).join()
  assert.match(sequences, /^1(,1)?,2(,2)?$/, 'never 2 before 1')
  assert.ok(told.length === 2 || (isDead() && told.length === 3), 'a death costs one call more at most')
  assert.equal(new Set(told.map(({ id, body }) => `${id} ${body}`)).size, 2, 'again with the same id and bytes')
  return points()
}

const points = await live(Infinity)

test(`killed at each of ${points} points between distributing and recording: nothing is lost, nothing overtakes`, async () => {
  assert.ok(points > 50)
  for (let dieAt = 1; dieAt <= points; dieAt++) {
    await live(dieAt).catch((error: Error) => {
      error.message = `point ${dieAt}: ${error.message}`
      throw error
    })
  }
})

/** A transaction of two events whose first has been claimed, by somebody who says no more. */
async function claimedFirst(): Promise<{ call: Claimed; transactionId: string; heard: Received[] }> {
  const { all, url } = await startReceiver()
  const shop = await shopWith(url)
  const transactionId = await addEvents(app, shop.merchantId, { count: 2 })
  await distributeEvents(app)
  const [call, ...more] = await claimOnly(app)
  assert.ok(call && more.length === 0)
  return { call, transactionId, heard: all }
}

test('a worker that vanished with its claim: nobody sends it during the lease, and after it, it is sent with the same id', async () => {
  const { call, transactionId, heard } = await claimedFirst()
  await work(laterBy(app, LEASE - 1))
  assert.deepEqual(sequencesOf(heard, transactionId), [])
  await work(laterBy(app, LEASE + 1))
  assert.deepEqual(sequencesOf(heard, transactionId), [1, 2])
  assert.equal(heard[0]?.id, call.eventId)
})

test('an answer that comes when the call was made again: kept as an attempt, and the newer one stands', async () => {
  const { call, transactionId } = await claimedFirst()
  await work(laterBy(app, LEASE + 1))
  const late = { claim: call, answer: said(500), at: app.clock.now() }
  assert.deepEqual(await recordOnly(app, [late]), ['late'])
  assert.deepEqual(await checkHistory(transactionId), {
    states: ['delivered 2', 'delivered 1'],
    attempts: ['1: 500', '2: 200', '3: 200'],
  })
})

test('an answer that comes while another makes the call: it decides nothing, and no follower leaves on its word', async () => {
  const { call, transactionId } = await claimedFirst()
  const [second] = await claimOnly(laterBy(app, LEASE + 1))
  assert.deepEqual([second?.eventId, second?.number], [call.eventId, call.number + 1])
  const late = { claim: call, answer: said(200), at: app.clock.now() }
  assert.deepEqual(await recordOnly(app, [late]), ['late'])
  assert.deepEqual((await checkHistory(transactionId)).states, ['waiting 0', 'behind 0'])
  const newest = { claim: second ?? assert.fail(), answer: said(500), at: app.clock.now() }
  assert.deepEqual(await recordOnly(app, [newest]), ['recorded'])
  assert.deepEqual(await checkHistory(transactionId), {
    states: ['waiting 1', 'behind 0'],
    attempts: ['1: 200', '2: 500'],
  })
})

test('an answer that comes after the lease, when nobody has taken over: it counts', async () => {
  const { call, transactionId } = await claimedFirst()
  const late = { claim: call, answer: said(200), at: app.clock.now() }
  assert.deepEqual(await recordOnly(laterBy(app, LEASE + 30), [late]), ['recorded'])
  assert.deepEqual((await checkHistory(transactionId)).states, ['delivered 1', 'waiting 0'])
})

test('the same answer recorded twice counts once', async () => {
  const { call, transactionId } = await claimedFirst()
  const one = { claim: call, answer: said(500), at: app.clock.now() }
  assert.deepEqual([await recordOnly(app, [one]), await recordOnly(app, [one])], [['recorded'], ['late']])
  assert.deepEqual(await checkHistory(transactionId), { states: ['waiting 1', 'behind 0'], attempts: ['1: 500'] })
})

test('a claim that was lost with PostgreSQL, after its call had left: its number is not given out again', async () => {
  const { call, transactionId } = await claimedFirst()
  await app.db.query(sql`update endpoint_queues set last_claim = 0 where endpoint_id = ${call.endpointId}`)
  await app.db.query(sql`delete from delivery_claims where endpoint_id = ${call.endpointId}`)
  const answer = { claim: call, answer: said(200), at: app.clock.now() }
  assert.deepEqual(await recordOnly(app, [answer]), ['late'])
  const again = (await claimOnly(app)).filter(({ endpointId }) => endpointId === call.endpointId)
  assert.deepEqual(
    again.map(({ eventId, number }) => ({ eventId, number })),
    [{ eventId: call.eventId, number: call.number + 1 }],
  )
  const answers = again.map((claim) => ({ claim, answer: said(200), at: app.clock.now() }))
  assert.deepEqual(await recordOnly(app, answers), ['recorded'])
  assert.deepEqual(await checkHistory(transactionId), {
    states: ['delivered 2', 'waiting 0'],
    attempts: ['1: 200', '2: 200'],
  })
})

/** Ends the connection that waits for a lock, as a failing database would; answers how many there were. */
async function endWaiting(): Promise<number> {
  const rows = await app.db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`)
  return rows.length
}

test('a connection that is lost while an answer is recorded: the event is sent again, and its follower has not left', async () => {
  const locked = Promise.withResolvers<void>()
  const { all, url } = await startReceiver((...exchange) => void locked.promise.then(() => ok(...exchange)))
  const shop = await shopWith(url)
  const transactionId = await addEvents(app, shop.merchantId, { count: 2 })
  await distributeEvents(app)
  const dispatcher = openDispatcher(app, () => undefined)
  await dispatcher.deliver()
  await app.db.transaction(async (tx) => {
    await tx.query(sql`select 1 from endpoint_queues where endpoint_id = ${shop.endpoint.id} for update`)
    locked.resolve()
    await until(endWaiting, (ended) => ended > 0)
  })
  await dispatcher.stop()
  assert.deepEqual(await checkHistory(transactionId), { states: ['waiting 0', 'behind 0'], attempts: [] })
  await work(laterBy(app, LEASE + 1))
  assert.deepEqual(sequencesOf(all, transactionId), [1, 1, 2])
  assert.equal(all[0]?.id, all[1]?.id)
  assert.deepEqual(await checkHistory(transactionId), {
    states: ['delivered 1', 'delivered 1'],
    attempts: ['2: 200', '3: 200'],
  })
})

test('a graceful stop: what is on its way is answered and recorded, nothing stays claimed, another process goes on at once', async () => {
  const held: (() => void)[] = []
  const { all, url } = await startReceiver((received, response, request) => {
    held.push(() => ok(received, response, request))
  })
  const shop = await shopWith(url, { maxConcurrent: 2 })
  const told = [
    await addEvents(app, shop.merchantId),
    await addEvents(app, shop.merchantId),
    await addEvents(app, shop.merchantId),
  ]
  await distributeEvents(app)
  const dispatcher = openDispatcher(app, () => undefined)
  assert.equal((await dispatcher.deliver()).claimed, 2, 'no more is claimed than may leave')
  await until(
    () => app.db.query(sql`select 1`),
    () => held.length === 2,
  )
  const stopped = dispatcher.stop()
  held.splice(0).forEach((answer) => answer())
  await stopped
  const states = async () =>
    (await Promise.all(told.map((id) => deliveriesOf(app, id)))).flat().map(({ state }) => state)
  assert.deepEqual((await states()).toSorted(), ['delivered', 'delivered', 'waiting'])
  const other = openDispatcher(app, () => undefined)
  assert.equal((await other.deliver()).claimed, 1)
  await until(
    () => app.db.query(sql`select 1`),
    () => held.length === 1,
  )
  held.forEach((answer) => answer())
  await other.stop()
  assert.deepEqual(await states(), ['delivered', 'delivered', 'delivered'])
  assert.equal(all.length, 3)
})

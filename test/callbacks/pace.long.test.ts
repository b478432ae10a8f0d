import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { disableEndpoint, enableEndpoint, recordEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { startCallbacks } from '../../packages/server/src/edges/workers/worker-schedules.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { addTestEndpoint, calling, later, setCallbackUrl, addEvents } from '../harness/callbacks.ts'
import { exampleData, exampleEvents } from '../harness/example-events.ts'
import { answer, ok, startReceiver } from '../harness/receiver.ts'
import { startSecondProcess, startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

// Two processes deliver all the time: what holds here holds for a deployment, not for one of its processes.
const service = await startService()
const { app } = service
const apps = [app, await startSecondProcess(service)]
const workers = apps.flatMap((one) => startCallbacks(one))
after(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await Promise.all(apps.map(({ outbound }) => outbound.close()))
})
const bothWorkers = { poke: () => workers.forEach((worker) => worker.poke()) }

const SMALLEST = JSON.stringify((await exampleEvents()).find(({ type }) => type === 'endpoint.test'))
const ask = () => app.db.query(sql`select 1`)
const untilCount = (list: unknown[], count: number) => until(ask, () => list.length >= count)

/** So many transactions of one event each, written at once. */
async function tellMany(merchantId: string, count: number): Promise<void> {
  const events = Array.from({ length: count }, () => {
    const transactionId = app.ids.next()
    const type = 'deposit.completed'
    const data = exampleData(type, { transactionId, sequence: 1 })
    return { merchantId, transactionId, sequence: 1, type, data }
  })
  await app.db.transaction((tx) => recordEvents(app, tx, events))
}

/** A receiver that needs a while, and counts how many it is busy with. */
async function slowReceiver() {
  const busy = { now: 0, most: 0 }
  const receiver = await startReceiver((_, response) => {
    busy.most = Math.max(busy.most, ++busy.now)
    void slowly(response).finally(() => busy.now--)
  })
  return { ...receiver, busy }
}

/** After as many questions to the database as make it a slow server among ours. */
async function slowly(response: ServerResponse): Promise<void> {
  for (let question = 0; question < 10; question++) await ask()
  response.end('ok')
}

test('never more calls at once than the endpoint allows, however many processes send', async () => {
  const { url, all, busy } = await slowReceiver()
  const shop = await service.merchant()
  await setCallbackUrl(app, shop.merchantId, url, { maxConcurrent: 3, maxPerSecond: 1000 })
  await tellMany(shop.merchantId, 90)
  await untilCount(all, 90)
  assert.equal(busy.most, 3)
})

// That it is never less either is counted in claims, at times that stand still: races.test.ts.
test('so many a second, and a second’s worth at once: never more, and all arrive', async () => {
  const { url, all } = await startReceiver()
  const shop = await service.merchant()
  await setCallbackUrl(app, shop.merchantId, url, { maxConcurrent: 200, maxPerSecond: 20 })
  const began = performance.now()
  await tellMany(shop.merchantId, 60)
  await untilCount(all, 60)
  for (const [index, { at }] of all.entries()) {
    // From before the first call: on a busy machine it arrives late, and those behind it do not.
    const allowed = 20 * (1 + (at - began) / 1000)
    // Claims are counted, arrivals are seen: those of one list arrive within some milliseconds of each other.
    assert.ok(index + 1 <= allowed + 4, `${index + 1} calls within ${at - began} ms`)
  }
})

type Queue = { failures: number; pausedUntil: Date | null; calling: number }

async function queueOf(endpointId: string): Promise<Queue> {
  const [row] = await app.db.query<Queue>(sql`
    select failures, paused_until as "pausedUntil", ${calling} as calling
    from endpoint_queues l where endpoint_id = ${endpointId}`)
  return row ?? { failures: 0, pausedUntil: null, calling: 0 }
}

test('an endpoint that is down, with 200 transactions waiting: a handful of calls, then one at a time; the first success opens it', async () => {
  const receiver = await startReceiver(answer(503))
  const shop = await service.merchant()
  const { id } = await setCallbackUrl(app, shop.merchantId, receiver.url, { maxPerSecond: 10_000 })
  await tellMany(shop.merchantId, 200)
  const quiet = (failures: number) =>
    until(
      () => queueOf(id),
      (queue) => queue.failures >= failures && queue.calling === 0,
    )
  const paused = await quiet(10)
  const before = receiver.all.length
  assert.ok(before >= 10 && before < 20, `${before} calls`)
  assert.equal(paused.failures, 10, 'those that had left with the tenth do not count')
  await later(app, bothWorkers, paused.pausedUntil ?? assert.fail('not paused'))
  const probed = await quiet(11)
  assert.equal(receiver.all.length, before + 1, 'one at a time')
  receiver.behave(ok)
  await later(app, bothWorkers, probed.pausedUntil ?? assert.fail('not paused'))
  // Those that failed wait for their own next try.
  await untilCount(receiver.all, before + 1 + 200 - before)
})

test('an endpoint that hangs delays neither another of its merchant nor anybody else’s', async () => {
  const held: ServerResponse[] = []
  const hanging = await startReceiver((_, response) => void held.push(response))
  const [sibling, stranger] = [await startReceiver(), await startReceiver()]
  const [shop, other] = [await service.merchant(), await service.merchant()]
  await setCallbackUrl(app, shop.merchantId, hanging.url)
  await addTestEndpoint(app, shop.merchantId, { url: sibling.url })
  await setCallbackUrl(app, other.merchantId, stranger.url)
  await tellMany(shop.merchantId, 40)
  await untilCount(held, 10)
  await untilCount(sibling.all, 40)
  await addEvents(app, shop.merchantId)
  await addEvents(app, other.merchantId)
  await untilCount(sibling.all, 41)
  await untilCount(stranger.all, 1)
  assert.equal(held.length, 10, 'the places of its own, and no more')
  hanging.behave(ok)
  held.forEach((response) => response.end('ok'))
  await untilCount(hanging.all, 41)
})

/** Events that wait for one endpoint, as many as a bad night leaves behind. */
async function backlog(merchantId: string, endpointId: string, count: number): Promise<void> {
  const now = app.clock.now()
  // On a busy machine so many rows take longer than a request may.
  await app.db.withStatementLimit(30_000).query(sql`
    with taken as (update event_positions set last = last + ${count}::int returning last - ${count}::int as base),
    told as (
      insert into events (merchant_id, id, transaction_id, sequence, type, body, created_at, position)
      select ${merchantId}, substr(md5(${endpointId} || n), 1, 24), substr(md5('t' || ${endpointId} || n), 1, 24), 1,
        'endpoint.test', ${SMALLEST}, ${now}, base + n
      from taken, generate_series(1, ${count}::int) n returning *
    ),
    queue as (
      insert into endpoint_queues (merchant_id, endpoint_id, wake_at, tokens_at)
      values (${merchantId}, ${endpointId}, ${now}, ${now})
    )
    insert into deliveries (merchant_id, endpoint_id, event_id, transaction_id, type, position, state, since, next_at, created_at)
    select merchant_id, ${endpointId}, id, transaction_id, type, position, 'waiting', ${now}, ${now}, ${now} from told`)
}

/** No call more, and none under way. */
async function putAway(merchantId: string, endpointId: string): Promise<void> {
  await disableEndpoint(app, UNATTRIBUTED, merchantId, endpointId, 'the test is over')
  await until(
    () => queueOf(endpointId),
    ({ calling }) => calling === 0,
  )
}

/** How many calls of the others arrive before an event does; of several the middle one. */
async function callsBefore(merchantId: string, all: unknown[], others: unknown[]): Promise<number> {
  const counts: number[] = []
  for (let count = 0; count < 7; count++) {
    const [others0, before] = [others.length, all.length]
    await addEvents(app, merchantId, { type: 'withdrawal.failed' })
    await untilCount(all, before + 1)
    counts.push(others.length - others0)
  }
  return counts.toSorted((a, b) => a - b)[3] ?? assert.fail()
}

/** Of 20,000 that wait. Who had to wait for them would hear nothing before all of them. */
const MOST_CALLS_BEFORE = 1000

test('20,000 deliveries wait for a slow endpoint, and others hear of their events before them', async (t) => {
  const [slow, quick] = [await slowReceiver(), await startReceiver()]
  const [shop, other] = [await service.merchant(), await service.merchant()]
  const { id } = await setCallbackUrl(app, shop.merchantId, slow.url, { eventTypes: ['deposit.completed'] })
  await addTestEndpoint(app, shop.merchantId, { url: quick.url, eventTypes: ['withdrawal.failed'] })
  await setCallbackUrl(app, other.merchantId, quick.url)
  await backlog(shop.merchantId, id, 20_000)
  bothWorkers.poke()
  await untilCount(slow.all, 20)
  for (const { merchantId } of [other, shop]) {
    const before = await callsBefore(merchantId, quick.all, slow.all)
    t.diagnostic(`${before} calls of the backlog before an event`)
    assert.ok(before <= MOST_CALLS_BEFORE, `${before} calls`)
  }
  assert.ok(slow.busy.most <= 10)
  await putAway(shop.merchantId, id)
})

test('an endpoint with 20,000 waiting is enabled: others hear of their events meanwhile', async () => {
  const [slow, quick] = [await slowReceiver(), await startReceiver()]
  const [shop, other] = [await service.merchant(), await service.merchant()]
  const { id } = await setCallbackUrl(app, shop.merchantId, slow.url)
  await setCallbackUrl(app, other.merchantId, quick.url)
  await disableEndpoint(app, UNATTRIBUTED, shop.merchantId, id, 'a bad night')
  await backlog(shop.merchantId, id, 20_000)
  const enabled = enableEndpoint(app, UNATTRIBUTED, shop.merchantId, id)
  await addEvents(app, shop.merchantId)
  await addEvents(app, other.merchantId)
  await untilCount(quick.all, 1)
  assert.ok(slow.all.length < 20_000, 'the backlog is still waiting')
  await enabled
  await untilCount(slow.all, 20)
  await putAway(shop.merchantId, id)
})

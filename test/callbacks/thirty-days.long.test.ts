import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { enableEndpoint } from '../../packages/server/src/domain/webhooks/index.ts'
import { findEndpoint } from '../../packages/server/src/domain/merchants/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import {
  calling,
  deliveriesOf,
  later,
  setCallbackUrl,
  startCallbackWorkers,
  addEvents,
  untilStates,
} from '../harness/callbacks.ts'
import { accepted } from '../harness/envelope.ts'
import { answer, ok, startReceiver, verify } from '../harness/receiver.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

// The whole schedule against a real receiver, in business time: the clock jumps to every moment at which something is due.
const service = await startService()
const { app } = service
const workers = startCallbackWorkers(app)

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY_MS = 24 * HOUR * 1000
const PAUSES = [5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR]
/** The clock jumps by whole seconds, and a call is made and recorded a moment after its time. */
const SLACK_MS = 5000

function inJitter(ms: number, pauseSeconds: number): boolean {
  return ms >= pauseSeconds * 800 && ms <= pauseSeconds * 1200 + SLACK_MS
}

async function attemptsOf(eventId: string): Promise<{ at: Date; outcome: string }[]> {
  return app.db.query(sql`select at, outcome from delivery_attempts where event_id = ${eventId} order by number`)
}

test('refused for thirty days: every try at its time, with the same id and bytes; then given up, and its follower goes out', async () => {
  const receiver = await startReceiver()
  const shop = await service.merchant()
  await setCallbackUrl(app, shop.merchantId, receiver.url)
  const stuck = app.ids.next()
  const isHead = ({ transactionId, sequence }: { transactionId: string; sequence: number }) =>
    transactionId === stuck && sequence === 1
  receiver.behave(({ event }, response) => response.writeHead(isHead(event.data) ? 500 : 200).end('said so'))
  await addEvents(app, shop.merchantId, { transactionId: stuck, count: 2 })
  let [head] = await until(
    () => deliveriesOf(app, stuck),
    ([row]) => row?.tries === 1,
  )
  while (head?.state === 'waiting') {
    const { tries, nextAt } = head
    // Others are accepted now and then: the endpoint works, it only does not like this event. Nine in a row, and no pause.
    if (tries % 9 === 0) await untilStates(app, await addEvents(app, shop.merchantId), ['delivered'])
    await later(app, workers, nextAt)
    ;[head] = await until(
      () => deliveriesOf(app, stuck),
      ([row]) => row?.tries === tries + 1,
    )
  }
  const { eventId = '', tries = 0 } = head ?? {}
  assert.equal(head?.state, 'given_up')
  assert.ok(tries >= 83 && tries <= 120, `${tries} tries`)

  const calls = receiver.all.filter(({ event }) => isHead(event.data))
  assert.equal(calls.length, tries)
  assert.deepEqual([...new Set(calls.map(({ id, body }) => `${id} ${body}`))], [`${eventId} ${calls[0]?.body}`])
  calls.forEach((call) => verify(shop.callbackSecret, call))

  const attempts = await attemptsOf(eventId)
  assert.equal(attempts.length, tries)
  const times = attempts.map(({ at }) => at.getTime())
  times.slice(1).forEach((at, index) => {
    const [pause, due] = [at - (times[index] ?? 0), PAUSES[index] ?? 8 * HOUR]
    assert.ok(inJitter(pause, due), `try ${index + 2} came ${pause} ms after the one before, not ${due} s`)
  })
  const whole = (times.at(-1) ?? 0) - (times[0] ?? 0)
  assert.ok(whole <= 30 * DAY_MS + SLACK_MS && whole > 29.5 * DAY_MS, `${whole / DAY_MS} days`)

  workers.poke()
  await untilStates(app, stuck, ['given_up', 'delivered'])
  assert.equal(receiver.all.at(-1)?.event.data.sequence, 2)
  const { events } = accepted(await shop.get('/v1/events?state=given_up'), 200)
  assert.deepEqual(
    events.map((event: { eventId: string }) => event.eventId),
    [eventId],
  )
  assert.deepEqual([events[0].deliveries[0].state, events[0].deliveries[0].tries], ['given_up', tries])
  assert.equal(accepted(await shop.get(`/v1/events/${eventId}`), 200).attempts.length, tries)
})

type QueueRow = { dueAt: Date; warned: boolean; calls: number; calling: number }

async function queueOf(endpointId: string): Promise<QueueRow> {
  const [row] = await app.db.query<QueueRow>(sql`
    select greatest(l.paused_until, min(d.next_at) filter (where d.state = 'waiting')) as "dueAt",
      l.warned_at is not null as warned, sum(d.tries)::int as calls, ${calling} as calling
    from endpoint_queues l join deliveries d using (merchant_id, endpoint_id) where l.endpoint_id = ${endpointId}
    group by l.merchant_id, l.endpoint_id`)
  return row ?? assert.fail('no queue yet')
}

test('an endpoint that only fails: warned after a day, disabled after seven; its events wait, and enabling replays them in order', async () => {
  const receiver = await startReceiver(answer(500))
  const shop = await service.merchant()
  const { id: endpointId } = await setCallbackUrl(app, shop.merchantId, receiver.url)
  const find = () => findEndpoint(app.db, shop.merchantId, endpointId)
  const waiting = [
    await addEvents(app, shop.merchantId, { count: 3 }),
    await addEvents(app, shop.merchantId, { count: 2 }),
  ] as const
  await untilStates(app, waiting[1], ['waiting', 'behind'])
  await until(
    () => queueOf(endpointId),
    ({ calls }) => calls === 2,
  )
  const first = app.clock.now().getTime()
  const seen: { days: number; warned: boolean; state: string }[] = []
  let state = 'enabled'
  while (state === 'enabled') {
    const { dueAt, calls } = await queueOf(endpointId)
    await later(app, workers, dueAt)
    const now = await until(
      () => queueOf(endpointId),
      (queue) => queue.calls > calls && queue.calling === 0,
    )
    state = (await find()).state
    seen.push({ days: (app.clock.now().getTime() - first) / DAY_MS, warned: now.warned, state })
  }
  for (const { days, warned, state } of seen) {
    // Decided when a call fails: a moment of slack around the very edge.
    if (Math.abs(days - 1) > 0.001) assert.equal(warned, days > 1, `${days} days`)
    if (Math.abs(days - 7) > 0.001) assert.equal(state === 'disabled', days > 7, `${days} days`)
  }
  assert.match((await find()).stateReason ?? '', /seven days/)
  const before = receiver.all.length
  assert.ok(before > 40 && before < 120, `${before} calls in seven days`)

  receiver.behave(ok)
  await addEvents(app, shop.merchantId, { transactionId: waiting[1], from: 3 })
  await later(app, workers, new Date(app.clock.now().getTime() + 40 * DAY_MS))
  await untilStates(app, waiting[1], ['waiting', 'behind', 'behind'])
  assert.equal(receiver.all.length, before, 'nothing is sent while it is off')

  await enableEndpoint(app, UNATTRIBUTED, shop.merchantId, endpointId)
  workers.poke()
  for (const transactionId of waiting) await untilStates(app, transactionId, ['delivered', 'delivered', 'delivered'])
  const replayed = receiver.all.slice(before)
  for (const transactionId of waiting) {
    const ofOne = replayed.filter(({ event }) => event.data.transactionId === transactionId)
    assert.deepEqual(
      ofOne.map(({ event }) => event.data.sequence),
      [1, 2, 3],
    )
  }
})

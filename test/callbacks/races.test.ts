import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { App } from '../../packages/server/src/compose.ts'
import type { Claimed } from '../../packages/server/src/domain/webhooks/deliveries/claim-deliveries.ts'
import { recordAndClaim } from '../../packages/server/src/domain/webhooks/deliveries/record-and-claim.ts'
import { promoteNext } from '../../packages/server/src/domain/webhooks/deliveries/store.ts'
import {
  distributeEvents,
  listEvents,
  resendEvent,
  resendFailed,
} from '../../packages/server/src/domain/webhooks/index.ts'
import type { Answer } from '../../packages/server/src/platform/http-client/outbound.ts'
import type { Queryable } from '../../packages/server/src/platform/postgres/db.ts'
import type { Sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { claimOnly, deliveriesOf, setCallbackUrl, recordOnly, addEvents } from '../harness/callbacks.ts'
import { laterBy } from '../harness/crash.ts'
import { untilOneWaits } from '../harness/lock-waits.ts'
import { startService } from '../harness/service.ts'

// Two who do something at the same moment, and clocks that do not agree. No worker runs here, and no call is made.
const service = await startService()
const { app } = service
after(() => app.outbound.close())

const nothing = { body: '', retryAfterSeconds: null, connectMs: 0, waitMs: 0, readMs: 0 }
const yes: Answer = { outcome: 'accepted', status: 200, problem: null, ...nothing }
const no: Answer = { outcome: '5xx', status: 500, problem: 'no', ...nothing }

async function shopWith(settings = {}) {
  const { merchantId } = await service.merchant()
  return { merchantId, endpoint: await setCallbackUrl(app, merchantId, 'http://127.0.0.1:9/callbacks', settings) }
}

const claim = async (on: App, merchantId: string) =>
  (await claimOnly(on)).filter((claimed) => claimed.merchantId === merchantId)
const answered = (claims: Claimed[], answer: Answer) => claims.map((claim) => ({ claim, answer, at: app.clock.now() }))
const statesOf = async (transactionId: string) => (await deliveriesOf(app, transactionId)).map(({ state }) => state)
const positionsOf = (claims: Claimed[]) => claims.map(({ position }) => position)

test('what failed is sent again in the moment it arrives: what stood behind it goes on', async () => {
  const { merchantId, endpoint } = await shopWith()
  const transactionId = await addEvents(app, merchantId, { count: 2 })
  await distributeEvents(app)
  const claims = await claim(app, merchantId)
  await recordOnly(app, answered(claims, no))
  let resent: Promise<number> | undefined
  await app.db.transaction(async (tx) => {
    await tx.query(sql`select 1 from endpoint_queues where endpoint_id = ${endpoint.id} for update`)
    resent = resendFailed(app, UNATTRIBUTED, merchantId, new Date(0))
    // It has read what waits, and comes to the queue when that is no longer true.
    await untilOneWaits(app.db)
    await tx.query(sql`delete from deliveries where event_id = ${claims[0]?.eventId}`)
    await promoteNext(tx, claims, app.clock.now())
  })
  assert.equal(await resent, 0)
  const [second] = await app.db.query<{ state: string }>(sql`
    select state from deliveries where transaction_id = ${transactionId}`)
  assert.equal(second?.state, 'waiting')
})

test('an earlier event is sent again during a call about a later one: when that call fails, it stands back', async () => {
  const { merchantId } = await shopWith()
  const transactionId = await addEvents(app, merchantId, { count: 3 })
  await distributeEvents(app)
  const [first] = await claim(app, merchantId)
  await app.db.query(sql`
    update deliveries set state = 'given_up' where event_id = ${first?.eventId ?? ''}`)
  await app.db.query(sql`
    update deliveries set state = 'waiting' where transaction_id = ${transactionId} and position = ${first?.position}::bigint + 1`)
  await app.db.query(sql`delete from delivery_claims where merchant_id = ${merchantId}`)
  await app.db.query(sql`update endpoint_queues set wake_at = '-infinity' where merchant_id = ${merchantId}`)
  const second = await claim(app, merchantId)
  assert.equal(second.length, 1)
  await resendEvent(app, UNATTRIBUTED, merchantId, first?.eventId ?? '')
  await recordOnly(app, answered(second, no))
  assert.deepEqual(await statesOf(transactionId), ['waiting', 'behind', 'behind'])
  for (const state of ['first', 'second', 'third']) {
    const claims = await claim(laterBy(app, 30), merchantId)
    assert.equal(claims.length, 1, state)
    await recordOnly(app, answered(claims, yes))
  }
  assert.deepEqual(await statesOf(transactionId), ['delivered', 'delivered', 'delivered'])
})

/** What is asked at one moment is answered in the opposite order, and something happens before the first answer is heard. */
function answersBackwards(happens: () => Promise<unknown>): Queryable {
  const asked: (() => Promise<void>)[] = []
  let quiet = true
  async function ask<Row>(statement: Sql): Promise<Row[]> {
    const rows = await app.db.query<Row>(statement)
    if (quiet) {
      quiet = false
      await happens()
    }
    return rows
  }
  async function answerAll(): Promise<void> {
    for (const one of asked.splice(0).toReversed()) await one()
  }
  return {
    query: <Row>(statement: Sql) =>
      new Promise<Row[]>((resolve, reject) => {
        asked.push(() => ask<Row>(statement).then(resolve, reject))
        if (asked.length === 1) setImmediate(() => void answerAll())
      }),
  }
}

test('an event that arrives while somebody looks at it is on its way or delivered, never neither', async () => {
  const { merchantId } = await shopWith()
  const transactionId = await addEvents(app, merchantId)
  await distributeEvents(app)
  const claims = await claim(app, merchantId)
  const arrives = () => recordOnly(app, answered(claims, yes))
  const [event] = await listEvents(skipFirst(answersBackwards(arrives)), merchantId, { limit: 1 })
  assert.deepEqual(
    event?.deliveries.map(({ state }) => state),
    ['waiting'],
  )
  assert.deepEqual(await statesOf(transactionId), ['delivered'])
})

/** The event itself is read before anything happens. */
function skipFirst(db: Queryable): Queryable {
  let first = true
  return {
    query: (statement) => {
      const on = first ? app.db : db
      first = false
      return on.query(statement)
    },
  }
}

/** The same service on a machine whose clock is wrong by so much. */
const withClockOff = (seconds: number): App => {
  const now = () => new Date(app.realClock.now().getTime() + seconds * 1000)
  return { ...laterBy(app, seconds), realClock: { now } }
}

test('so many a second, and a second’s worth at once: never more, and never less', async () => {
  const { merchantId, endpoint } = await shopWith({ maxPerSecond: 20, maxConcurrent: 200 })
  await addEvents(app, merchantId)
  await distributeEvents(app)
  const [queue] = await app.db.query<{ at: Date }>(sql`
    select tokens_at as at from endpoint_queues where endpoint_id = ${endpoint.id}`)
  for (let count = 1; count < 100; count++) await addEvents(app, merchantId)
  await distributeEvents(app)
  // A clock that stands still between the claims: they are not counted by how long they take.
  const claimsAfter = async (ms: number) => {
    await app.db.query(sql`update endpoint_queues set wake_at = '-infinity' where merchant_id = ${merchantId}`)
    const now = () => new Date((queue?.at.getTime() ?? assert.fail()) + ms)
    return (await claim({ ...app, realClock: { now } }, merchantId)).length
  }
  const counts: [afterMs: number, calls: number][] = []
  for (const ms of [1000, 1000, 1049, 1050, 1550, 1600, 3600, 4100]) counts.push([ms, await claimsAfter(ms)])
  assert.deepEqual(counts, [
    [1000, 20],
    [1000, 0],
    [1049, 0],
    [1050, 1],
    [1550, 10],
    [1600, 1],
    [3600, 20],
    [4100, 10],
  ])
})

test('two processes whose clocks differ by seconds make no more calls a second than one', async () => {
  const { merchantId } = await shopWith({ maxPerSecond: 2, maxConcurrent: 100 })
  for (let count = 0; count < 30; count++) await addEvents(app, merchantId)
  await distributeEvents(app)
  const processes = [app, withClockOff(3)]
  const startedAt = performance.now()
  let calls = 0
  for (let look = 0; look < 10; look++) {
    for (const one of processes) {
      await app.db.query(sql`update endpoint_queues set wake_at = '-infinity' where merchant_id = ${merchantId}`)
      calls += (await claim(one, merchantId)).length
    }
  }
  // A second's worth that had gathered, one that the fast clock believes in, and what has passed meanwhile.
  const most = 2 + 2 + Math.ceil(((performance.now() - startedAt) / 1000) * 2)
  assert.ok(calls <= most, `${calls} calls, at most ${most}`)
})

test('a clock that is set back: what is let go then is not passed over', async () => {
  const { merchantId } = await shopWith({ maxConcurrent: 2, maxPerSecond: 10_000 })
  const transactionId = await addEvents(app, merchantId, { count: 2 })
  for (let count = 0; count < 20; count++) await addEvents(app, merchantId)
  await distributeEvents(app)
  const { claimed } = await recordAndClaim(app, [], { claim: true })
  const before = laterBy(app, -5)
  const { claimed: next } = await recordAndClaim(before, answered(claimed.slice(0, 1), yes), { claim: true })
  const [row] = await app.db.query<{ position: string }>(sql`
    select position::text from deliveries where transaction_id = ${transactionId}`)
  assert.deepEqual(positionsOf(next), [row?.position])
})

test('a clock that is set back by a day: what died in that day holds nobody up for more than a lease', async () => {
  const { merchantId } = await shopWith({ maxConcurrent: 1 })
  await addEvents(app, merchantId)
  const tomorrow = laterBy(app, 24 * 3600)
  await distributeEvents(tomorrow)
  assert.equal((await claim(tomorrow, merchantId)).length, 1)
  await app.db.query(sql`
    update endpoint_queues set paused_until = ${tomorrow.clock.now()} where merchant_id = ${merchantId}`)
  await addEvents(app, merchantId)
  await distributeEvents(app)
  assert.deepEqual(await claim(app, merchantId), [], 'as long as a call may take')
  assert.equal((await claim(laterBy(app, 61), merchantId)).length, 1)
})

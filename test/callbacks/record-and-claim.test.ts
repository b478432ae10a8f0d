import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Claimed } from '../../packages/server/src/domain/webhooks/deliveries/claim-deliveries.ts'
import { recordAndClaim } from '../../packages/server/src/domain/webhooks/deliveries/record-and-claim.ts'
import { distributeEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { setCallbackUrl, addEvents } from '../harness/callbacks.ts'
import { startService } from '../harness/service.ts'

// Results are recorded and the next calls claimed in one transaction.
const service = await startService()
const { app } = service
after(() => app.outbound.close())

const answer = {
  ...{ outcome: 'accepted' as const, status: 200, problem: null, body: '', retryAfterSeconds: null },
  ...{ connectMs: 0, waitMs: 0, readMs: 0 },
}

/** A shop with so many events waiting, and one worker that makes no calls. */
async function queueOf(count: number, maxConcurrent: number) {
  const { merchantId } = await service.merchant()
  await setCallbackUrl(app, merchantId, 'http://127.0.0.1:9/callbacks', { maxConcurrent, maxPerSecond: 10_000 })
  for (let told = 0; told < count; told++) await addEvents(app, merchantId)
  await distributeEvents(app)
  const positions = await app.db.query<{ position: string }>(sql`
    select d.position::text from deliveries d where d.merchant_id = ${merchantId} order by d.position`)
  return {
    merchantId,
    positions: positions.map(({ position }) => position),
    look: () => recordAndClaim(app, [], { claim: true }),
    arrive: (claims: Claimed[]) =>
      recordAndClaim(
        app,
        claims.map((claim) => ({ claim, answer, at: app.clock.now() })),
        { claim: true },
      ),
  }
}

const positionsOf = (claims: Claimed[]) => claims.map(({ position }) => position)

/** As if it had been added by a process with a slower clock: due the longest, and committed last. */
async function makeOldest(merchantId: string, position: string): Promise<void> {
  await app.db.query(sql`
    update deliveries set next_at = next_at - interval '1 minute'
    where merchant_id = ${merchantId} and position = ${position}::bigint`)
}

test('results free places, which are claimed in the transaction that records them', async () => {
  const { positions, look, arrive } = await queueOf(8, 4)
  const { claimed } = await look()
  assert.deepEqual(positionsOf(claimed), positions.slice(0, 4))
  assert.deepEqual((await look()).claimed, [], 'no place is free')
  assert.deepEqual(positionsOf((await arrive(claimed.slice(1, 3))).claimed), positions.slice(4, 6))
})

test('from batch to batch: each delivery is claimed once, in order, until none is left', async () => {
  const { positions, look, arrive } = await queueOf(12, 5)
  let { claimed } = await look()
  const all = positionsOf(claimed)
  while (claimed.length > 0) {
    const [one, ...others] = claimed
    assert.ok(one)
    const next = await arrive(claimed.length > 3 ? [one] : [one, ...others])
    assert.ok(next.recorded.every((word) => word === 'recorded'))
    claimed = [...(claimed.length > 3 ? others : []), ...next.claimed]
    all.push(...positionsOf(next.claimed))
  }
  assert.deepEqual(all, positions)
  assert.deepEqual(await app.db.query(sql`select 1 from deliveries where position = any(${positions}::bigint[])`), [])
})

test('what has been due longest is claimed first, also when it was added last', async () => {
  const { merchantId, positions, look, arrive } = await queueOf(12, 4)
  const { claimed } = await look()
  await makeOldest(merchantId, positions[9] ?? '')
  assert.deepEqual(positionsOf((await arrive(claimed.slice(0, 2))).claimed), [positions[9], positions[4]])
})

test('claims that ran out are made again, before what has been due for less time', async () => {
  const { merchantId, positions, look, arrive } = await queueOf(6, 4)
  const { claimed } = await look()
  await app.db.query(sql`update delivery_claims set until = '2000-01-01' where merchant_id = ${merchantId}`)
  const { recorded, claimed: again } = await arrive(claimed.slice(0, 1))
  assert.deepEqual(recorded, ['recorded'], 'no one had taken over')
  assert.deepEqual(positionsOf(again), positions.slice(1, 5))
})

test('a result counts under its own claim, once, and leaves the other claims', async () => {
  const { merchantId, look, arrive } = await queueOf(3, 3)
  const { claimed } = await look()
  const [first, ...others] = claimed as [Claimed, ...Claimed[]]
  const stale = others.map((claim) => ({ ...claim, number: claim.number + 1 }))
  assert.deepEqual((await arrive([first, first, ...stale])).recorded.toSorted(), ['late', 'late', 'late', 'recorded'])
  const left = await app.db.query<{ eventId: string }>(sql`
    select event_id as "eventId" from delivery_claims where merchant_id = ${merchantId} order by event_id`)
  assert.deepEqual(
    left.map(({ eventId }) => eventId),
    others.map(({ eventId }) => eventId).toSorted(),
  )
  assert.deepEqual((await arrive(others)).recorded, ['recorded', 'recorded'])
})

test('beside the version before, which does not see claims: what it delivered or put off meanwhile still arrives, in order', async () => {
  for (const itsWrite of [
    sql`delete from deliveries`,
    sql`update deliveries set tries = 1, next_at = next_at + interval '1 hour'`,
  ]) {
    const { merchantId, look, arrive } = await queueOf(0, 4)
    const transactionId = await addEvents(app, merchantId, { count: 2 })
    await distributeEvents(app)
    const { claimed: first } = await look()
    await app.db.query(sql`${itsWrite} where merchant_id = ${merchantId} and state = 'waiting'`)
    const { recorded, claimed: second } = await arrive(first)
    assert.deepEqual([recorded, second.length], [['recorded'], 1])
    assert.deepEqual((await arrive(second)).recorded, ['recorded'])
    assert.deepEqual(
      [...first, ...second].map(({ transactionId: id }) => id),
      [transactionId, transactionId],
    )
    assert.deepEqual(await app.db.query(sql`select 1 from deliveries where merchant_id = ${merchantId}`), [])
  }
})

test('a worker that stops claims nothing and leaves the queue to others', async () => {
  const { positions, look } = await queueOf(6, 2)
  const { claimed } = await look()
  const list = claimed.map((claim) => ({ claim, answer, at: app.clock.now() }))
  const { recorded, claimed: none } = await recordAndClaim(app, list, { claim: false })
  assert.deepEqual([recorded, none], [['recorded', 'recorded'], []])
  assert.deepEqual(positionsOf((await look()).claimed), positions.slice(2, 4))
})

test('the highest number of a claim is followed by 1', async () => {
  const { merchantId, positions, look, arrive } = await queueOf(3, 1)
  await app.db.query(sql`update endpoint_queues set last_claim = 2147483646 where merchant_id = ${merchantId}`)
  const { claimed: last } = await look()
  const { claimed: first } = await arrive(last)
  assert.deepEqual(
    [...last, ...first].map(({ number, position }) => [number, position]),
    [
      [2_147_483_647, positions[0]],
      [1, positions[1]],
    ],
  )
  assert.deepEqual((await arrive(first)).recorded, ['recorded'])
})

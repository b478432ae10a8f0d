import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Claimed, Memory } from '../../packages/server/src/domain/webhooks/deliveries/claim-deliveries.ts'
import { takeTurn } from '../../packages/server/src/domain/webhooks/deliveries/take-turn.ts'
import { distributeEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { setCallbackUrl, addEvents } from '../harness/callbacks.ts'
import { startService } from '../harness/service.ts'

// A turn records and claims in one transaction, and remembers how far down the line it has been.
const service = await startService()
const { app } = service
after(() => app.outbound.close())

const answer = {
  ...{ outcome: 'accepted' as const, status: 200, problem: null, body: '', retryAfterSeconds: null },
  ...{ connectMs: 0, waitMs: 0, readMs: 0 },
}

/** A shop with so many events in line, and one worker that makes no calls. */
async function lineOf(count: number, maxConcurrent: number) {
  const { merchantId } = await service.merchant()
  await setCallbackUrl(app, merchantId, 'http://127.0.0.1:9/callbacks', { maxConcurrent, maxPerSecond: 10_000 })
  for (let told = 0; told < count; told++) await addEvents(app, merchantId)
  await distributeEvents(app)
  const memory: Memory = new Map()
  const positions = await app.db.query<{ position: string }>(sql`
    select d.position::text from deliveries d where d.merchant_id = ${merchantId} order by d.position`)
  return {
    merchantId,
    positions: positions.map(({ position }) => position),
    look: () => takeTurn(app, [], memory),
    arrive: (claims: Claimed[]) =>
      takeTurn(
        app,
        claims.map((claim) => ({ claim, answer, at: app.clock.now() })),
        memory,
      ),
  }
}

const positionsOf = (claims: Claimed[]) => claims.map(({ position }) => position)

/** As if it had been put in line by somebody with a slower clock: the longest due, and committed last. */
async function makeOldest(merchantId: string, position: string): Promise<void> {
  await app.db.query(sql`
    update deliveries set next_at = next_at - interval '1 minute'
    where merchant_id = ${merchantId} and position = ${position}::bigint`)
}

test('answers free places, and the line goes on in the turn that records them', async () => {
  const { positions, look, arrive } = await lineOf(8, 4)
  const { claimed } = await look()
  assert.deepEqual(positionsOf(claimed), positions.slice(0, 4))
  assert.deepEqual((await look()).claimed, [], 'no place is free')
  assert.deepEqual(positionsOf((await arrive(claimed.slice(1, 3))).claimed), positions.slice(4, 6))
})

test('from turn to turn: each delivery is claimed once, in order, until the line is empty', async () => {
  const { positions, look, arrive } = await lineOf(12, 5)
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

test('what somebody else puts in line before that place is found, because the lane was woken', async () => {
  const { merchantId, positions, look, arrive } = await lineOf(12, 4)
  const { claimed } = await look()
  await makeOldest(merchantId, positions[9] ?? '')
  await app.db.query(sql`update callback_lanes set wake_at = ${app.clock.now()} where merchant_id = ${merchantId}`)
  assert.deepEqual(positionsOf((await arrive(claimed.slice(0, 2))).claimed), [positions[9], positions[4]])
})

test('what memory missed is found as soon as the rest of the line is taken, and by everyone who comes without answers', async () => {
  const { merchantId, positions, look, arrive } = await lineOf(6, 4)
  const { claimed } = await look()
  await makeOldest(merchantId, positions[5] ?? '')
  const second = await arrive(claimed.slice(0, 3))
  assert.deepEqual(positionsOf(second.claimed), [positions[4]], 'the line is read from where it was')
  assert.ok(second.more, 'and is not believed to end there')
  const third = await look()
  assert.deepEqual(positionsOf(third.claimed), [positions[5]])
})

test('claims that ran out are taken again, wherever the line had got to', async () => {
  const { merchantId, positions, look, arrive } = await lineOf(6, 4)
  const { claimed } = await look()
  await app.db.query(sql`
    update callback_lanes l set claimed = (
      select json_agg(json_build_object('fence', c -> 'fence', 'until', 0, 'positions', c -> 'positions'))
      from json_array_elements(l.claimed) c
    ) where merchant_id = ${merchantId}`)
  const { recorded, claimed: again } = await arrive(claimed.slice(0, 1))
  assert.deepEqual(recorded, ['recorded'], 'nobody had taken over')
  assert.deepEqual(positionsOf(again), positions.slice(1, 5))
})

test('without a memory nothing is claimed: a worker that stops leaves the line to others', async () => {
  const { positions, look } = await lineOf(6, 2)
  const { claimed } = await look()
  const list = claimed.map((claim) => ({ claim, answer, at: app.clock.now() }))
  const { recorded, claimed: none } = await takeTurn(app, list, null)
  assert.deepEqual([recorded, none], [['recorded', 'recorded'], []])
  assert.deepEqual(positionsOf((await takeTurn(app, [], new Map())).claimed), positions.slice(2, 4))
})

test('the number of the last claim that fits is followed by the first', async () => {
  const { merchantId, positions, look, arrive } = await lineOf(3, 1)
  await app.db.query(sql`update callback_lanes set fence = 2147483646 where merchant_id = ${merchantId}`)
  const { claimed: last } = await look()
  const { claimed: first } = await arrive(last)
  assert.deepEqual(
    [...last, ...first].map(({ fence, position }) => [fence, position]),
    [
      [2_147_483_647, positions[0]],
      [1, positions[1]],
    ],
  )
  assert.deepEqual((await arrive(first)).recorded, ['recorded'])
})

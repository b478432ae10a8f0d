import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { merchantActor } from '../../kernel/actor.ts'
import { startService } from '../../../../../test/harness/service.ts'
import { Refusal } from '../../platform/refusal.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { changeStatus } from './change-deposits.ts'
import type { Deposit, DepositStatus } from './deposit.ts'
import { DEPOSIT_STATUSES, EXPIRES_AFTER_MS, NEXT } from './deposit.ts'
import { cancelDeposit, createDeposits, expireDeposits, findDeposit } from './index.ts'
import { lockDeposits } from './store.ts'

const service = await startService()
const { app } = service
const { merchantId } = await service.merchant()

/** The same service, half an hour later. */
const later = { ...app, clock: { now: () => new Date(app.clock.now().getTime() + EXPIRES_AFTER_MS) } }

async function newDeposit(): Promise<Deposit> {
  const customer = { id: 'c-1', name: 'Ayşe Yılmaz', username: 'ayse' }
  const request = {
    actor: merchantActor(merchantId),
    processId: randomUUID(),
    amount: 125_000n,
    currency: 'TRY',
    bankId: 'FAST',
    customer,
  }
  const [created] = await createDeposits(app, [request])
  assert.ok(created && !(created instanceof Refusal))
  return created
}

const change = (id: string, to: DepositStatus) =>
  app.db.transaction(async (tx) => changeStatus(app, tx, await lockDeposits(tx, [merchantId], [id]), to))

type Told = { sequence: number; to: string }
const history = (id: string) =>
  app.db.query<Told & { from: string }>(sql`
    select sequence, from_status as "from", to_status as "to" from status_history where transaction_id = ${id} order by sequence`)
const events = (id: string) =>
  app.db.query<Told & { body: string }>(sql`
    select sequence, substr(type, 9) as "to", body from events where transaction_id = ${id} order by sequence`)

/** A legal path from pending to each status. */
const PATHS: Record<DepositStatus, DepositStatus[]> = {
  pending: [],
  processing: ['processing'],
  completed: ['completed'],
  failed: ['processing', 'failed'],
  expired: ['expired'],
  cancelled: ['cancelled'],
}

/** History and events must agree: numbered from 1 without gaps, each step legal, the last one equal to the row. */
async function checkStory(id: string): Promise<string[]> {
  const deposit = await findDeposit(app.db, merchantId, id)
  const steps = await history(id)
  const told = await events(id)
  assert.deepEqual(
    steps.map(({ sequence }) => sequence),
    Array.from({ length: deposit?.sequence ?? -1 }, (_, index) => index + 1),
  )
  assert.deepEqual(
    told.map(({ sequence, to }) => ({ sequence, to })),
    steps.map(({ sequence, to }) => ({ sequence, to })),
  )
  let status: DepositStatus = 'pending'
  for (const { from, to } of steps) {
    assert.equal(from, status)
    assert.ok(NEXT[status].includes(to as DepositStatus), `${status} → ${to}`)
    status = to as DepositStatus
  }
  assert.equal(deposit?.status, status)
  for (const { body, sequence, to } of told) {
    const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> }
    assert.deepEqual(
      [type, data['transactionId'], data['status'], data['sequence']],
      [`deposit.${to}`, id, to, sequence],
    )
  }
  return steps.map(({ to }) => to)
}

for (const from of DEPOSIT_STATUSES) {
  test(`from ${from}: ${NEXT[from].join(', ') || 'nothing'} is next, everything else is an error that changes nothing`, async () => {
    for (const to of DEPOSIT_STATUSES) {
      const { id } = await newDeposit()
      for (const step of PATHS[from]) await change(id, step)
      const legal = NEXT[from].includes(to)
      if (legal) await change(id, to)
      else await assert.rejects(change(id, to), new RegExp(`cannot go from ${from} to ${to}`))
      assert.deepEqual(await checkStory(id), legal ? [...PATHS[from], to] : PATHS[from])
    }
  })
}

test('one illegal change in a list undoes the whole list', async () => {
  const [open, done] = [await newDeposit(), await newDeposit()]
  await change(done.id, 'cancelled')
  await assert.rejects(
    app.db.transaction(async (tx) => {
      const both = await lockDeposits(tx, [merchantId, merchantId], [open.id, done.id])
      assert.equal(both.length, 2)
      await changeStatus(app, tx, both, 'completed')
    }),
    /cannot go from cancelled/,
  )
  assert.deepEqual(await checkStory(open.id), [])
})

test('a change of a row that was not locked, and has changed since, is an error that changes nothing', async () => {
  const stale = await newDeposit()
  await change(stale.id, 'cancelled')
  await assert.rejects(app.db.transaction((tx) => changeStatus(app, tx, [stale], 'completed')))
  assert.deepEqual(await checkStory(stale.id), ['cancelled'])
})

test('only a pending deposit can be cancelled, only by its merchant', async () => {
  const { id } = await newDeposit()
  assert.equal(await cancelDeposit(app, merchantActor('0'.repeat(24)), id), null)
  assert.equal(await cancelDeposit(app, merchantActor(merchantId), '0'.repeat(24)), null)
  assert.equal((await cancelDeposit(app, merchantActor(merchantId), id))?.status, 'cancelled')
  await assert.rejects(cancelDeposit(app, merchantActor(merchantId), id), { code: 'INVALID_STATE' })
  assert.deepEqual(await checkStory(id), ['cancelled'])
})

test('a deposit expires with its last millisecond, not one before', async () => {
  const { id, expiresAt } = await newDeposit()
  const at = (ms: number) => ({ ...app, clock: { now: () => new Date(ms) } })
  await expireDeposits(at(expiresAt.getTime() - 1))
  assert.deepEqual(await checkStory(id), [])
  assert.ok((await expireDeposits(at(expiresAt.getTime()))) >= 1)
  assert.deepEqual(await checkStory(id), ['expired'])
})

test('two expiring and one cancelling at once, 200 times: exactly one final state, told exactly once', async () => {
  await expireDeposits(later)
  const ends = new Map<string, number>()
  for (let round = 0; round < 200; round++) {
    const { id } = await newDeposit()
    const expire = () => expireDeposits(later)
    const cancel = () =>
      cancelDeposit(app, merchantActor(merchantId), id).then(
        () => 1,
        (error: unknown) => {
          assert.ok(error instanceof Refusal && error.code === 'INVALID_STATE', String(error))
          return 0
        },
      )
    const order = round % 2 === 0 ? [expire, cancel, expire] : [cancel, expire, expire]
    const changed = await Promise.all(order.map((act) => act()))
    assert.equal(
      changed.reduce((sum, one) => sum + one, 0),
      1,
    )
    const story = await checkStory(id)
    assert.equal(story.length, 1)
    ends.set(story[0] as string, (ends.get(story[0] as string) ?? 0) + 1)
  }
  assert.deepEqual(
    [...ends.keys()].toSorted(),
    ['cancelled', 'expired'],
    'both sides win now and then, or it was no race',
  )
})

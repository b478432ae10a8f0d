import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expireDeposits } from '../../packages/server/src/domain/deposits/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { accepted } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { payDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'

// What the merchant will be told, as it stands in the outbox. Delivery has tests of its own.
const service = await startService()
const shop = await service.merchant({ funds: 1_000_000n })

async function events(transactionId: string) {
  const rows = await service.app.db.query<{ type: string; sequence: number; body: string }>(sql`
    select type, sequence, body from events where transaction_id = ${transactionId} order by sequence`)
  return rows.map(({ type, sequence, body }) => ({ type, sequence, body: JSON.parse(body) }))
}

async function cancelled(path: string, body: object) {
  const { transactionId } = accepted(await shop.post(path, body), 201)
  assert.deepEqual(await events(transactionId), [], 'creation is no status change')
  return accepted(await shop.post(`/v1/transactions/${transactionId}/cancel`, undefined), 200)
}

test('6.1 a cancelled deposit is told once, as GET shows it', async () => {
  const data = await cancelled('/v1/deposit', depositBody())
  const [event, ...more] = await events(data.transactionId)
  assert.deepEqual(more, [])
  assert.deepEqual([event?.type, event?.sequence, event?.body.type], ['deposit.cancelled', 1, 'deposit.cancelled'])
  assert.deepEqual(event?.body.data, accepted(await shop.get(`/v1/transactions/${data.transactionId}`), 200))
})

test('6.2 a failed withdrawal is told once, as GET shows it, with its failureReason and metadata', async () => {
  const metadata = { payroll: '2026-11' }
  const data = await cancelled('/v1/withdraw', withdrawBody({ metadata }))
  const [event, ...more] = await events(data.transactionId)
  assert.deepEqual(more, [])
  assert.deepEqual([event?.type, event?.sequence], ['withdrawal.failed', 1])
  assert.equal(typeof event?.body.data.failureReason, 'string')
  assert.deepEqual(event?.body.data.metadata, metadata)
  assert.deepEqual(event?.body.data, accepted(await shop.get(`/v1/transactions/${data.transactionId}`), 200))
})

test('6.3 a paid deposit is told once, with its final status', async () => {
  const [paid] = accepted(await shop.get('/v1/transactions?status=completed'), 200).transactions
  const told = await events(paid.transactionId)
  assert.deepEqual(
    told.map(({ type, body }) => [type, body.data.status]),
    [['deposit.completed', 'completed']],
  )
})

test('6.4 an expired deposit is told once', async () => {
  const { transactionId } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  await travelTo(service.app, 31 * 60)
  await expireDeposits(service.app)
  await expireDeposits(service.app)
  assert.deepEqual(
    (await events(transactionId)).map(({ type }) => type),
    ['deposit.expired'],
  )
  await travelTo(service.app, 0)
})

test('6.5 a cancel that is refused tells nothing', async () => {
  const { transactionId } = await cancelled('/v1/deposit', depositBody())
  await shop.post(`/v1/transactions/${transactionId}/cancel`, undefined)
  assert.equal((await events(transactionId)).length, 1)
})

test('6.6 a change that keeps the status is deposit.updated, as GET shows it; completed is told once', async () => {
  const [deposit] = await someDeposits(service.app, shop.merchantId, 1)
  assert.ok(deposit)
  await payDeposit(service.app, deposit)
  await payDeposit(service.app, deposit)
  const told = await events(deposit.id)
  assert.deepEqual(
    told.map(({ type, sequence }) => [type, sequence]),
    [
      ['deposit.completed', 1],
      ['deposit.updated', 2],
    ],
  )
  const shown = accepted(await shop.get(`/v1/transactions/${deposit.id}`), 200)
  assert.deepEqual([told[1]?.body.data, shown.flags], [shown, ['duplicate']])
})

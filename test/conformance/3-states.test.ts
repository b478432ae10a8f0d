import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expireDeposits } from '../../packages/server/src/domain/deposits/index.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'

const service = await startService()
const shop = await service.merchant({ funds: 1_000_000n })

async function create(path: '/v1/deposit' | '/v1/withdraw'): Promise<string> {
  const body = path === '/v1/deposit' ? depositBody() : withdrawBody()
  return accepted(await shop.post(path, body), 201).transactionId
}

const read = async (id: string) => accepted(await shop.get(`/v1/transactions/${id}`), 200)
const cancel = (id: string) => shop.post(`/v1/transactions/${id}/cancel`, undefined)

test('3.1 a withdrawal begins as pending', async () => {
  assert.equal((await read(await create('/v1/withdraw'))).status, 'pending')
})

test('3.2 a pending withdrawal can fail, by cancelling; failed is terminal', async () => {
  const id = await create('/v1/withdraw')
  assert.equal(accepted(await cancel(id), 200).status, 'failed')
  refused(await cancel(id), 409, 'INVALID_STATE')
  assert.equal((await read(id)).status, 'failed')
})

test('3.3 a deposit begins as pending', async () => {
  assert.equal((await read(await create('/v1/deposit'))).status, 'pending')
})

test('3.4 a pending deposit can be cancelled; cancelled is terminal', async () => {
  const id = await create('/v1/deposit')
  assert.equal(accepted(await cancel(id), 200).status, 'cancelled')
  refused(await cancel(id), 409, 'INVALID_STATE')
  assert.equal((await read(id)).status, 'cancelled')
})

test('3.5 a paid deposit is completed; completed is terminal', async () => {
  const [paid] = accepted(await shop.get('/v1/transactions?type=deposit&status=completed'), 200).transactions
  assert.equal(paid.receivedAmount, paid.amount)
  refused(await cancel(paid.transactionId), 409, 'INVALID_STATE')
  assert.equal((await read(paid.transactionId)).status, 'completed')
})

test('3.6 a deposit is pending until its 30 minutes are over, and then expired', async () => {
  const id = await create('/v1/deposit')
  // Ten seconds before, so that a slow machine does not reach the end by itself.
  await travelTo(service.app, 30 * 60 - 10)
  await expireDeposits(service.app)
  assert.equal((await read(id)).status, 'pending')
  await travelTo(service.app, 30 * 60)
  await expireDeposits(service.app)
  assert.equal((await read(id)).status, 'expired')
  refused(await cancel(id), 409, 'INVALID_STATE')
  await travelTo(service.app, 0)
})

test('3.7 a withdrawal does not expire', async () => {
  const id = await create('/v1/withdraw')
  await travelTo(service.app, 40 * 86_400)
  await expireDeposits(service.app)
  assert.equal((await read(id)).status, 'pending')
  await travelTo(service.app, 0)
})

test('3.8 an expired deposit no longer shows a checkout address; a pending one does', async () => {
  const id = await create('/v1/deposit')
  assert.equal(typeof (await read(id)).checkoutUrl, 'string')
  await travelTo(service.app, 31 * 60)
  await expireDeposits(service.app)
  assert.equal((await read(id)).checkoutUrl, undefined)
  await travelTo(service.app, 0)
})

test('3.9 each status change counts the sequence up by one', async () => {
  for (const path of ['/v1/deposit', '/v1/withdraw'] as const) {
    const id = await create(path)
    assert.equal((await read(id)).sequence, 0)
    await cancel(id)
    assert.equal((await read(id)).sequence, 1)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listCalls, listKeys, pruneCalls, rejectedAddresses } from '../../packages/server/src/domain/merchants/index.ts'
import { client } from '../harness/client.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { later } from '../harness/logins.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app, baseUrl } = service
const all = { failed: false, before: undefined, limit: 1000 }

test('a call is in its merchant’s log without what was sent; the diagnosis of a signature too', async () => {
  const shop = await service.merchant()
  const other = await service.merchant()
  await shop.post('/v1/deposit', depositBody())
  await shop.post('/v1/withdraw', withdrawBody({ iban: 'TR00', accountName: 'Gizli İsim' }))
  await shop.get('/v1/transactions?processId=gizli')
  await client(baseUrl, { ...shop, apiSecret: `${shop.apiSecret}\n` }).get('/v1/balance')
  assert.deepEqual(await listCalls(app.db, shop.merchantId, all), [], 'nothing is written by the request')
  await app.callLog.flush()
  const calls = await listCalls(app.db, shop.merchantId, all)
  assert.deepEqual(
    calls.map(({ method, path, status, code }) => [method, path, status, code]),
    [
      ['GET', '/v1/balance', 401, 'INVALID_SIGNATURE'],
      ['GET', '/v1/transactions?processId=…', 200, null],
      ['POST', '/v1/withdraw', 400, 'INVALID_IBAN'],
      ['POST', '/v1/deposit', 201, null],
    ],
  )
  assert.match(calls[0]?.problem ?? '', /line break at the end of the secret/)
  assert.equal(calls[2]?.problem, 'iban')
  assert.doesNotMatch(JSON.stringify(calls), /izli|TR00/)
  assert.deepEqual(await listCalls(app.db, other.merchantId, all), [])
  const failed = await listCalls(app.db, shop.merchantId, { ...all, failed: true })
  assert.deepEqual(
    failed.map(({ code }) => code),
    ['INVALID_SIGNATURE', 'INVALID_IBAN'],
  )
})

test('in live the caller hears nothing of the mistake, and its merchant does', async () => {
  const live = await startService({ mode: 'live' })
  const shop = await live.merchant()
  const wrong = await client(live.baseUrl, { ...shop, apiSecret: `${shop.apiSecret}\n` }).get('/v1/balance')
  assert.doesNotMatch(JSON.stringify(wrong.body), /line break/)
  await live.app.callLog.flush()
  const [call] = await listCalls(live.app.db, shop.merchantId, all)
  assert.match(call?.problem ?? '', /line break at the end of the secret/)
})

test('addresses that are not on the list are counted, and the last use of each secret is known', async () => {
  const shop = await service.merchant({ allowedNetworks: ['203.0.113.7'] })
  for (let turn = 0; turn < 3; turn++) await shop.post('/v1/withdraw', withdrawBody())
  await app.callLog.flush()
  await shop.post('/v1/withdraw', withdrawBody())
  await app.callLog.flush()
  const [rejected, ...more] = await rejectedAddresses(app.db, shop.merchantId)
  assert.deepEqual([rejected?.address, rejected?.times, more.length], ['127.0.0.1', 4, 0])
  const [key] = await listKeys(app, shop.merchantId)
  assert.ok(key?.secrets[0]?.lastUsedAt)
})

test('a flood is bounded, failures keep their place, and old rows are pruned', async () => {
  const { merchantId } = await service.merchant()
  const call = { merchantId, method: 'GET', path: '/v1/balance', problem: null, durationMs: 1, address: null }
  const lost = async () => (await app.metrics.lostCalls.get()).values[0]?.value ?? 0
  const before = await lost()
  for (let turn = 0; turn < 1000; turn++)
    app.callLog.record({ ...call, status: 200, code: null, requestId: `r${turn}`, secret: null })
  app.callLog.record({ ...call, status: 401, code: 'INVALID_SIGNATURE', requestId: 'bad', secret: null })
  await app.callLog.flush()
  const calls = await listCalls(app.db, merchantId, all)
  assert.equal(calls.length, 301)
  // Not by position: ids of one millisecond are in no order.
  assert.deepEqual(
    calls.filter(({ code }) => code !== null).map(({ code }) => code),
    ['INVALID_SIGNATURE'],
  )
  assert.equal(await lost(), before + 700)
  await pruneCalls(app)
  assert.equal((await listCalls(app.db, merchantId, all)).length, 301)
  await pruneCalls(later(app, 8 * 86_400))
  assert.equal((await listCalls(app.db, merchantId, all)).length, 0)
})

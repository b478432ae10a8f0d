import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { compose } from '../../packages/server/src/compose.ts'
import { buildApi } from '../../packages/server/src/edges/api/app.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import type { Answer } from '../harness/client.ts'
import { client } from '../harness/client.ts'
import { testConfig } from '../harness/database.ts'
import { refused } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const shop = await service.merchant({ funds: 50_000n })
const nowhere = await service.merchant({ allowedNetworks: ['203.0.113.7'] })
const ID = 'f'.repeat(24)

async function again(path: string, body: object): Promise<Answer> {
  await shop.post(path, body)
  return shop.post(path, body)
}

async function cancelTwice(): Promise<Answer> {
  const target = `/v1/transactions/${(await shop.post('/v1/deposit', depositBody())).body.data.transactionId}/cancel`
  await shop.post(target, undefined)
  return shop.post(target, undefined)
}

async function repeatCancel(): Promise<Answer> {
  const target = `/v1/transactions/${(await shop.post('/v1/deposit', depositBody())).body.data.transactionId}/cancel`
  const timestamp = String(Math.floor(Date.now() / 1000))
  await shop.post(target, undefined, { timestamp })
  return shop.post(target, undefined, { timestamp })
}

const old = () => String(Math.floor(Date.now() / 1000) - 301)
const big = () => depositBody({ metadata: { x: 'x'.repeat(65_536) } })

const ROWS: [code: string, status: number, where: string, ask: () => Promise<Answer>][] = [
  ['INVALID_API_KEY', 401, 'absent', () => shop.get('/v1/balance', { headers: { 'x-api-key': null } })],
  ['INVALID_API_KEY', 401, 'unknown', () => shop.get('/v1/balance', { headers: { 'x-api-key': 'vk_0' } })],
  ['INVALID_SIGNATURE', 401, 'all', () => shop.get('/v1/balance', { signature: '0'.repeat(64) })],
  ['IP_NOT_WHITELISTED', 403, 'bank list', () => nowhere.get('/v1/available-banks')],
  ['IP_NOT_WHITELISTED', 403, 'withdraw', () => nowhere.post('/v1/withdraw', withdrawBody())],
  ['VALIDATION_ERROR', 400, 'deposit', () => shop.post('/v1/deposit', {})],
  ['VALIDATION_ERROR', 400, 'withdraw', () => shop.post('/v1/withdraw', {})],
  ['DUPLICATE_TRANSACTION', 400, 'deposit', () => again('/v1/deposit', depositBody())],
  ['DUPLICATE_TRANSACTION', 400, 'withdraw', () => again('/v1/withdraw', withdrawBody({ amount: 1 }))],
  ['AMOUNT_OUT_OF_RANGE', 400, 'deposit', () => shop.post('/v1/deposit', depositBody({ amount: 1 }))],
  ['INVALID_IBAN', 400, 'withdraw', () => shop.post('/v1/withdraw', withdrawBody({ iban: 'TR00' }))],
  ['INSUFFICIENT_BALANCE', 400, 'withdraw', () => shop.post('/v1/withdraw', withdrawBody({ amount: 50_001 }))],
  ['MISSING_SIGNATURE', 401, 'all', () => shop.get('/v1/balance', { headers: { 'x-signature': null } })],
  ['MISSING_TIMESTAMP', 401, 'all', () => shop.get('/v1/balance', { headers: { 'x-timestamp': null } })],
  ['TIMESTAMP_EXPIRED', 401, 'all', () => shop.get('/v1/balance', { timestamp: old() })],
  ['NOT_FOUND', 404, 'unknown route', () => shop.get('/v1/nothing')],
  ['NOT_FOUND', 404, 'unknown transaction', () => shop.get(`/v1/transactions/${ID}`)],
  ['NOT_FOUND', 404, 'unknown transaction', () => shop.post(`/v1/transactions/${ID}/cancel`, undefined)],
  ['INVALID_STATE', 409, 'cancel', cancelTwice],
  ['REQUEST_REPEATED', 409, 'cancel', repeatCancel],
  ['PAYLOAD_TOO_LARGE', 413, 'deposit', () => shop.post('/v1/deposit', big())],
  [
    'UNSUPPORTED_MEDIA_TYPE',
    415,
    'deposit',
    () => shop.post('/v1/deposit', depositBody(), { headers: { 'content-type': 'text/plain' } }),
  ],
]

for (const [index, [code, status, where, ask]] of ROWS.entries()) {
  test(`7.${index + 1} ${code} (${where}): ${status}`, async () => void refused(await ask(), status, code))
}

for (const [target, allow] of [
  ['/v1/available-banks', 'GET'],
  ['/v1/deposit', 'POST'],
  ['/v1/withdraw', 'POST'],
  ['/v1/transactions', 'GET'],
  [`/v1/transactions/${ID}`, 'GET'],
  [`/v1/transactions/${ID}/cancel`, 'POST'],
  ['/v1/balance', 'GET'],
] as const) {
  test(`7.23 METHOD_NOT_ALLOWED on ${target}: 405 with Allow: ${allow}`, async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', allow === 'GET' ? 'POST' : 'GET']) {
      const answer = await shop.call(target, { method })
      refused(answer, 405, 'METHOD_NOT_ALLOWED')
      assert.equal(answer.headers['allow'], allow)
    }
    const head = await shop.call(target, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers['allow'], head.text], [405, allow, ''])
  })
}

test('7.24 RATE_LIMITED: 429 with Retry-After', async () => {
  const slow = await service.merchant({ requestsPerSecond: 1 })
  const answers = await Promise.all(Array.from({ length: 20 }, () => slow.get('/v1/balance')))
  const limited = answers.find(({ status }) => status === 429)
  assert.ok(limited)
  refused(limited, 429, 'RATE_LIMITED')
  assert.match(String(limited.headers['retry-after']), /^[1-9]\d*$/)
})

test('7.25 INTERNAL_ERROR: 500 that says nothing of the inside, and the service goes on', async () => {
  const broken = await startService()
  const caller = await broken.merchant()
  await broken.app.db.query(sql`alter table deposits rename to lost`)
  const error = refused(await caller.post('/v1/deposit', depositBody()), 500, 'INTERNAL_ERROR')
  assert.deepEqual(Object.keys(error).toSorted(), ['code', 'message', 'requestId'])
  assert.doesNotMatch(error.message, /deposits|relation|select|insert/i)
  await broken.app.db.query(sql`alter table lost rename to deposits`)
  assert.equal((await caller.post('/v1/deposit', depositBody())).status, 201)
})

test('7.26 SERVICE_UNAVAILABLE: 503 with Retry-After while the database cannot be reached', async () => {
  // Nothing listens on port 1.
  const app = compose(testConfig(), 'postgres://nobody@127.0.0.1:1/nothing')
  const server = buildApi(app)
  await server.listen({ host: '127.0.0.1', port: 0 })
  after(async () => {
    await server.close()
    await app.db.end()
  })
  const caller = client(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}`, shop)
  const answer = await caller.get('/v1/balance')
  refused(answer, 503, 'SERVICE_UNAVAILABLE')
  assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/)
})

test('7.27 outside /v1 an unknown address is 404 NOT_FOUND in the envelope, without authentication', async () => {
  const headers = { 'x-api-key': null, 'x-signature': null, 'x-timestamp': null }
  for (const target of ['/', '/nothing', '/v10/deposit', '/v'])
    refused(await shop.get(target, { headers }), 404, 'NOT_FOUND')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted, refused } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { sendRaw } from '../harness/raw.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const shop = await service.merchant({ funds: 1_000_000n })

test('1.1 success: exactly success true, data and timestamp, as JSON, on every endpoint', async () => {
  const deposit = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  accepted(await shop.post('/v1/withdraw', withdrawBody()), 201)
  accepted(await shop.get('/v1/available-banks'), 200)
  accepted(await shop.get('/v1/balance'), 200)
  accepted(await shop.get('/v1/transactions'), 200)
  accepted(await shop.get(`/v1/transactions/${deposit.transactionId}`), 200)
  accepted(await shop.post(`/v1/transactions/${deposit.transactionId}/cancel`, undefined), 200)
})

test('1.2 failure: exactly success false, error with code and message, and timestamp', async () => {
  const error = refused(await shop.post('/v1/deposit', depositBody({ amount: 0 })), 400, 'VALIDATION_ERROR')
  assert.deepEqual(Object.keys(error).toSorted(), ['code', 'details', 'message', 'requestId'])
})

test('1.3 the content type is application/json, on success and on failure', async () => {
  for (const answer of [await shop.get('/v1/balance'), await shop.get('/v1/nothing')]) {
    assert.match(String(answer.headers['content-type']), /^application\/json/)
  }
})

test('1.4 the timestamp is the second in which the server answered', async () => {
  const before = Math.floor(Date.now() / 1000)
  const { timestamp } = (await shop.get('/v1/balance')).body
  assert.ok(before <= timestamp && timestamp <= Math.floor(Date.now() / 1000))
})

test('1.5 error.requestId is the X-Request-Id of the answer', async () => {
  const answer = await shop.get('/v1/nothing')
  assert.equal(refused(answer, 404, 'NOT_FOUND').requestId, answer.headers['x-request-id'])
})

for (const [name, text] of [
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['an unknown method', 'BREW /v1/balance HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
  [
    'two content lengths',
    'POST /v1/deposit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
  ],
  ['a space in the target', 'GET /v1/ balance HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
  ['headers of 40 kB', `GET /v1/balance HTTP/1.1\r\nHost: localhost\r\nX-Much: ${'x'.repeat(40_000)}\r\n\r\n`],
  ['no Host header', 'GET /v1/balance HTTP/1.1\r\nConnection: close\r\n\r\n'],
] as const) {
  test(`1.6 broken HTTP (${name}): 400 in the envelope`, async () => {
    const answer = await sendRaw(service.baseUrl, text)
    assert.deepEqual([answer.status, answer.code], [400, 'VALIDATION_ERROR'], answer.text)
    assert.equal(answer.body.success, false)
  })
}

test('1.7 an Expect header that nobody can meet is answered with the envelope, too', async () => {
  const answer = await sendRaw(
    service.baseUrl,
    'GET /v1/balance HTTP/1.1\r\nHost: localhost\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n',
  )
  assert.ok(answer.status >= 400 && answer.status < 500)
  assert.equal(answer.body?.success, false)
})

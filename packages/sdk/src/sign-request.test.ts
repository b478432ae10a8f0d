import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshSigner, signRequest } from './sign-request.ts'

const CREDENTIALS = {
  apiKey: 'vk_1',
  apiSecret: 'vs_0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0',
}
const BODY =
  '{"processId":"order-1001","amount":125000,"bankCode":"FAST","customer":{"id":"c-1","name":"Ayşe Yılmaz","username":"ayse"}}'

test('the worked examples of docs/api.md, from text and from bytes', () => {
  const post = { method: 'POST', path: '/v1/deposit', timestamp: 1_794_726_000 }
  const expected = {
    'X-API-Key': 'vk_1',
    'X-Timestamp': '1794726000',
    'X-Signature': '1c38c612bdf1bd45ffe1759c22c549053dbc3e0f02314610b0544a9b64896379',
  }
  assert.deepEqual(signRequest(CREDENTIALS, { ...post, body: BODY }), expected)
  assert.deepEqual(signRequest(CREDENTIALS, { ...post, body: Buffer.from(BODY) }), expected)
  const get = { method: 'GET', path: '/v1/transactions?type=deposit&limit=5', timestamp: '1794726000' }
  assert.equal(
    signRequest(CREDENTIALS, get)['X-Signature'],
    'ce071d8d4963f3f34f4a7479736b7f8130d176fe7abfc2baa24cb4423919ce01',
  )
})

test('without a timestamp the request is signed for now', () => {
  const earliest = Math.floor(Date.now() / 1000)
  const get = { method: 'GET', path: '/v1/balance' }
  const headers = signRequest(CREDENTIALS, get)
  const timestamp = Number(headers['X-Timestamp'])
  assert.ok(timestamp >= earliest && timestamp <= Math.floor(Date.now() / 1000))
  assert.deepEqual(headers, signRequest(CREDENTIALS, { ...get, timestamp }))
})

for (const request of [{}, { method: 'GET' }, { path: '/v1/balance' }])
  test(`what cannot be signed is INVALID_OPTIONS: ${JSON.stringify(request)}`, () => {
    assert.throws(() => signRequest(CREDENTIALS, request as never), { name: 'VezneError', code: 'INVALID_OPTIONS' })
  })

test('equal POSTs within a second are signed for different seconds, and others are not delayed', () => {
  let seconds = 1_794_726_000
  const sign = freshSigner(CREDENTIALS, () => new Date(seconds * 1000 + 999))
  const cancel = () => Number(sign({ method: 'POST', path: '/v1/transactions/1/cancel' })['X-Timestamp']) - seconds
  assert.deepEqual([cancel(), cancel(), cancel()], [0, 1, 2])
  assert.equal(sign({ method: 'POST', path: '/v1/transactions/2/cancel' })['X-Timestamp'], String(seconds))
  const balance = () => sign({ method: 'GET', path: '/v1/balance' })['X-Timestamp']
  assert.deepEqual([balance(), balance()], [String(seconds), String(seconds)])
  seconds += 1
  assert.equal(cancel(), 2, 'the two seconds after the first are used')
  seconds += 3
  assert.equal(cancel(), 0)
})

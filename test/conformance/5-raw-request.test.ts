import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted, refused } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'

// Decision 3: what is signed is the raw target and the raw body; whatever two readers might take for different
// things is refused. Every request here is signed correctly, over exactly what is sent.
const service = await startService()
const shop = await service.merchant({ funds: 1_000_000n })
const before = accepted(await shop.get('/v1/balance'), 200)

async function nothingHappened(processId: string): Promise<void> {
  const { transactions } = accepted(await shop.get(`/v1/transactions?processId=${processId}`), 200)
  assert.deepEqual(transactions, [])
  assert.deepEqual(accepted(await shop.get('/v1/balance'), 200), before)
}

for (const [name, target] of [
  ['an absolute-form target', `${service.baseUrl}/v1/withdraw`],
  ['an absolute-form target of another host', 'http://other.example/v1/withdraw'],
  ['a doubled slash in front', '//v1/withdraw'],
  ['a doubled slash inside', '/v1//withdraw'],
  ['a dot segment', '/v1/./withdraw'],
  ['a double-dot segment', '/v1/balance/../withdraw'],
  ['a double-dot segment out of another prefix', '/x/../v1/withdraw'],
  ['an escaped double-dot segment', '/v1/x/%2e%2e/withdraw'],
  ['an escaped letter', '/v1/%77ithdraw'],
  ['an escaped letter in the prefix', '/%761/withdraw'],
  ['an escaped slash', '/v1%2fwithdraw'],
  ['a fragment', '/v1/withdraw#x'],
  ['a fragment with a question mark', '/v1/withdraw#?x'],
  ['a path parameter', '/v1/withdraw;x=1'],
  ['a trailing slash', '/v1/withdraw/'],
  ['a trailing dot', '/v1/withdraw.'],
  ['a trailing NUL', '/v1/withdraw%00'],
  ['a trailing space', '/v1/withdraw%20'],
  ['another case', '/v1/Withdraw'],
  ['another case of the prefix', '/V1/withdraw'],
  ['a backslash', '/v1\\withdraw'],
  ['one letter more', '/v1/withdrawB'],
] as const) {
  test(`D3.1 POST with ${name} (${target.replace(service.baseUrl, 'http://…')}): 404 NOT_FOUND, nothing happens`, async () => {
    const body = withdrawBody()
    refused(await shop.post(target, body), 404, 'NOT_FOUND')
    await nothingHappened(body.processId)
  })
}

test('D3.2 a target under /v1 that is not plain needs authentication before it is refused', async () => {
  for (const target of ['/v1//withdraw', '/v1/%77ithdraw', '/v1/withdraw#x', '/v1/withdraw/']) {
    refused(await shop.post(target, withdrawBody(), { signature: '0'.repeat(64) }), 401, 'INVALID_SIGNATURE')
  }
})

test('D3.3 the signature of POST /v1/withdraw + body does not open POST /v1/withdraw{body} without a body', async () => {
  const body = { ...withdrawBody(), accountName: 'Ayse', name: 'Ayse' }
  const text = JSON.stringify(body).replaceAll(' ', '')
  // The strings that are signed are the same, byte for byte; only the border between path and body moved.
  refused(await shop.post(`/v1/withdraw${text}`, undefined), 404, 'NOT_FOUND')
  await nothingHappened(body.processId)
})

test('D3.4 the signature of a cancel with a query does not open another transaction', async () => {
  const { transactionId } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  const other = accepted(await shop.post('/v1/deposit', depositBody()), 201).transactionId
  const answer = await shop.post(`/v1/transactions/${other}/cancel`, undefined, {
    signed: { target: `/v1/transactions/${transactionId}/cancel` },
  })
  refused(answer, 401, 'INVALID_SIGNATURE')
  assert.equal(accepted(await shop.get(`/v1/transactions/${other}`), 200).status, 'pending')
})

for (const target of ['/v1/balance', '/v1/available-banks', '/v1/transactions', '/v1/nothing'] as const) {
  test(`D3.5 GET ${target} with a body: never answered with 200, however it is signed`, async () => {
    const body = '{"a":1}'
    // Every connection is used once: the server does not read the body that it refuses.
    const headers = { connection: 'close' }
    const get = (options: object) => shop.call(target, { method: 'GET', body, headers, ...options })
    refused(await get({ signed: { body: '' } }), 400, 'VALIDATION_ERROR')
    const withBody = await get({})
    assert.ok([400, 401].includes(withBody.status), withBody.text)
  })
}

test('D3.6 GET with a chunked body: 400 VALIDATION_ERROR', async () => {
  const headers = { 'transfer-encoding': 'chunked', connection: 'close' }
  refused(await shop.get('/v1/balance', { headers }), 400, 'VALIDATION_ERROR')
})

for (const [name, body] of [
  ['an array', '[{}]'],
  ['a string', '"{}"'],
  ['a number', '12'],
  ['null', 'null'],
  ['a space in front', ` ${JSON.stringify(withdrawBody())}`],
  ['a line break in front', `\n${JSON.stringify(withdrawBody())}`],
  ['a byte order mark in front', `\ufeff${JSON.stringify(withdrawBody())}`],
  ['form fields', 'processId=1&amount=2'],
] as const) {
  test(`D3.7 a POST body that does not begin with { (${name}): 400 VALIDATION_ERROR`, async () => {
    refused(await shop.post('/v1/withdraw', body), 400, 'VALIDATION_ERROR')
    assert.deepEqual(accepted(await shop.get('/v1/balance'), 200), before)
  })
}

test('D3.8 a POST without a body: 400 VALIDATION_ERROR', async () => {
  for (const target of ['/v1/deposit', '/v1/withdraw'])
    refused(await shop.post(target, undefined), 400, 'VALIDATION_ERROR')
})

test('D3.9 a chunked POST body is signed like any other', async () => {
  const headers = { 'content-length': null, 'transfer-encoding': 'chunked' }
  accepted(await shop.post('/v1/deposit', depositBody(), { headers }), 201)
})

for (const type of ['text/plain', 'nonsense', ';;;', 'application/json; =']) {
  test(`D3.10 the signature is judged before the content type, also when that is "${type}"`, async () => {
    const headers = { 'content-type': type }
    const answer = await shop.post('/v1/deposit', depositBody(), { headers, signature: '0'.repeat(64) })
    refused(answer, 401, 'INVALID_SIGNATURE')
  })
}

test('D3.11 a body on a cancel must be a JSON object, too', async () => {
  const { transactionId } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  const target = `/v1/transactions/${transactionId}/cancel`
  refused(await shop.post(target, '[]'), 400, 'VALIDATION_ERROR')
  accepted(await shop.post(target, '{}'), 200)
})

test('D3.12 a target with a broken escape is not HTTP: 400 VALIDATION_ERROR, nothing happens', async () => {
  const body = withdrawBody()
  refused(await shop.post('/v1/withdra%w', body), 400, 'VALIDATION_ERROR')
  await nothingHappened(body.processId)
})

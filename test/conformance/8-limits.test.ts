import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../harness/client.ts'
import { accepted, refused, refusedFields } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const service = await startService()
const shop = await service.merchant({ funds: 100_000_000n, returnOrigins: ['https://shop.example'] })
const seconds = () => Math.floor(Date.now() / 1000)

/** Asks until request and answer fell into the same second, so that the distance is exactly the one wanted. */
async function atDistance(offset: number): Promise<Answer> {
  let sentAt = 0
  const ask = () => shop.get('/v1/balance', { timestamp: String((sentAt = seconds()) + offset) })
  return until(ask, ({ body }) => body.timestamp === sentAt)
}

for (const offset of [-300, -299, 0, 299, 300]) {
  test(`8.1 a timestamp ${offset} s from the server's is accepted`, async () => {
    accepted(await atDistance(offset), 200)
  })
}

for (const offset of [-3600, -302, -301, 301, 302, 3600]) {
  test(`8.2 a timestamp ${offset} s from the server's: 401 TIMESTAMP_EXPIRED that tells the distance`, async () => {
    const { message } = refused(await atDistance(offset), 401, 'TIMESTAMP_EXPIRED')
    assert.match(message, new RegExp(`\\b${Math.abs(offset)} s ${offset < 0 ? 'behind' : 'ahead'}`))
  })
}

for (const [name, timestamp, expected] of [
  ['milliseconds', String(Date.now()), /milliseconds/],
  ['a fraction', `${seconds()}.5`, /fraction/],
  ['a date', new Date().toISOString(), /date/],
  ['nine digits', String(seconds()).slice(1), /ten digits/],
  ['eleven digits', `0${seconds()}`, /ten digits/],
  ['a sign', `+${seconds()}`, /ten digits/],
  ['a negative number', `-${seconds()}`, /ten digits/],
  ['an exponent', '1e9', /ten digits/],
  ['hexadecimal', `0x${seconds().toString(16)}`, /ten digits/],
  ['a word', 'now', /ten digits/],
  ['two in one header', `${seconds()}, ${seconds()}`, /ten digits/],
] as const) {
  test(`8.3 a timestamp as ${name}: 401 TIMESTAMP_EXPIRED that names the mistake`, async () => {
    const { message } = refused(await shop.get('/v1/balance', { timestamp }), 401, 'TIMESTAMP_EXPIRED')
    assert.match(message, expected)
  })
}

test('8.4 a deposit expires exactly 30 minutes after its creation', async () => {
  const { createdAt, expiresAt } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 30 * 60 * 1000)
})

type Change = (value: string) => Record<string, unknown>
const customer = (field: string) => (value: string) => ({ customer: { ...depositBody().customer, [field]: value } })
const TEXTS: [path: '/v1/deposit' | '/v1/withdraw', field: string, max: number, change: Change][] = [
  ['/v1/deposit', 'processId', 50, (processId) => ({ processId })],
  ['/v1/deposit', 'customer.id', 100, customer('id')],
  ['/v1/deposit', 'customer.name', 140, customer('name')],
  ['/v1/deposit', 'customer.username', 100, customer('username')],
  ['/v1/withdraw', 'processId', 50, (processId) => ({ processId })],
  ['/v1/withdraw', 'accountName', 140, (accountName) => ({ accountName })],
  ['/v1/withdraw', 'userId', 100, (userId) => ({ userId })],
  ['/v1/withdraw', 'userName', 100, (userName) => ({ userName })],
  ['/v1/withdraw', 'name', 140, (name) => ({ name })],
]
const bodyFor = (path: string, changes: object) =>
  path === '/v1/deposit' ? depositBody({ ...changes }) : withdrawBody({ ...changes })

for (const [path, field, max, change] of TEXTS) {
  const post = (value: string) => shop.post(path, bodyFor(path, change(value)))

  test(`8.5 ${path} ${field}: ${max} characters are accepted, ${max + 1} are 400 VALIDATION_ERROR`, async () => {
    // Turkish letters and characters beyond the first plane count once, however many bytes they have.
    for (const letter of ['x', 'ğ', '🦊']) {
      accepted(await post(letter.repeat(max)), 201)
      assert.deepEqual(refusedFields(await post(letter.repeat(max + 1))), [field], letter)
    }
  })

  test(`8.6 ${path} ${field}: empty or blank is 400 VALIDATION_ERROR`, async () => {
    for (const value of ['', ' ', '   ', '\u00a0\u00a0\u00a0']) {
      assert.deepEqual([...new Set(refusedFields(await post(value)))], [field], JSON.stringify(value))
    }
  })

  test(`8.7 ${path} ${field}: a control character anywhere is 400 VALIDATION_ERROR`, async () => {
    for (const control of [
      '\u0001',
      '\b',
      '\t',
      '\n',
      '\r',
      '\u001b',
      '\u001f',
      '\u007f',
      '\u0080',
      '\u0085',
      '\u009f',
    ])
      for (const value of [`${control}abc`, `ab${control}c`, `abc${control}`])
        assert.deepEqual(refusedFields(await post(value)), [field], JSON.stringify(value))
    refused(await post('ab\0c'), 400, 'VALIDATION_ERROR')
  })
}

test('8.8 a processId of 50 characters comes back whole, in the answer and in the list', async () => {
  const processId = 'ı🦊'.repeat(25)
  assert.equal(accepted(await shop.post('/v1/deposit', depositBody({ processId })), 201).processId, processId)
  const query = `/v1/transactions?type=deposit&processId=${encodeURIComponent(processId)}`
  assert.equal(accepted(await shop.get(query), 200).transactions[0].processId, processId)
})

test('8.9 metadata of 4096 bytes is accepted, 4097 are 400 VALIDATION_ERROR', async () => {
  const metadata = (bytes: number) => ({ x: 'x'.repeat(bytes - '{"x":""}'.length) })
  accepted(await shop.post('/v1/deposit', depositBody({ metadata: metadata(4096) })), 201)
  const answer = await shop.post('/v1/deposit', depositBody({ metadata: metadata(4097) }))
  assert.deepEqual(refusedFields(answer), ['metadata'])
})

test('8.10 returnUrl of 2048 characters is accepted, 2049 are 400 VALIDATION_ERROR', async () => {
  const returnUrl = 'https://shop.example/'.padEnd(2048, 'x')
  accepted(await shop.post('/v1/deposit', depositBody({ returnUrl })), 201)
  assert.deepEqual(refusedFields(await shop.post('/v1/deposit', depositBody({ returnUrl: `${returnUrl}x` }))), [
    'returnUrl',
  ])
})

test('8.11 a body of 64 kB is read, one byte more is 413 PAYLOAD_TOO_LARGE', async () => {
  // White space after the object is part of the body and changes nothing.
  const body = (bytes: number) => JSON.stringify(depositBody()).padEnd(bytes - 4, ' ')
  const sized = (bytes: number) => {
    const text = body(bytes)
    return text + ' '.repeat(bytes - Buffer.byteLength(text))
  }
  accepted(await shop.post('/v1/deposit', sized(65_536)), 201)
  refused(await shop.post('/v1/deposit', sized(65_537)), 413, 'PAYLOAD_TOO_LARGE')
  const headers = { 'content-length': null, 'transfer-encoding': 'chunked', connection: 'close' }
  refused(await shop.post('/v1/deposit', sized(65_537), { headers }), 413, 'PAYLOAD_TOO_LARGE')
})

test('8.12 a body that is too large still needs a key first', async () => {
  const headers = { 'x-api-key': 'vk_unknown', connection: 'close' }
  refused(await shop.post('/v1/deposit', `{${' '.repeat(65_536)}}`, { headers }), 401, 'INVALID_API_KEY')
})

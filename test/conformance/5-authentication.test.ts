import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { sign } from '../../packages/server/src/platform/crypto/signature.ts'
import type { CallOptions } from '../harness/client.ts'
import { client } from '../harness/client.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const shop = await service.merchant({ funds: 100_000_000n })
const nowhere = await service.merchant({ funds: 100_000_000n, allowedNetworks: [] })
const seconds = () => Math.floor(Date.now() / 1000)

/** In the order of the checks. What a request must look like to fail at this one, if it gets as far. */
type Mistake = { name: string; status: number; code: string; options?: CallOptions; body?: object; nowhere?: true }
const MISTAKES: Mistake[] = [
  { name: 'unknown key', status: 401, code: 'INVALID_API_KEY', options: { headers: { 'x-api-key': 'vk_unknown' } } },
  { name: 'no signature', status: 401, code: 'MISSING_SIGNATURE', options: { headers: { 'x-signature': null } } },
  { name: 'no timestamp', status: 401, code: 'MISSING_TIMESTAMP', options: { headers: { 'x-timestamp': null } } },
  { name: 'old timestamp', status: 401, code: 'TIMESTAMP_EXPIRED', options: { timestamp: String(seconds() - 3600) } },
  { name: 'wrong signature', status: 401, code: 'INVALID_SIGNATURE', options: { signature: '0'.repeat(64) } },
  { name: 'unlisted address', status: 403, code: 'IP_NOT_WHITELISTED', nowhere: true },
  { name: 'wrong body', status: 400, code: 'VALIDATION_ERROR', body: {} },
]

function make(mistakes: Mistake[]) {
  const caller = mistakes.some((mistake) => mistake.nowhere) ? nowhere : shop
  const options: CallOptions = Object.assign({}, ...mistakes.map((mistake) => mistake.options ?? {}))
  options.headers = Object.assign({}, ...mistakes.map((mistake) => mistake.options?.headers ?? {}))
  return caller.post('/v1/withdraw', mistakes.find(({ body }) => body)?.body ?? withdrawBody(), options)
}

for (const [index, first] of MISTAKES.entries()) {
  test(`5.1.${index + 1} ${first.name} alone: ${first.status} ${first.code}`, async () => {
    refused(await make([first]), first.status, first.code)
  })
  for (const second of MISTAKES.slice(index + 1)) {
    // A header cannot be both absent and wrong.
    if (first.name === 'no timestamp' && second.name === 'old timestamp') continue
    if (first.name === 'no signature' && second.name === 'wrong signature') continue
    test(`5.1.${index + 1} ${first.name} is told before ${second.name}`, async () => {
      refused(await make([first, second]), first.status, first.code)
    })
  }
}

test('5.1.8 none of these mistakes: 201', async () => void accepted(await make([]), 201))

const ID = 'f'.repeat(24)
for (const [method, target] of [
  ['GET', '/v1/available-banks'],
  ['POST', '/v1/deposit'],
  ['POST', '/v1/withdraw'],
  ['GET', '/v1/transactions'],
  ['GET', `/v1/transactions/${ID}`],
  ['POST', `/v1/transactions/${ID}/cancel`],
  ['GET', '/v1/balance'],
  ['GET', '/v1/nothing'],
  ['POST', '/v1/'],
  ['DELETE', '/v1/deposit'],
  ['OPTIONS', '/v1/balance'],
  ['PROPFIND', '/v1/balance'],
] as const) {
  test(`5.2 ${method} ${target} asks for the three headers before anything else`, async () => {
    const body = method === 'POST' ? { body: {} } : {}
    const call = (headers: CallOptions['headers'] = {}) => shop.call(target, { method, headers, ...body })
    refused(await call({ 'x-api-key': null }), 401, 'INVALID_API_KEY')
    refused(await call({ 'x-signature': null }), 401, 'MISSING_SIGNATURE')
    refused(await call({ 'x-timestamp': null }), 401, 'MISSING_TIMESTAMP')
    refused(await call({ 'x-signature': '0'.repeat(64) }), 401, 'INVALID_SIGNATURE')
  })
}

for (const [name, header, value, code] of [
  ['an empty key', 'x-api-key', '', 'INVALID_API_KEY'],
  ['a key in another case', 'x-api-key', shop.apiKey.toUpperCase(), 'INVALID_API_KEY'],
  ['a key sent twice', 'x-api-key', [shop.apiKey, shop.apiKey], 'INVALID_API_KEY'],
  ['the secret as the key', 'x-api-key', shop.apiSecret, 'INVALID_API_KEY'],
  ['an empty signature', 'x-signature', '', 'MISSING_SIGNATURE'],
  ['an empty timestamp', 'x-timestamp', '', 'MISSING_TIMESTAMP'],
] as const) {
  test(`5.3 ${name}: 401 ${code}`, async () => {
    const sent = typeof value === 'string' ? value : [...value]
    refused(await shop.get('/v1/balance', { headers: { [header]: sent } }), 401, code)
  })
}

test('5.4 two timestamps: 401 TIMESTAMP_EXPIRED, even when both are right', async () => {
  const timestamp = String(seconds())
  const headers = { 'x-timestamp': [timestamp, timestamp] }
  refused(await shop.get('/v1/balance', { timestamp, headers }), 401, 'TIMESTAMP_EXPIRED')
})

test('5.5 two signatures: 401 INVALID_SIGNATURE, even when one is right, in either place', async () => {
  const target = '/v1/balance'
  const timestamp = String(seconds())
  const right = createHmac('sha256', shop.apiSecret).update(`${timestamp}GET${target}`).digest('hex')
  accepted(await shop.get(target, { timestamp, signature: right }), 200)
  for (const pair of [
    [right, right],
    [right, '0'.repeat(64)],
    ['0'.repeat(64), right],
  ]) {
    refused(await shop.get(target, { timestamp, headers: { 'x-signature': pair } }), 401, 'INVALID_SIGNATURE')
  }
})

// Signature rules 1 to 6: what is signed is what is sent, part by part.
const QUERY = '/v1/transactions?type=deposit'
for (const [rule, signed] of [
  ['rule 2: another timestamp than the one sent', { timestamp: String(seconds() - 1) }],
  ['rule 3: the method in lower case', { method: 'get' }],
  ['rule 3: another method', { method: 'POST' }],
  ['rule 4: the path without its query string', { target: '/v1/transactions' }],
  ['rule 4: another query string', { target: '/v1/transactions?type=withdrawal' }],
  ['rule 5: a body for a request that has none', { body: '{}' }],
  ['rule 1: a separator', { method: '\nGET\n' }],
] as const) {
  test(`5.6 ${rule}: 401 INVALID_SIGNATURE`, async () => {
    refused(await shop.get(QUERY, { timestamp: String(seconds()), signed }), 401, 'INVALID_SIGNATURE')
  })
}

test('5.7 rule 4: the query string is signed as it is sent, unnormalised', async () => {
  accepted(await shop.get('/v1/transactions?type=%64eposit&processId=a%20b%c3%a9'), 200)
  accepted(await shop.get('/v1/transactions?'), 200)
})

test('5.8 rule 5: the body is signed as it is sent, white space and escapes included', async () => {
  const body = JSON.stringify(depositBody(), null, 3).replace('FAST', '\\u0046AST')
  accepted(await shop.post('/v1/deposit', `${body}\n \t`), 201)
  const compact = JSON.stringify(JSON.parse(body))
  refused(await shop.post('/v1/deposit', body, { signed: { body: compact } }), 401, 'INVALID_SIGNATURE')
})

test('5.9 rule 5: one changed byte in the body: 401 INVALID_SIGNATURE', async () => {
  const body = JSON.stringify(depositBody({ amount: 125_000 }))
  const changed = body.replace('125000', '125001')
  refused(await shop.post('/v1/deposit', changed, { signed: { body } }), 401, 'INVALID_SIGNATURE')
})

test('5.10 rule 6: the secret of another merchant: 401 INVALID_SIGNATURE', async () => {
  const mixed = client(service.baseUrl, { apiKey: shop.apiKey, apiSecret: nowhere.apiSecret })
  refused(await mixed.get('/v1/balance'), 401, 'INVALID_SIGNATURE')
})

test('5.11 rule 6: each changed character of the signature, another length or another case: 401', async () => {
  const parts = { timestamp: String(seconds()), method: 'GET', target: '/v1/balance', body: '' }
  const right = sign(shop.apiSecret, parts)
  const changed = Array.from(right, (one, at) => right.slice(0, at) + (one === '0' ? '1' : '0') + right.slice(at + 1))
  const others = [right.toUpperCase(), right.slice(1), `${right}0`, `0x${right}`, `${right.slice(0, -1)}g`]
  const base64 = ['base64', 'base64url'].map((form) => Buffer.from(right, 'hex').toString(form as 'base64'))
  const call = (signature: string) => shop.get(parts.target, { timestamp: parts.timestamp, signature })
  accepted(await call(right), 200)
  const answers = await Promise.all([...changed, ...others, ...base64].map(call))
  assert.equal(answers.length, 71)
  for (const answer of answers) refused(answer, 401, 'INVALID_SIGNATURE')
})

test('5.12 rule 8: the secret appears in no answer', async () => {
  const answers = [await shop.get('/v1/balance', { signature: '0'.repeat(64) }), await shop.get('/v1/transactions')]
  for (const { text } of answers) assert.ok(!text.includes(shop.apiSecret.slice(3)))
})

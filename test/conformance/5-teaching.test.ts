import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import type { CallOptions } from '../harness/client.ts'
import { client } from '../harness/client.ts'
import { refused } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'
import { sign } from '../../packages/server/src/platform/crypto/signature.ts'

// Decision 18: a sandbox names the mistake in a signature, live does not.
const sandbox = await startService()
const live = await startService({ mode: 'live', publicUrl: 'https://x.example' })
const shop = await sandbox.merchant()
const timestamp = String(Math.floor(Date.now() / 1000))
const TARGET = '/v1/transactions?type=deposit'

async function hint(target: string, options: CallOptions, credentials = shop) {
  const caller = client(sandbox.baseUrl, credentials)
  const { message, details } = refused(await caller.call(target, { timestamp, ...options }), 401, 'INVALID_SIGNATURE')
  assert.equal(message, 'The signature does not match. See details.hint.')
  assert.doesNotMatch(details.hint, /below/)
  return String(details.hint)
}

const right = sign(shop.apiSecret, { timestamp, method: 'GET', target: TARGET, body: '' })
const digest = Buffer.from(right, 'hex')

for (const [name, signature, expected] of [
  ['upper case', right.toUpperCase(), /upper case/],
  ['base64', digest.toString('base64'), /base64/],
  ['base64url', digest.toString('base64url'), /base64/],
  ['a prefix sha256=', `sha256=${right}`, /prefix "sha256="/],
  ['another length', right.slice(2), /exactly 64 lower-case hex/],
  ['SHA-512', right + right, /length of a SHA-512/],
  ['SHA-1', right.slice(24), /length of a SHA-1;/],
] as const) {
  test(`D18.1 a signature in ${name}: the hint says so`, async () => {
    assert.match(await hint(TARGET, { signature }), expected)
  })
}

for (const [name, signed, expected] of [
  ['query string left out', { target: '/v1/transactions' }, /query string was left out/],
  ['"{}" signed for no body', { body: '{}' }, /"\{\}" was signed/],
  ['"null" signed for no body', { body: 'null' }, /"null" was signed/],
  ['method in lower case', { method: 'get' }, /lower case/],
  ['/v1 left out', { target: TARGET.slice(3) }, /\/v1 prefix was left out/],
  ['"undefined" signed for no body', { body: 'undefined' }, /"undefined" was signed/],
  ['a line break signed after all', { body: '\n' }, /line break was signed at the end.*printf/],
  ['timestamp left out', { timestamp: '' }, /timestamp was left out/],
  ['milliseconds signed', { timestamp: `${timestamp}000` }, /milliseconds/],
  ['milliseconds of another moment signed', { timestamp: `${timestamp}017` }, /milliseconds/],
  ['a timestamp of one second later signed', { timestamp: String(Number(timestamp) + 1) }, /Another timestamp.*once/],
  ['a timestamp of one second earlier signed', { timestamp: String(Number(timestamp) - 1) }, /Another timestamp/],
  ['method left out', { method: '' }, /method was left out/],
  ['path left out', { target: '' }, /path was left out/],
  ['a slash at the end of the path', { target: '/v1/transactions/?type=deposit' }, /slash at its end/],
  ['the first slash left out', { target: TARGET.slice(1) }, /without its first slash/],
  ['anything else', { target: '/elsewhere' }, /Compare signedString/],
] as const) {
  test(`D18.2 ${name}: the hint says so`, async () => assert.match(await hint(TARGET, { signed }), expected))
}

const QUERY = '/v1/transactions?type=deposit&from=2026-11-15T00%3A00%3A00%2B03%3A00&processId=a+b'
for (const [name, target] of [
  ['decoded', '/v1/transactions?type=deposit&from=2026-11-15T00:00:00+03:00&processId=a b'],
  ['sorted', '/v1/transactions?from=2026-11-15T00%3A00%3A00%2B03%3A00&processId=a+b&type=deposit'],
  ['with %20', QUERY.replace('a+b', 'a%20b')],
] as const) {
  test(`D18.2 the query signed ${name}: the hint says so`, async () => {
    assert.match(await hint(QUERY, { signed: { target } }), /query was signed in another form/)
  })
}

for (const separator of ['\n', '.', '|', ':']) {
  const method = (name: string) => separator + name + separator
  test(`D18.3 parts joined with ${JSON.stringify(separator)}: the hint says so, with and without a body`, async () => {
    const expected = `joined with ${JSON.stringify(separator)}`
    assert.ok((await hint(TARGET, { signed: { method: method('GET') } })).includes(expected))
    const body = JSON.stringify(depositBody())
    const signed = { method: method('POST'), body: separator + body }
    assert.ok((await hint('/v1/deposit', { body, signed })).includes(expected))
  })
}

const plain = { ...withdrawBody(), accountName: 'Ayse Yilmaz', name: 'Ayse Yilmaz' }
const compact = JSON.stringify(plain)
const sortedDeposit = (() => {
  const { processId, amount, bankCode, customer } = depositBody()
  return JSON.stringify({ amount, bankCode, customer, processId })
})()
const unsortedDeposit = (() => {
  const { customer, ...rest } = JSON.parse(sortedDeposit)
  return JSON.stringify({ ...rest, customer })
})()
const withSlash = JSON.stringify({ ...plain, userId: 'a/b' })

for (const [name, sent, signed] of [
  ['compact, sent with line breaks', JSON.stringify(plain, null, 2), compact],
  ['with a space after : and ,', compact, compact.replaceAll('":', '": ').replaceAll(',"', ', "')],
  ['with sorted keys', compact, JSON.stringify(plain, Object.keys(plain).toSorted())],
  ['with sorted keys and a nested object', unsortedDeposit, sortedDeposit],
  ['with escaped slashes', withSlash, withSlash.replaceAll('/', '\\/')],
  ['with escaped letters', '{"name":"Ayşe"}', '{"name":"Ay\\u015fe"}'],
  ['indented by two', compact, JSON.stringify(plain, null, 2)],
  ['indented by four', compact, JSON.stringify(plain, null, 4)],
  ['without the line break that was sent', `${compact}\n`, compact],
] as const) {
  test(`D18.4 the body signed ${name}: the hint says that it was signed in another form`, async () => {
    assert.notEqual(sent, signed)
    assert.match(await hint('/v1/withdraw', { body: sent, signed: { body: signed } }), /re-serialised JSON/)
  })
}

const rich = { note: 'Ayşe <b> & "o\'k" a/b + 🦊', n: 1, list: [1, { a: null }], empty: {} }
const unicode = (text: string, of: RegExp, upper = false) =>
  text.replace(of, (one) => {
    const hex = one.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${upper ? hex.toUpperCase() : hex}`
  })
const sentRich = JSON.stringify(rich)
const python = '{"note": "Ayşe <b> & \\"o\'k\\" a/b + 🦊", "n": 1, "list": [1, {"a": null}], "empty": {}}'

for (const [writer, signed] of [
  ["Python's json.dumps", unicode(python, /[\u0080-\uffff]/g)],
  ["Python's json.dumps", python],
  ["PHP's json_encode", unicode(sentRich.replaceAll('/', '\\/'), /[\u0080-\uffff]/g)],
  ["Go's json.Marshal", unicode(sentRich, /[<>&]/g)],
  ["Java's Gson", unicode(sentRich, /[<>&='\u2028\u2029]/g)],
  [".NET's System.Text.Json", unicode(sentRich.replaceAll('\\"', '\\u0022'), /[<>&'+`\u0080-\uffff]/g, true)],
] as const) {
  test(`D18.4 the body signed as ${writer} writes it: the hint names it (${signed.slice(0, 40)})`, async () => {
    assert.notEqual(sentRich, signed)
    assert.deepEqual(JSON.parse(signed), rich)
    const words = await hint('/v1/withdraw', { body: sentRich, signed: { body: signed } })
    assert.ok(words.includes(`re-serialised JSON, as ${writer} writes it`), words)
    // Sent as the other language writes it, signed as JavaScript does.
    const reverse = await hint('/v1/withdraw', { body: signed, signed: { body: sentRich } })
    assert.match(reverse, /re-serialised JSON/)
  })
}

test('D18.5 a line break signed after the body: the hint says so', async () => {
  const words = await hint('/v1/withdraw', { body: compact, signed: { body: `${compact}\n` } })
  assert.match(words, /line break was signed at the end/)
})

for (const [name, text] of [
  ['of the string', (message: string) => message],
  ['of secret and string', (message: string) => shop.apiSecret + message],
  ['of string and secret', (message: string) => message + shop.apiSecret],
] as const) {
  test(`D18.5 a plain SHA-256 ${name}: the hint says so`, async () => {
    const signature = createHash('sha256')
      .update(text(`${timestamp}GET${TARGET}`))
      .digest('hex')
    assert.match(await hint(TARGET, { signature }), /plain SHA-256.*HMAC-SHA256/)
  })
}

test('D18.5 the body left out: the hint says so', async () => {
  assert.match(await hint('/v1/withdraw', { body: compact, signed: { body: '' } }), /body was left out/)
})

const signedText = (text: string) => createHmac('sha256', shop.apiSecret).update(text).digest('hex')
const fields = JSON.stringify(withdrawBody())
for (const [name, text, expected] of [
  [
    'method, timestamp, path, body',
    `POST${timestamp}/v1/withdraw${fields}`,
    /order method, timestamp, path, body; the/,
  ],
  ['body first', `${fields}${timestamp}POST/v1/withdraw`, /order body, timestamp, method, path; the/],
  ['the body alone', fields, /Only the body was signed/],
  ['timestamp.body', `${timestamp}.${fields}`, /Only timestamp and body were signed/],
  ['timestamp and body', `${timestamp}${fields}`, /Only timestamp and body were signed/],
  ['milliseconds', `${timestamp}987POST/v1/withdraw${fields}`, /milliseconds/],
] as const) {
  test(`D18.5 signed: ${name}; the hint says so`, async () => {
    assert.match(await hint('/v1/withdraw', { body: fields, signature: signedText(text) }), expected)
  })
}

for (const indent of [2, 4]) {
  test(`D18.5 a file of indent ${indent} signed, and sent without its line breaks: the hint names curl`, async () => {
    const file = `${JSON.stringify(withdrawBody(), null, indent)}\n`
    const body = file.replaceAll('\n', '')
    assert.match(await hint('/v1/withdraw', { body, signed: { body: file } }), /curl -d @file.*--data-binary/)
  })
}

test('D18.5 key and message of the HMAC swapped: the hint says so', async () => {
  const signature = createHmac('sha256', `${timestamp}GET${TARGET}`).update(shop.apiSecret).digest('hex')
  assert.match(await hint(TARGET, { signature }), /swapped/)
})

for (const [name, apiSecret, expected] of [
  ['the secret in quotes', `"${shop.apiSecret}"`, /quotes around it/],
  ['the API key', shop.apiKey, /signed with the API key/],
  ['the secret and a line break', `${shop.apiSecret}\n`, /line break at the end of the secret/],
  ['the secret and a Windows line break', `${shop.apiSecret}\r\n`, /line break at the end of the secret/],
  ['the secret without its prefix', shop.apiSecret.replace('vs_', ''), /without its prefix/],
] as const) {
  test(`D18.6 signed with ${name}: the hint says so`, async () => {
    assert.match(await hint(TARGET, {}, { ...shop, apiSecret }), expected)
  })
}

for (const [name, address] of [
  ['the full address', sandbox.baseUrl],
  ['the full address with https', sandbox.baseUrl.replace('http:', 'https:')],
  ['host and path', sandbox.baseUrl.replace('http://', '')],
] as const) {
  test(`D18.6 ${name} signed instead of the path: the hint says so`, async () => {
    assert.match(await hint(TARGET, { signed: { target: address + TARGET } }), /full address was signed.*path/)
  })
}

test('D18.6 signed with the callback secret: the hint says so', async () => {
  const words = /callback secret \(whsec_…\).*API secret \(vs_…\)/
  assert.match(await hint(TARGET, {}, { ...shop, apiSecret: shop.callbackSecret }), words)
  const bytes = Buffer.from(shop.callbackSecret.replace('whsec_', ''), 'base64')
  const signature = sign(bytes, { timestamp, method: 'GET', target: TARGET, body: '' })
  assert.match(await hint(TARGET, { signature }), words)
})

test('D18.7 signed with the bytes that the secret spells in hex: the hint says so', async () => {
  const bytes = Buffer.from(shop.apiSecret.replace('vs_', ''), 'hex')
  const signature = sign(bytes, { timestamp, method: 'GET', target: TARGET, body: '' })
  assert.match(await hint(TARGET, { signature }), /decoded from hex/)
})

test('D18.8 the details show the string that was to be signed, and never the secret', async () => {
  const body = JSON.stringify(depositBody())
  const answer = await shop.post('/v1/deposit', body, { timestamp, signature: '0'.repeat(64) })
  const { details } = refused(answer, 401, 'INVALID_SIGNATURE')
  assert.equal(details.signedString, `${timestamp}POST/v1/deposit${body}`)
  assert.ok(!answer.text.includes(shop.apiSecret.slice(3)))
})

test('D18.8 a body of more than 8 kB gets the general hint: comparing it with all mistakes would take too long', async () => {
  const body = JSON.stringify(depositBody({ metadata: { note: 'x'.repeat(8 * 1024) } }))
  const signed = { target: '/deposit' }
  assert.match(await hint('/v1/deposit', { body: JSON.stringify(depositBody()), signed }), /\/v1 prefix was left out/)
  assert.match(await hint('/v1/deposit', { body, signed }), /Compare signedString/)
})

test('D18.8 a wrong signature that is throttled is not compared with anything', async () => {
  const strict = await startService({ authFailuresPerMinute: 1 })
  const other = await strict.merchant()
  const signature = '0'.repeat(64)
  refused(await other.get(TARGET, { signature }), 401, 'INVALID_SIGNATURE')
  // Comparing needs the callback secrets, and would wait for them.
  const client = new pg.Client({ connectionString: strict.databaseUrl })
  await client.connect()
  await client.query('begin; lock table callback_secrets in access exclusive mode')
  refused(await other.get(TARGET, { signature }), 429, 'RATE_LIMITED')
  await client.end()
})

test('D18.9 live teaches nothing: one message for every wrong signature, and no details', async () => {
  const merchant = await live.merchant()
  const target = '/v1/balance'
  const good = sign(merchant.apiSecret, { timestamp, method: 'GET', target, body: '' })
  assert.equal((await merchant.get(target, { timestamp, signature: good })).status, 200)
  const errors = []
  for (const signature of [good.toUpperCase(), Buffer.from(good, 'hex').toString('base64'), '0'.repeat(64)])
    errors.push(refused(await merchant.get(target, { timestamp, signature }), 401, 'INVALID_SIGNATURE'))
  errors.push(refused(await merchant.get(target, { signed: { method: 'get' } }), 401, 'INVALID_SIGNATURE'))
  assert.equal(new Set(errors.map(({ message }) => message)).size, 1)
  for (const error of errors) assert.deepEqual(Object.keys(error).toSorted(), ['code', 'message', 'requestId'])
})

test('D18.10 live puts its public address into checkoutUrl and logo', async () => {
  const merchant = await live.merchant()
  const { checkoutUrl } = (await merchant.post('/v1/deposit', depositBody())).body.data
  assert.match(checkoutUrl, /^https:\/\/x\.example\/checkout\?token=/)
  assert.match((await merchant.get('/v1/available-banks')).body.data.banks[1].logo, /^https:\/\/x\.example\/logos\//)
})

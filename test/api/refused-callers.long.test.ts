import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Network } from '../../packages/server/src/platform/http/ip.ts'
import { parseNetwork } from '../../packages/server/src/platform/http/ip.ts'
import { ready, vezne } from '../harness/child-process.ts'
import type { Answer } from '../harness/client.ts'
import { client, send } from '../harness/client.ts'
import { testConfig } from '../harness/database.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { sendRaw } from '../harness/raw.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const BUDGET = 5
const proxies = [parseNetwork('127.0.0.1') as Network]
const service = await startService({ authFailuresPerMinute: BUDGET, trustedProxies: proxies })
const shop = await service.merchant({ allowedNetworks: [] })
const other = await service.merchant({ allowedNetworks: [] })
const { hostname, port } = new URL(service.baseUrl)

/** A caller as the proxy on this machine reports it. */
const from = (address: string, headers = {}) => ({ headers: { 'x-forwarded-for': address, ...headers } })
const wrong = { signature: '0'.repeat(64) }
const invented = (index: number) => ({ 'x-api-key': `vk_${String(index).padStart(32, '0')}` })

for (const [name, head, status, code] of [
  ['a { in the path', 'GET /healthz{ HTTP/1.1\r\nhost: localhost', 404, 'NOT_FOUND'],
  ['a { in the query', 'GET /healthz?a={ HTTP/1.1\r\nhost: localhost', 404, 'NOT_FOUND'],
  ['a { in the query of the API', 'GET /v1/balance?a={"b":1} HTTP/1.1\r\nhost: localhost', 404, 'NOT_FOUND'],
  ['a { in the address of a page', 'GET /checkout?token={ HTTP/1.1\r\nhost: localhost', 404, 'NOT_FOUND'],
  ['two Host headers', 'GET /healthz HTTP/1.1\r\nhost: x\r\nHost: y', 400, 'VALIDATION_ERROR'],
  ['two Host headers for a page', 'GET /checkout HTTP/1.1\r\nhost: x\r\nHOST: x', 400, 'VALIDATION_ERROR'],
  ['no Host header for a page', 'GET /checkout HTTP/1.1', 400, 'VALIDATION_ERROR'],
  ['the name of another site', 'GET /healthz HTTP/1.1\r\nhost: rebound.example', 400, 'VALIDATION_ERROR'],
  [
    'the name of another site, for a page',
    'GET /checkout HTTP/1.1\r\nhost: localhost.example:80',
    400,
    'VALIDATION_ERROR',
  ],
  ['HTTP/0.9', 'GET /healthz HTTP/0.9\r\nhost: localhost', 400, 'VALIDATION_ERROR'],
  ['HTTP/2.0 in a request line', 'GET /healthz HTTP/2.0\r\nhost: localhost', 400, 'VALIDATION_ERROR'],
  ['HTTP/1.2', 'GET /healthz HTTP/1.2\r\nhost: localhost', 400, 'VALIDATION_ERROR'],
  ['HTTP/3.7', 'GET /healthz HTTP/3.7\r\nhost: localhost', 400, 'VALIDATION_ERROR'],
] as const) {
  test(`${name}: ${status} ${code} with the envelope`, async () => {
    const answer = await sendRaw(service.baseUrl, `${head}\r\nconnection: close\r\n\r\n`)
    assert.deepEqual([answer.status, answer.code], [status, code], answer.text)
  })
}

test('a sandbox is reached as localhost, by an address, and by the name in its public address; live is not asked', async () => {
  const statusOf = async (baseUrl: string, host: string) =>
    (await sendRaw(baseUrl, `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)).status
  for (const host of ['localhost', 'LOCALHOST:8080', 'shop.localhost', '127.0.0.1:1', '[::1]:80', '192.168.1.7'])
    assert.equal(await statusOf(service.baseUrl, host), 200, host)
  const named = await startService({ publicUrl: 'https://pay.example' })
  assert.deepEqual(
    [await statusOf(named.baseUrl, 'pay.example'), await statusOf(named.baseUrl, 'x.example')],
    [200, 400],
  )
  const live = await startService({ mode: 'live', publicUrl: 'https://pay.example' })
  assert.equal(await statusOf(live.baseUrl, 'vezne.internal'), 200)
})

test('HTTP/1.0 is answered: many proxies and probes speak it', async () => {
  assert.equal((await sendRaw(service.baseUrl, 'GET /healthz HTTP/1.0\r\n\r\n')).status, 200)
})

test('no answer of the API is kept by a cache or taken for another type; the bank list may be kept, and asked for again', async () => {
  const headersOf = ({ headers }: Answer) => [headers['cache-control'], headers['x-content-type-options']]
  const answers = [
    await shop.get('/v1/balance'),
    await shop.get('/v1/nothing'),
    await send({ hostname, port, path: '/v1/balance', headers: { 'x-forwarded-for': '192.0.2.1' } }),
    await send({ hostname, port, path: '/nothing' }),
    await send({ hostname, port, path: '/healthz' }),
    await send({ hostname, port, path: '/healthz?{' }),
  ]
  for (const answer of answers) assert.deepEqual(headersOf(answer), ['no-store', 'nosniff'])
  assert.deepEqual(headersOf(await shop.get('/v1/available-banks')), ['private, no-cache', 'nosniff'])
  for (const { headers } of answers) assert.equal(headers['strict-transport-security'], undefined)
})

test('with a public address of https, every answer asks for https from then on', async () => {
  const secure = await startService({ publicUrl: 'https://pay.example' })
  const at = new URL(secure.baseUrl)
  for (const path of ['/healthz', '/nothing', '/v1/balance', '/checkout/x']) {
    const { headers } = await send({ hostname: at.hostname, port: at.port, path })
    assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains', path)
  }
})

test('too many unknown keys from one address: 429 with Retry-After; good requests from there and others are not affected', async () => {
  const address = '203.0.113.1'
  for (let index = 0; index < BUDGET; index++)
    refused(await shop.get('/v1/balance', from(address, invented(index))), 401, 'INVALID_API_KEY')
  const answer = await shop.get('/v1/balance', from(address, invented(99)))
  refused(answer, 429, 'RATE_LIMITED')
  const wait = Number(answer.headers['retry-after'])
  assert.ok(wait >= 1 && wait <= 60 / BUDGET, String(wait))
  refused(await shop.get('/v1/balance', from(address, { 'x-api-key': null })), 429, 'RATE_LIMITED')
  accepted(await shop.get('/v1/balance', from(address)), 200)
  refused(await shop.get('/v1/balance', { ...wrong, ...from(address) }), 401, 'INVALID_SIGNATURE')
  refused(await shop.get('/v1/balance', from('203.0.113.2', invented(1))), 401, 'INVALID_API_KEY')
})

test('too many failures with one key from one address: 429; its good requests, other keys and other addresses are not affected', async () => {
  const address = '203.0.113.3'
  const old = { timestamp: '1000000000', ...from(address) }
  for (let index = 0; index < BUDGET; index++)
    refused(
      await shop.get('/v1/balance', index % 2 ? old : { ...wrong, ...from(address) }),
      401,
      index % 2 ? 'TIMESTAMP_EXPIRED' : 'INVALID_SIGNATURE',
    )
  for (const options of [{ ...wrong, ...from(address) }, old, from(address, { 'x-signature': null })])
    refused(await shop.get('/v1/balance', options), 429, 'RATE_LIMITED')
  accepted(await shop.get('/v1/balance', from(address)), 200)
  refused(await other.get('/v1/balance', { ...wrong, ...from(address) }), 401, 'INVALID_SIGNATURE')
  refused(await shop.get('/v1/balance', { ...wrong, ...from('203.0.113.4') }), 401, 'INVALID_SIGNATURE')
  refused(await shop.get('/v1/balance', from(address, invented(7))), 401, 'INVALID_API_KEY')
})

test('an IPv6 network is one caller', async () => {
  for (let index = 0; index < BUDGET; index++)
    refused(await shop.get('/v1/balance', from(`2001:db8::${index}`, invented(index))), 401, 'INVALID_API_KEY')
  refused(await shop.get('/v1/balance', from('2001:db8::ffff', invented(9))), 429, 'RATE_LIMITED')
  refused(await shop.get('/v1/balance', from('2001:db8:0:1::1', invented(9))), 401, 'INVALID_API_KEY')
})

for (const [mode, written] of [
  ['masked', '203.0.113.0/24'],
  ['full', '203.0.113.7'],
] as const) {
  test(`every refusal of a caller is counted, and logged with its address: ${mode}`, async () => {
    const child = vezne(['serve'], {
      DATABASE_URL: service.databaseUrl,
      VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
      VEZNE_TRUSTED_PROXIES: '127.0.0.1',
      VEZNE_AUTH_FAILURES_PER_MINUTE: '2',
      VEZNE_LOG: 'warn',
      VEZNE_LOG_ADDRESSES: mode,
    })
    after(async () => {
      child.process.kill('SIGTERM')
      await child.exited
    })
    const at = await ready(child)
    const caller = client(at, shop)
    const asks = [from('203.0.113.7', invented(1)), { ...wrong, ...from('203.0.113.7') }]
    for (const options of [...asks, ...asks, ...asks]) await caller.get('/v1/balance', options)
    refused(await caller.post('/v1/withdraw', {}, from('203.0.113.7')), 403, 'IP_NOT_WHITELISTED')
    const lines = () =>
      child
        .errors()
        .split('\n')
        .filter((line) => line.includes('"msg":"request"'))
        .map((line) => JSON.parse(line) as { address: string; code: string; throttled?: string })
    const seen = await until(
      async () => lines(),
      ({ length }) => length === 7,
    )
    assert.deepEqual(
      seen.map(({ address, code, throttled }) => [address, throttled ? `${code} ${throttled}` : code]),
      [
        ...['INVALID_API_KEY', 'INVALID_SIGNATURE', 'INVALID_API_KEY', 'INVALID_SIGNATURE'],
        ...['RATE_LIMITED INVALID_API_KEY', 'RATE_LIMITED INVALID_SIGNATURE', 'IP_NOT_WHITELISTED'],
      ].map((code) => [written, code]),
    )
    const { hostname: host, port: number } = new URL(at)
    // Not from the address of the trusted proxy: metrics are not for callers that come through one.
    const { text } = await send({ hostname: host, port: number, path: '/metrics', localAddress: '127.0.0.2' })
    assert.match(text, /vezne_refused_callers_total\{code="INVALID_SIGNATURE",throttled="no"\} 2\n/)
    assert.match(text, /vezne_refused_callers_total\{code="INVALID_SIGNATURE",throttled="yes"\} 1\n/)
    assert.match(text, /vezne_refused_callers_total\{code="IP_NOT_WHITELISTED",throttled="no"\} 1\n/)
  })
}

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { SettingsError } from '../../packages/server/src/platform/read-setting.ts'
import { revokeKey, revokeOldSecret, rotateKey } from '../../packages/server/src/domain/merchants/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import type { Answer } from '../harness/client.ts'
import { client, send } from '../harness/client.ts'
import { openAsCustomer } from '../harness/customer.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'
import { travelTo, until } from '../harness/until.ts'

// Decisions 12 (rate limit), 14 (ids), 15 (keys), 16 (checkout), 18 (modes).
const service = await startService()
const { app, baseUrl } = service
const shop = await service.merchant({ funds: 50_000n })
const { checkoutUrl } = accepted(await shop.post('/v1/deposit', depositBody({ amount: 123_456 })), 201)

const limited = ({ status }: Answer) => status === 429

test('D12.1 one request a second lets a burst of five pass, and limits what comes after', async () => {
  const shop = await service.merchant({ requestsPerSecond: 1 })
  const start = performance.now()
  const answers = await Promise.all(Array.from({ length: 12 }, () => shop.get('/v1/balance')))
  const passed = answers.filter(({ status }) => status === 200).length
  const refilled = Math.ceil((performance.now() - start) / 1000)
  assert.ok(passed >= 5 && passed <= 5 + refilled, `${passed} passed`)
  assert.equal(answers.filter(limited).length, 12 - passed)
})

test('D12.2 a caller that goes on asking gets its one request a second, and not none at all', async () => {
  const shop = await service.merchant({ requestsPerSecond: 1 })
  await Promise.all(Array.from({ length: 12 }, () => shop.get('/v1/balance')))
  await until(
    () => shop.get('/v1/balance'),
    ({ status }) => status === 200,
  )
})

test('D12.3 a wrong signature does not use up the allowance', async () => {
  const shop = await service.merchant({ requestsPerSecond: 1 })
  const wrong = Array.from({ length: 20 }, () => shop.get('/v1/balance', { signature: '0'.repeat(64) }))
  for (const answer of await Promise.all(wrong)) refused(answer, 401, 'INVALID_SIGNATURE')
  const right = await Promise.all(Array.from({ length: 5 }, () => shop.get('/v1/balance')))
  for (const answer of right) accepted(answer, 200)
})

test('D12.4 one merchant’s limit is not another’s', async () => {
  const shop = await service.merchant({ requestsPerSecond: 1 })
  await Promise.all(Array.from({ length: 12 }, () => shop.get('/v1/balance')))
  accepted(await (await service.merchant({ requestsPerSecond: 1 })).get('/v1/balance'), 200)
})

test('D14.1 ids are 24 lower-case hex characters that begin with the second of creation', async () => {
  const shop = await service.merchant({ funds: 50_000n })
  for (const data of [
    accepted(await shop.post('/v1/deposit', depositBody()), 201),
    accepted(await shop.post('/v1/withdraw', withdrawBody()), 201),
  ]) {
    assert.match(data.transactionId, /^[0-9a-f]{24}$/)
    const second = Number.parseInt(data.transactionId.slice(0, 8), 16)
    assert.ok(Math.abs(second - Math.floor(Date.parse(data.createdAt) / 1000)) <= 1)
  }
  for (const { _id } of accepted(await shop.get('/v1/available-banks'), 200).banks.slice(1))
    assert.match(_id, /^[0-9a-f]{24}$/)
})

// At once, because each waits for a cache of one second.
suite('D15 keys', { concurrency: true }, () => {
  test('D15.1 after a rotation both secrets sign; the third rotation ends the oldest', async () => {
    const shop = await service.merchant()
    const asks = (apiSecret: string) => client(baseUrl, { apiKey: shop.apiKey, apiSecret }).get('/v1/balance')
    const second = await rotateKey(app, UNATTRIBUTED, shop.merchantId)
    assert.equal(second.apiKey, shop.apiKey)
    await until(
      () => asks(second.apiSecret),
      ({ status }) => status === 200,
    )
    accepted(await asks(shop.apiSecret), 200)
    const third = await rotateKey(app, UNATTRIBUTED, shop.merchantId)
    await until(
      () => asks(third.apiSecret),
      ({ status }) => status === 200,
    )
    accepted(await asks(second.apiSecret), 200)
    refused(await asks(shop.apiSecret), 401, 'INVALID_SIGNATURE')
  })

  test('D15.2 the old secret can be ended early; the new one goes on', async () => {
    const shop = await service.merchant()
    const { apiSecret } = await rotateKey(app, UNATTRIBUTED, shop.merchantId)
    accepted(await shop.get('/v1/balance'), 200)
    await revokeOldSecret(app, UNATTRIBUTED, shop.merchantId)
    await until(
      () => shop.get('/v1/balance'),
      ({ code }) => code === 'INVALID_SIGNATURE',
    )
    accepted(await client(baseUrl, { apiKey: shop.apiKey, apiSecret }).get('/v1/balance'), 200)
  })

  test('D15.3 a revoked key is refused within about a second: 401 INVALID_API_KEY', async () => {
    const shop = await service.merchant()
    accepted(await shop.get('/v1/balance'), 200)
    await revokeKey(app, UNATTRIBUTED, shop.merchantId)
    await until(
      () => shop.get('/v1/balance'),
      ({ code }) => code === 'INVALID_API_KEY',
    )
  })
})

test('D15.4 secrets are not kept in the clear', async () => {
  const shop = await service.merchant()
  const rows = await app.db.query<{ sealed: string }>(sql`select sealed::text from merchant_secrets`)
  assert.ok(rows.length > 0)
  for (const { sealed } of rows)
    assert.ok(!sealed.includes(shop.apiSecret) && !sealed.includes(shop.apiSecret.slice(3)))
})

const { hostname, port, searchParams } = new URL(checkoutUrl)
const token = searchParams.get('token') ?? ''
const page = (query: string) => send({ hostname, port, path: `/checkout${query}` })

test('D16.1 the checkout page opens with its token, needs no signature, and is never cached or framed', async () => {
  const answer = await openAsCustomer(checkoutUrl)
  assert.equal(answer.status, 200)
  assert.match(answer.text, /1\.234,56/)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers['referrer-policy'], 'no-referrer')
  assert.match(String(answer.headers['content-security-policy']), /frame-ancestors 'none'/)
})

test('D16.2 each changed character of the token, and a token cut, doubled or absent: 404', async () => {
  const changed = Array.from(token, (one, at) => token.slice(0, at) + (one === 'A' ? 'Q' : 'A') + token.slice(at + 1))
  const queries = changed.slice(0, -1).map((wrong) => `?token=${wrong}`)
  queries.push('', '?token=', `?token=${token.slice(1)}`, `?token=${token}A`, `?token=${token}&token=${token}`)
  for (const answer of await Promise.all(queries.map(page))) assert.equal(answer.status, 404)
})

test('D16.3 only the token that was given out opens the page, not another text for the same bytes', async () => {
  // The last character of base64url may carry bits that decoding throws away.
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const others = Array.from(ALPHABET).filter((letter) => !token.endsWith(letter))
  const answers = await Promise.all(others.map((letter) => page(`?token=${token.slice(0, -1)}${letter}`)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [404])
})

test('D16.4 the page speaks Turkish unless the deposit says English', async () => {
  const open = async (language?: string) => {
    const { checkoutUrl: url } = accepted(await shop.post('/v1/deposit', depositBody({ language })), 201)
    return (await openAsCustomer(url)).text
  }
  assert.match(await open(), /lang="tr"/)
  assert.match(await open('tr'), /lang="tr"/)
  assert.match(await open('en'), /lang="en"/)
})

test('D16.5 every deposit has a token of its own; GET shows the same address again while it is pending', async () => {
  const data = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  assert.notEqual(data.checkoutUrl, checkoutUrl)
  assert.equal(accepted(await shop.get(`/v1/transactions/${data.transactionId}`), 200).checkoutUrl, data.checkoutUrl)
})

test('D18.11 time travel moves business time, and neither signatures nor the envelope', async () => {
  await travelTo(app, 86_400)
  const { createdAt } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now() - 86_400_000) < 60_000)
  const timestamp = String(Math.floor(Date.now() / 1000) + 86_400)
  refused(await shop.get('/v1/balance', { timestamp }), 401, 'TIMESTAMP_EXPIRED')
  await travelTo(app, 0)
})

test('D18.12 live refuses to start on weak settings and names each', () => {
  const weak = { VEZNE_MODE: 'live', VEZNE_PUBLIC_URL: 'http://x.example', VEZNE_MASTER_KEY: '0'.repeat(64) }
  assert.throws(
    () => readConfig(weak),
    (error: Error) =>
      error instanceof SettingsError &&
      /VEZNE_PUBLIC_URL/.test(error.message) &&
      /VEZNE_MASTER_KEY/.test(error.message),
  )
  assert.throws(() => readConfig({ VEZNE_MODE: 'live' }), /VEZNE_MASTER_KEY is missing/)
})

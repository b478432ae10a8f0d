import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { switchBank } from '../../packages/server/src/domain/banks/index.ts'
import { EVENT_TYPES } from '@vezne/contract'
import { accepted, refused } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

// What a developer reads when something is wrong: the rule in words, and what was sent.
const sandbox = await startService()
const live = await startService({ mode: 'live', publicUrl: 'https://x.example' })
const shop = await sandbox.merchant({ funds: 1_000_000n, returnOrigins: ['https://shop.example'] })
const { banks } = accepted(await shop.get('/v1/available-banks'), 200)
const customer = depositBody().customer

for (const [changes, message] of [
  [{ processId: 'x'.repeat(63) }, 'processId has 63 characters; at most 50 are allowed'],
  [{ processId: '🦊'.repeat(51) }, 'processId has 51 characters; at most 50 are allowed'],
  [{ processId: '' }, 'processId must not be empty'],
  [{ processId: 7 }, 'processId must be a string, not a number'],
  [{ amount: '125000' }, 'amount must be a whole number of kuruş, not a string: 125000 for 1.250,00 TL'],
  [{ amount: null }, 'amount must be a whole number of kuruş, not null: 125000 for 1.250,00 TL'],
  [{ amount: [1] }, 'amount must be a whole number of kuruş, not an array: 125000 for 1.250,00 TL'],
  [{ amount: true }, 'amount must be a whole number of kuruş, not a boolean: 125000 for 1.250,00 TL'],
  [{ amount: 0 }, 'amount must be at least 1, not 0'],
  [{ amount: undefined }, 'amount is required'],
  [{ currency: 'try' }, 'currency must be three capital letters such as TRY, not "try"'],
  [{ currency: 'USD' }, 'currency must be TRY, not "USD"'],
  [{ language: 'de' }, 'language must be one of tr, en, not "de"'],
  [{ customer: 'Ayşe' }, 'customer must be an object, not a string'],
  [{ customer: { ...customer, name: 7 } }, 'customer.name must be a string, not a number'],
  [
    { customer: { ...customer, name: 'Ay\u{1F98A}\u0007şe' } },
    'customer.name must not be blank and must not contain control or direction characters (found U+0007 at position 4)',
  ],
  [
    { customer: { ...customer, name: '  ' } },
    'customer.name must not be blank and must not contain control or direction characters (it has only spaces)',
  ],
  [{ metadata: { x: 'x'.repeat(5000) } }, 'metadata has 5008 bytes as JSON; at most 4096 are allowed'],
] as const) {
  test(`M.1 deposit: "${message}"`, async () => {
    const error = refused(await shop.post('/v1/deposit', depositBody(changes)), 400, 'VALIDATION_ERROR')
    assert.equal(error.message, message)
    const [field = ''] = message.split(' ')
    assert.deepEqual(error.details, [{ field, problem: message.slice(field.length + 1) }])
  })
}

for (const [path, message] of [
  [
    '/v1/transactions/XYZ',
    'transactionId must be 24 lower-case hex characters (for a processId use GET /v1/transactions?processId=…), not "XYZ"',
  ],
  ['/v1/transactions?limit=0', 'limit must be a whole number from 1 to 100, not "0"'],
  ['/v1/transactions?limit=101', 'limit must be a whole number from 1 to 100, not "101"'],
  ['/v1/transactions?cursor=1', 'cursor must be 24 lower-case hex characters, not "1"'],
  ['/v1/transactions?type=refund', 'type must be one of deposit, withdrawal, not "refund"'],
  ['/v1/transactions?procesId=1', 'procesId is not a parameter of this endpoint; did you mean processId?'],
  ['/v1/balance?colour=blue', 'colour is not a parameter of this endpoint; it takes currency'],
  ['/v1/events?type=x', `type must be one of ${EVENT_TYPES.join(', ')}, not "x"`],
  ['/v1/events?type=deposit.paid', `type must be one of ${EVENT_TYPES.join(', ')}, not "deposit.paid"`],
  ['/v1/events?after=x', 'after must be the cursor of an event, not "x"'],
  [
    '/v1/transactions?from=yesterday',
    'from must be a time with its zone, such as 2026-11-15T09:00:00Z, not "yesterday"',
  ],
  [
    '/v1/transactions?from=2026-11-15T09:00:00+03:00',
    'from has a space where its + should be; in a query a + must be written as %2B: 2026-11-15T09:00:00%2B03:00',
  ],
] as const) {
  test(`M.2 GET ${path}: "${message}"`, async () => {
    assert.equal(refused(await shop.get(path), 400, 'VALIDATION_ERROR').message, message)
  })
}

test('M.2 the time with %2B is accepted', async () => {
  accepted(await shop.get('/v1/transactions?from=2026-11-15T09:00:00%2B03:00'), 200)
})

test('M.3 what was sent is quoted in bounded words', async () => {
  const error = refused(await shop.get(`/v1/transactions?type=${'x'.repeat(5000)}`), 400, 'VALIDATION_ERROR')
  assert.ok(error.message.length < 200, error.message)
})

test('M.4 AMOUNT_OUT_OF_RANGE carries the limits of the chosen bank', async () => {
  const { _id: bankCode, minAmount, maxAmount } = banks[1]
  for (const amount of [minAmount - 1, maxAmount + 1]) {
    const error = refused(await shop.post('/v1/deposit', depositBody({ bankCode, amount })), 400, 'AMOUNT_OUT_OF_RANGE')
    assert.deepEqual(error.details, { minAmount, maxAmount })
    assert.match(
      error.message,
      /^Akbank accepts 1,00 TL to 500\.000,00 TL\. In the smallest unit: 100 to 50000000\. The amount \d+ is /,
    )
  }
})

test('M.5 without a bank AMOUNT_OUT_OF_RANGE carries the widest limits of all of them', async () => {
  const widest = Math.max(...banks.map(({ maxAmount }: { maxAmount: number }) => maxAmount))
  const least = Math.min(...banks.map(({ minAmount }: { minAmount: number }) => minAmount))
  const body = depositBody({ bankCode: undefined, amount: widest + 1 })
  const error = refused(await shop.post('/v1/deposit', body), 400, 'AMOUNT_OUT_OF_RANGE')
  assert.deepEqual(error.details, { minAmount: least, maxAmount: widest })
  assert.match(
    error.message,
    new RegExp(
      `^None of the available banks .* In the smallest unit: ${least} to ${widest}\\. The amount ${widest + 1} is`,
    ),
  )
})

test('M.6 an address that is not registered is named; a sandbox has the command that registers it', async () => {
  const merchant = await sandbox.merchant({ allowedNetworks: [] })
  const { message } = refused(await merchant.post('/v1/withdraw', withdrawBody()), 403, 'IP_NOT_WHITELISTED')
  const command = `npx vezne merchant allow-ip ${merchant.merchantId} 127.0.0.1`
  assert.equal(message, `The address 127.0.0.1 is not registered for this account. Register it with: ${command}`)
})

test('M.7 in live the operator registers addresses, and no command is shown', async () => {
  const merchant = await live.merchant({ allowedNetworks: [] })
  const { message } = refused(await merchant.post('/v1/withdraw', withdrawBody()), 403, 'IP_NOT_WHITELISTED')
  const words = 'Ask the operator of this service to register it.'
  assert.equal(message, `The address 127.0.0.1 is not registered for this account. ${words}`)
})

test('M.8 a bank that is switched off is said to be disabled, one that does not exist is not', async () => {
  const { _id: id, name, code } = banks[2]
  await switchBank(sandbox.app, UNATTRIBUTED, id, false)
  const ask = () => shop.post('/v1/deposit', depositBody({ bankCode: id }))
  const answer = await until(ask, ({ status }) => status === 400)
  const list = 'choose another one from GET /v1/available-banks'
  assert.equal(
    refused(answer, 400, 'VALIDATION_ERROR').message,
    `bankCode is ${name} (${code}), which is disabled at the moment; ${list}`,
  )
  await switchBank(sandbox.app, UNATTRIBUTED, id, true)
  await until(ask, ({ status }) => status === 201)
  const unknown = await shop.post('/v1/deposit', depositBody({ bankCode: '9999' }))
  const rule = 'must be the _id or the four-digit code of a bank from GET /v1/available-banks'
  assert.equal(refused(unknown, 400, 'VALIDATION_ERROR').message, `bankCode ${rule}, or "FAST", not "9999"`)
  const payout = await shop.post('/v1/withdraw', withdrawBody({ bankId: 'akbank' }))
  assert.equal(refused(payout, 400, 'VALIDATION_ERROR').message, `bankId ${rule}, not "akbank"`)
})

test('M.9 a returnUrl on another origin: the allowed ones, and in a sandbox the command that adds one', async () => {
  const returnUrl = 'https://new.example/done'
  const mine = refused(await shop.post('/v1/deposit', depositBody({ returnUrl })), 400, 'VALIDATION_ERROR').message
  const rule = 'returnUrl must lie on an origin that is registered for this account'
  const command = `npx vezne merchant brand ${shop.merchantId} --return-origin https://shop.example https://new.example`
  assert.equal(mine, `${rule} (https://shop.example) or on this machine. Register https://new.example with: ${command}`)
  const other = await live.merchant({ returnOrigins: ['https://shop.example'] })
  const theirs = refused(await other.post('/v1/deposit', depositBody({ returnUrl })), 400, 'VALIDATION_ERROR').message
  assert.equal(theirs, `${rule} (https://shop.example). Ask the operator of this service to register it.`)
})

test('M.10 in a sandbox a returnUrl may lead to this machine without registering, in live it may not', async () => {
  const other = await live.merchant()
  for (const origin of ['http://localhost:3000', 'http://localhost', 'http://127.0.0.1:8080', 'http://[::1]:5173']) {
    const body = () => depositBody({ returnUrl: `${origin}/done?order=1` })
    accepted(await shop.post('/v1/deposit', body()), 201)
    refused(await other.post('/v1/deposit', body()), 400, 'VALIDATION_ERROR')
  }
  for (const returnUrl of ['http://localhost.evil.example/', 'http://127.0.0.1.evil.example/', 'http://x@localhost/'])
    refused(await shop.post('/v1/deposit', depositBody({ returnUrl })), 400, 'VALIDATION_ERROR')
})

test('M.11 a returnUrl without a scheme: what it must begin with', async () => {
  for (const returnUrl of ['shop.example/done', 'localhost:3000/done', '/done', 'ftp://shop.example/']) {
    const error = refused(await shop.post('/v1/deposit', depositBody({ returnUrl })), 400, 'VALIDATION_ERROR')
    assert.equal(error.message, 'returnUrl must begin with http:// or https://')
  }
  const named = await shop.post('/v1/deposit', depositBody({ returnUrl: 'http://a:b@localhost/' }))
  assert.match(refused(named, 400, 'VALIDATION_ERROR').message, /without user name and password/)
})

test('M.12 INSUFFICIENT_BALANCE says what is available and needed; a sandbox names the command that funds', async () => {
  const poor = { funds: 5000n, withdrawFee: { bps: 100 } }
  const [mine, other] = [await sandbox.merchant(poor), await live.merchant(poor)]
  const ask = async (one: typeof mine) =>
    refused(await one.post('/v1/withdraw', withdrawBody({ amount: 10_000 })), 400, 'INSUFFICIENT_BALANCE')
  const taught = await ask(mine)
  assert.deepEqual(taught.details, { available: 5000, needed: 10_100 })
  assert.ok(taught.message.endsWith(` Fund it with: npx vezne sim fund ${mine.merchantId} 5100`), taught.message)
  const much = await mine.post('/v1/withdraw', withdrawBody({ amount: 1e12 }))
  const beyond = refused(much, 400, 'INSUFFICIENT_BALANCE').message
  assert.ok(!beyond.includes('sim fund'), `more than sim fund takes: ${beyond}`)
  const plain = await ask(other)
  assert.deepEqual(plain.details, { available: 5000, needed: 10_100 })
  assert.ok(!plain.message.includes('npx'), plain.message)
})

test('M.13 the API secret sent as the key: a sandbox says so, live does not', async () => {
  const ask = async (one: typeof shop) =>
    refused(await one.get('/v1/balance', { headers: { 'x-api-key': one.apiSecret } }), 401, 'INVALID_API_KEY').message
  assert.equal(await ask(shop), 'X-API-Key has the API secret; send the API key, which begins with vk_.')
  assert.equal(await ask(await live.merchant()), 'This API key does not exist or was revoked.')
})

for (const [method, path, meant] of [
  ['POST', '/v1/deposits', '/v1/deposit'],
  ['POST', '/v1/Deposit', '/v1/deposit'],
  ['POST', '/v1/deposit/', '/v1/deposit'],
  ['POST', '/v1//deposit', '/v1/deposit'],
  ['POST', '/v1/withdrawal', '/v1/withdraw'],
  ['POST', '/v1/withdrawals', '/v1/withdraw'],
  ['GET', '/v1/banks', '/v1/available-banks'],
  ['GET', '/v1/balances', '/v1/balance'],
  ['GET', '/v1/transaction/6af95a29428d9b71948dc42f', '/v1/transactions/6af95a29428d9b71948dc42f'],
  ['GET', '/v1/deposits/6af95a29428d9b71948dc42f', '/v1/transactions/6af95a29428d9b71948dc42f'],
  ['GET', '/v1/withdraw/6af95a29428d9b71948dc42f', '/v1/transactions/6af95a29428d9b71948dc42f'],
  ['GET', '/v1/transactions/?type=deposit', '/v1/transactions'],
] as const) {
  test(`M.14 ${method} ${path}: did you mean ${meant}?`, async () => {
    const { message } = refused(
      await shop.call(path, { method, ...(method === 'POST' && { body: {} }) }),
      404,
      'NOT_FOUND',
    )
    assert.ok(message.endsWith(` Did you mean ${meant}?`), message)
  })
}

for (const path of ['/deposit', '/api/v1/deposit', '/v2/deposit', '//v1/deposit', '/V1/deposits']) {
  test(`M.14 POST ${path}, outside /v1: did you mean /v1/deposit?`, async () => {
    const { message } = refused(await shop.post(path, depositBody()), 404, 'NOT_FOUND')
    assert.equal(message, `There is nothing at POST ${path}. Did you mean /v1/deposit?`)
  })
}

test('M.14 a path that is near to nothing gets no guess, nor one with an escape in it', async () => {
  for (const path of [
    '/v1/refunds',
    '/v1/customers/1/cards',
    '/v1/deposit%20',
    '/v1',
    '/',
    '/refunds',
    `/deposit/${'x'.repeat(500)}`,
    '/v1/transaction/%2e',
  ])
    assert.doesNotMatch(refused(await shop.get(path), 404, 'NOT_FOUND').message, /Did you mean/)
})

test('M.15 a GET with a body that was signed with it: the hint says that a GET carries none', async () => {
  const options = { method: 'GET', body: '{"type":"deposit"}' }
  const error = refused(await shop.call('/v1/transactions', options), 401, 'INVALID_SIGNATURE')
  assert.match(error.details.hint, /A GET request carries no body: send none, and sign an empty one\./)
})

for (const [name, headers, message] of [
  [
    'a merchantId',
    { 'x-api-key': shop.merchantId },
    'X-API-Key has a merchantId; send the API key, which begins with vk_.',
  ],
  ['Bearer', { 'x-api-key': `Bearer ${shop.apiKey}` }, 'X-API-Key has a word before the key; send the key alone.'],
  [
    'Authorization',
    { 'x-api-key': null, authorization: `Bearer ${shop.apiKey}` },
    'The header X-API-Key is missing. Authorization is not read: send the API key in X-API-Key.',
  ],
] as const) {
  test(`M.16 the key sent wrongly, ${name}: a sandbox says so`, async () => {
    assert.equal(refused(await shop.get('/v1/balance', { headers }), 401, 'INVALID_API_KEY').message, message)
  })
}

for (const [name, body, message] of [
  ['a byte order mark', `\ufeff${JSON.stringify(depositBody())}`, /^The request body starts with a byte order mark/],
  ['encoded twice', JSON.stringify(JSON.stringify(depositBody())), /^The request body is a JSON string.*encoded twice/],
  ['an array', '[]', /^The request body must be a JSON object, from its first byte on\.$/],
] as const) {
  test(`M.17 a body with ${name} is refused by that name`, async () => {
    assert.match(refused(await shop.post('/v1/deposit', body), 400, 'VALIDATION_ERROR').message, message)
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted, refused } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'

// Decision 27: a sandbox warns of fields that are not documented; live ignores them and says nothing.
const sandbox = await startService()
const live = await startService({ mode: 'live', publicUrl: 'https://x.example' })
const shop = await sandbox.merchant({ funds: 1_000_000n })
const deposit = (changes: Record<string, unknown>) => shop.post('/v1/deposit', depositBody(changes))

const ignored = 'is not a documented field and was ignored'

test('D27.1 an undocumented field is accepted, and named in warnings beside data', async () => {
  const { status, body } = await deposit({ colour: 'blue' })
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(body), ['success', 'data', 'warnings', 'timestamp'])
  assert.deepEqual(body.warnings, [{ field: 'colour', message: `colour ${ignored}.` }])
})

for (const [sent, meant] of [
  ['returnURL', 'returnUrl'],
  ['returnurl', 'returnUrl'],
  ['bankcode', 'bankCode'],
  ['bank_code', 'bankCode'],
  ['curency', 'currency'],
  ['metdata', 'metadata'],
  ['Language', 'language'],
] as const) {
  test(`D27.2 deposit: ${sent} was probably meant as ${meant}`, async () => {
    const { body } = await deposit({ [sent]: 'x' })
    const message = `${sent} ${ignored}; did you mean ${meant}?`
    assert.deepEqual(body.warnings, [{ field: sent, message }])
  })
}

test('D27.3 nested fields are named with their path, and metadata may hold anything', async () => {
  const customer = { ...depositBody().customer, userName: 'x', IP: '127.0.0.1' }
  const { body } = await deposit({ customer, metadata: { returnURL: 'x', customer: { userName: 1 } } })
  assert.deepEqual(body.warnings, [
    { field: 'customer.userName', message: `customer.userName ${ignored}; did you mean customer.username?` },
    { field: 'customer.IP', message: `customer.IP ${ignored}.` },
  ])
})

test('D27.4 an error carries the warnings too: the misspelt field is usually the missing one', async () => {
  const { accountName, ...rest } = withdrawBody()
  const answer = await shop.post('/v1/withdraw', { ...rest, accountname: accountName })
  assert.deepEqual([answer.status, answer.code], [400, 'VALIDATION_ERROR'])
  assert.deepEqual(Object.keys(answer.body), ['success', 'error', 'warnings', 'timestamp'])
  const message = `accountname ${ignored}; did you mean accountName?`
  assert.deepEqual(answer.body.warnings, [{ field: 'accountname', message }])
})

test('D27.5 a refusal of the domain carries them as well', async () => {
  const { code, body } = await deposit({ amount: 1, bankcode: 'FAST' })
  assert.equal(code, 'AMOUNT_OUT_OF_RANGE')
  assert.equal(body.warnings.length, 1)
})

test('D27.6 without undocumented fields there are no warnings', async () => {
  accepted(await deposit({ metadata: { any: 1 }, language: 'en', currency: 'TRY' }), 201)
  accepted(await shop.post('/v1/withdraw', withdrawBody({ metadata: {} })), 201)
  refused(await deposit({ amount: 1 }), 400, 'AMOUNT_OUT_OF_RANGE')
})

test('D27.7 a body of thousands of them is answered with twenty, in bounded words', async () => {
  const many = Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`field${index}`, 1]))
  const { body } = await deposit({ ['y'.repeat(5000)]: 1, ...many })
  assert.equal(body.warnings.length, 20)
  assert.ok(body.warnings[0].field.length <= 100)
})

test('D27.9 a body that an endpoint does not take is named too; what belongs into the query is said to', async () => {
  const { transactionId } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  const path = `/v1/transactions/${transactionId}/cancel`
  const { status, body } = await shop.post(path, { reason: 'x' })
  assert.equal(status, 200)
  assert.deepEqual(body.warnings, [{ field: 'reason', message: `reason ${ignored}.` }])
  const resent = await shop.post(`/v1/events/${'a'.repeat(24)}/resend`, { endpointId: 'b'.repeat(24) })
  assert.equal(resent.code, 'NOT_FOUND')
  const message = `endpointId ${ignored}; send it in the query: ?endpointId=…`
  assert.deepEqual(resent.body.warnings, [{ field: 'endpointId', message }])
})

test('D27.10 callbackUrl: where callbacks go instead', async () => {
  for (const field of ['callbackUrl', 'callback_url', 'webhookUrl']) {
    const { body } = await deposit({ [field]: 'https://shop.example/callbacks' })
    const message = `${field} ${ignored}; callbacks go to endpoints: npx vezne endpoint add`
    assert.deepEqual(body.warnings, [{ field, message }])
  }
})

test('D27.8 live ignores them without a word, in success and in error', async () => {
  const merchant = await live.merchant()
  accepted(await merchant.post('/v1/deposit', depositBody({ returnURL: 'x', bankcode: 'x' })), 201)
  refused(await merchant.post('/v1/deposit', depositBody({ amount: 1, bankcode: 'x' })), 400, 'AMOUNT_OUT_OF_RANGE')
})

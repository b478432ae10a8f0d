import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merchantActor } from '../../packages/server/src/kernel/actor.ts'
import { chooseBank, createDeposits, forgetBank } from '../../packages/server/src/domain/deposits/index.ts'
import { createWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const shop = await service.merchant({ funds: 10_000_000n, returnOrigins: ['https://shop.example'] })
const garanti = await app.banks.bankByCode('0062')

/** Creates the first, sends the second under the same processId, and returns what was said about it. */
async function resent(path: string, first: { processId: string }, again: object) {
  const { transactionId } = accepted(await shop.post(path, first), 201)
  const { details, message } = refused(
    await shop.post(path, { ...again, processId: first.processId }),
    400,
    'DUPLICATE_TRANSACTION',
  )
  assert.equal(details.transactionId, transactionId)
  assert.ok(message.includes(`GET /v1/transactions/${transactionId}`), message)
  return { differs: details.differs as string[], message: message as string }
}

const returnUrl = 'https://shop.example/back'
const deposit = depositBody({ metadata: { order: 1, lines: [{ a: 1, b: 2 }] }, returnUrl })
const { customer } = deposit

for (const [field, changes] of [
  ['amount', { amount: 125_001 }],
  ['bankCode', { bankCode: undefined }],
  ['customer.id', { customer: { ...customer, id: 'c-2' } }],
  ['customer.name', { customer: { ...customer, name: 'Ayse Yilmaz' } }],
  ['customer.username', { customer: { ...customer, username: 'Ayse' } }],
  ['metadata', { metadata: { order: 1, lines: [{ a: 1 }] } }],
  ['metadata', { metadata: undefined }],
  ['returnUrl', { returnUrl: `${returnUrl}?again` }],
  ['language', { language: 'en' }],
] as const) {
  test(`a deposit again with another ${field} ${JSON.stringify(changes)}: details.differs names it`, async () => {
    const { differs, message } = await resent(
      '/v1/deposit',
      { ...deposit, processId: app.ids.next() },
      { ...deposit, ...changes },
    )
    assert.deepEqual(differs, [field])
    assert.match(message, new RegExp(`This request differs from the first in ${field}\\.`))
  })
}

test('several differences are all named; no value is repeated', async () => {
  const first = withdrawBody({ userName: 'first-secret' })
  const { differs, message } = await resent('/v1/withdraw', first, {
    ...first,
    amount: 98_765,
    userName: 'other-secret',
  })
  assert.deepEqual(differs, ['amount', 'userName'])
  assert.match(message, /differs from the first in amount, userName\./)
  assert.doesNotMatch(message, /secret|98765|10000/)
})

test('the same deposit again: differs is empty, whatever the spelling of JSON and defaults', async () => {
  for (const again of [
    deposit,
    { ...deposit, currency: 'TRY', language: 'tr' },
    { ...deposit, metadata: { lines: [{ b: 2, a: 1 }], order: 1 } },
  ]) {
    const { differs, message } = await resent('/v1/deposit', { ...deposit, processId: app.ids.next() }, again)
    assert.deepEqual(differs, [])
    assert.match(message, /It is the same request\./)
  }
  const zero = `{"processId":"zero","amount":100,"customer":${JSON.stringify(customer)},"metadata":{"a":-0,"b":1.0}}`
  accepted(await shop.post('/v1/deposit', zero), 201)
  assert.deepEqual(refused(await shop.post('/v1/deposit', zero), 400, 'DUPLICATE_TRANSACTION').details.differs, [])
})

test('a bank that the customer chose, changed or gave up since is no difference', async () => {
  for (const bankCode of [undefined, 'FAST', garanti?.id]) {
    const body = depositBody({ bankCode })
    const { transactionId: id } = accepted(await shop.post('/v1/deposit', body), 201)
    const differs = async (changes: object) =>
      refused(await shop.post('/v1/deposit', { ...body, ...changes }), 400, 'DUPLICATE_TRANSACTION').details.differs
    const key = { merchantId: shop.merchantId, id }
    const akbank = (await app.banks.bankByCode('0046'))?.id ?? assert.fail()
    for (const change of [() => chooseBank(app, key, akbank), () => forgetBank(app, key)]) {
      await change()
      assert.deepEqual(await differs({}), [])
      assert.deepEqual(await differs({ bankCode: akbank }), ['bankCode'])
    }
  }
})

const withdrawal = withdrawBody({ bankId: garanti?.id })

for (const [field, changes] of [
  ['amount', { amount: 10_001 }],
  ['bankId', { bankId: 'FAST' }],
  ['bankId', { bankId: undefined }],
  ['accountName', { accountName: 'Ayse Yilmaz' }],
  ['userId', { userId: 'u-2' }],
  ['userName', { userName: 'Ayse' }],
  ['name', { name: 'Ayse Yilmaz' }],
  ['metadata', { metadata: { order: 7 } }],
] as const) {
  test(`a withdrawal again with another ${field} ${JSON.stringify(changes)}: details.differs names it`, async () => {
    const first = { ...withdrawal, processId: app.ids.next() }
    assert.deepEqual((await resent('/v1/withdraw', first, { ...withdrawal, ...changes })).differs, [field])
  })
}

test('the same withdrawal again: differs is empty, however the IBAN is written', async () => {
  for (const iban of [withdrawal.iban, 'tr62 0006 2000 2950 0006 2912 96']) {
    const first = { ...withdrawal, processId: app.ids.next() }
    assert.deepEqual((await resent('/v1/withdraw', first, { ...withdrawal, iban, currency: 'TRY' })).differs, [])
  }
  const first = { ...withdrawBody(), processId: app.ids.next() }
  const again = { ...first, iban: 'TR330006100519786457841326' }
  assert.deepEqual((await resent('/v1/withdraw', first, again)).differs, ['iban'])
})

test('duplicates within one list: the first of the list is the first request', async () => {
  const { merchantId } = shop
  const shared = { actor: merchantActor(merchantId), processId: app.ids.next(), amount: 1000n, currency: 'TRY' }
  const one = { ...shared, customer }
  const deposits = await createDeposits(app, [one, one, { ...one, amount: 2000n }])
  const free = { bps: 0, fixed: 0n, min: 0n, max: null }
  const feeTerms = [{ effectiveFrom: new Date(0), deposit: free, withdraw: free }]
  const terms = { ...withdrawal, bankId: null, feeTerms }
  const two = { ...terms, ...shared }
  const withdrawals = await createWithdrawals(app, [two, two, { ...two, amount: 2000n }])
  for (const [first, ...others] of [deposits, withdrawals]) {
    assert.ok(first && !(first instanceof Refusal))
    const details = others.map((other) => (other instanceof Refusal ? other.details : 'created'))
    assert.deepEqual(details, [
      { transactionId: first.id, differs: [] },
      { transactionId: first.id, differs: ['amount'] },
    ])
  }
})

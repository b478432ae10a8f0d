import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from '../harness/client.ts'
import { openAsCustomer } from '../harness/customer.ts'
import { accepted, refused, refusedFields } from '../harness/envelope.ts'
import { depositBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'

const PATH = '/v1/deposit'
const service = await startService()
const shop = await service.merchant({ returnOrigins: ['https://shop.example'] })
const { banks } = accepted(await shop.get('/v1/available-banks'), 200)
const customer = depositBody().customer

const read = async (id: string) => accepted(await shop.get(`/v1/transactions/${id}`), 200)

async function without(path: string): Promise<string[]> {
  const body: Record<string, unknown> = structuredClone(depositBody())
  const [first = '', second] = path.split('.')
  if (second === undefined) delete body[first]
  else delete (body[first] as Record<string, unknown>)[second]
  return refusedFields(await shop.post(PATH, body))
}

let row = 0
for (const field of ['processId', 'amount', 'customer', 'customer.id', 'customer.name', 'customer.username']) {
  test(`4.2.${++row} ${field} is required: without it 400 VALIDATION_ERROR that names it`, async () => {
    assert.deepEqual(await without(field), [field])
  })
}

for (const [field, wrong] of [
  ['processId', [1, true, null, [], {}]],
  ['amount', ['12', true, null, [], {}]],
  ['currency', [949, null, 'try', 'TRYX', 'TR', '']],
  ['bankCode', [1, null, '', [], {}]],
  ['customer', ['Ayşe', null, [], 1]],
  ['metadata', ['x', null, [], 1]],
  ['returnUrl', [1, null, '']],
  ['language', ['de', 'TR', 1, null, '']],
] as const) {
  test(`4.2.${++row} ${field} of another type or form: 400 VALIDATION_ERROR that names it`, async () => {
    for (const value of wrong) {
      const fields = refusedFields(await shop.post(PATH, depositBody({ [field]: value })))
      assert.deepEqual([...new Set(fields)], [field], JSON.stringify(value))
    }
  })
}

for (const field of ['id', 'name', 'username'] as const) {
  test(`4.2.${++row} customer.${field} of another type: 400 VALIDATION_ERROR that names it`, async () => {
    for (const value of [1, true, null, [], {}]) {
      const body = depositBody({ customer: { ...customer, [field]: value } })
      assert.deepEqual([...new Set(refusedFields(await shop.post(PATH, body)))], [`customer.${field}`])
    }
  })
}

test('4.2.18 all wrong fields are named at once', async () => {
  const fields = refusedFields(await shop.post(PATH, { processId: '', amount: 0, customer: { id: 'c' } }))
  for (const field of ['processId', 'amount', 'customer.name', 'customer.username']) assert.ok(fields.includes(field))
})

test('4.2.19 the least that is required is enough: no currency, bankCode or metadata', async () => {
  const { processId, amount } = depositBody()
  const data = accepted(await shop.post(PATH, { processId, amount, customer }), 201)
  assert.deepEqual([data.processId, data.amount, data.currency], [processId, amount, 'TRY'])
})

test('4.2.20 currency is TRY unless it is given; a currency that is not enabled: 400 VALIDATION_ERROR', async () => {
  assert.equal(accepted(await shop.post(PATH, depositBody({ currency: 'TRY' })), 201).currency, 'TRY')
  assert.deepEqual(refusedFields(await shop.post(PATH, depositBody({ currency: 'USD' }))), ['currency'])
})

test('4.2.21 every bank of the list is accepted as bankCode, by its _id', async () => {
  for (const { _id, name } of banks) {
    const { assignedAccount } = accepted(await shop.post(PATH, depositBody({ bankCode: _id })), 201)
    if (_id !== 'FAST') assert.equal(assignedAccount.bankName, name)
  }
})

test('4.2.21 every bank of the list is accepted by its code too, and shown by its _id', async () => {
  for (const { _id, code, name } of banks) {
    const data = accepted(await shop.post(PATH, depositBody({ bankCode: code })), 201)
    assert.equal((await read(data.transactionId)).bankCode, _id)
    if (_id !== 'FAST') assert.equal(data.assignedAccount.bankName, name)
  }
})

test('4.2.22 a bankCode that is neither _id nor code of the list: 400 VALIDATION_ERROR', async () => {
  for (const bankCode of ['f'.repeat(24), 'fast', '9999', banks[1].code.slice(1), `${banks[1]._id}0`, 'FAST ']) {
    assert.deepEqual(refusedFields(await shop.post(PATH, depositBody({ bankCode }))), ['bankCode'], bankCode)
  }
})

test('4.2.23 metadata is kept and given back as it was', async () => {
  const metadata = { order: 42, tags: ['a', { b: null }], ş: { rate: 0.1, on: true }, '': '' }
  const { transactionId } = accepted(await shop.post(PATH, depositBody({ metadata })), 201)
  assert.deepEqual((await read(transactionId)).metadata, metadata)
})

test('4.2.24 the customer is kept and given back as it was', async () => {
  const typed = { id: "x'); drop table deposits;--", name: 'Çağrı <b>Öz</b> "Ğ"', username: '🦊 \\u0000' }
  const { transactionId } = accepted(await shop.post(PATH, depositBody({ customer: typed })), 201)
  assert.deepEqual((await read(transactionId)).customer, typed)
})

test('4.2.25 the second use of a processId: 400 DUPLICATE_TRANSACTION, and the first stays as it was', async () => {
  const body = depositBody({ amount: 5000 })
  const { transactionId } = accepted(await shop.post(PATH, body), 201)
  refused(await shop.post(PATH, body), 400, 'DUPLICATE_TRANSACTION')
  refused(await shop.post(PATH, { ...body, amount: 7000 }), 400, 'DUPLICATE_TRANSACTION')
  const list = accepted(await shop.get(`/v1/transactions?processId=${body.processId}`), 200).transactions
  assert.deepEqual(
    list.map((one: { transactionId: string; amount: number }) => [one.transactionId, one.amount]),
    [[transactionId, 5000]],
  )
})

for (const [name, at] of [
  ['FAST', 0],
  ['a bank', 1],
] as const) {
  test(`4.2.${26 + at} ${name}: its minAmount and maxAmount are accepted, one kuruş beyond is AMOUNT_OUT_OF_RANGE`, async () => {
    const { _id: bankCode, minAmount, maxAmount } = banks[at]
    for (const amount of [minAmount, maxAmount]) accepted(await shop.post(PATH, depositBody({ bankCode, amount })), 201)
    for (const amount of [minAmount - 1, maxAmount + 1])
      refused(await shop.post(PATH, depositBody({ bankCode, amount })), 400, 'AMOUNT_OUT_OF_RANGE')
  })
}

test('4.2.28 without bankCode the amount must fit at least one bank, else 400 AMOUNT_OUT_OF_RANGE', async () => {
  const widest = Math.max(...banks.map(({ maxAmount }: { maxAmount: number }) => maxAmount))
  const body = (amount: number) => depositBody({ bankCode: undefined, amount })
  assert.ok(widest > banks[0].maxAmount, 'an amount that only a bank takes')
  accepted(await shop.post(PATH, body(widest)), 201)
  refused(await shop.post(PATH, body(widest + 1)), 400, 'AMOUNT_OUT_OF_RANGE')
  refused(await shop.post(PATH, body(1)), 400, 'AMOUNT_OUT_OF_RANGE')
})

test('4.2.29 a refused deposit does not use its processId up', async () => {
  const body = depositBody()
  refused(await shop.post(PATH, { ...body, amount: 1 }), 400, 'AMOUNT_OUT_OF_RANGE')
  refused(await shop.post(PATH, { ...body, bankCode: 'x' }), 400, 'VALIDATION_ERROR')
  accepted(await shop.post(PATH, body), 201)
})

test('4.2.30 plus the authentication errors', async () => {
  const body = depositBody()
  refused(await shop.post(PATH, body, { headers: { 'x-api-key': null } }), 401, 'INVALID_API_KEY')
  refused(await shop.post(PATH, body, { signature: 'f'.repeat(64) }), 401, 'INVALID_SIGNATURE')
  accepted(await shop.post(PATH, body), 201)
})

test('4.2.31 Content-Type: application/json, with or without charset=utf-8; anything else 415', async () => {
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
    accepted(await shop.post(PATH, depositBody(), { headers: { 'content-type': type } }), 201)
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1', null]) {
    const answer = await shop.post(PATH, depositBody(), { headers: { 'content-type': type } })
    refused(answer, 415, 'UNSUPPORTED_MEDIA_TYPE')
  }
})

test('4.2.32 flow: the checkout address opens for the customer, and a wrong token does not', async () => {
  const { checkoutUrl } = accepted(await shop.post(PATH, depositBody({ language: 'en' })), 201)
  const { hostname, port, pathname, search } = new URL(checkoutUrl)
  const page = await openAsCustomer(checkoutUrl)
  assert.equal(page.status, 200)
  assert.match(page.text, /lang="en"/)
  const wrong = search.replace(/(.)(.{20})$/, (_, one: string, rest: string) => (one === 'A' ? 'B' : 'A') + rest)
  assert.notEqual(wrong, search)
  assert.equal((await send({ hostname, port, path: pathname + wrong })).status, 404)
})

test('4.2.33 returnUrl must lie on a registered origin', async () => {
  accepted(await shop.post(PATH, depositBody({ returnUrl: 'https://shop.example/done?order=1' })), 201)
  for (const returnUrl of [
    'https://evil.example/',
    'http://shop.example/',
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    'https://shop.example:444/',
    '//shop.example/',
    'javascript:alert(1)',
    'shop.example',
  ]) {
    assert.deepEqual(refusedFields(await shop.post(PATH, depositBody({ returnUrl }))), ['returnUrl'], returnUrl)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted, refused, refusedFields } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { turkishIban } from '../harness/iban.ts'
import { startService } from '../harness/service.ts'

const PATH = '/v1/withdraw'
const GARANTI_IBAN = 'TR620006200029500006291296'
const service = await startService()
const shop = await service.merchant({ funds: 100_000_000n })
const { banks } = accepted(await shop.get('/v1/available-banks'), 200)
const idOf = (code: string) => banks.find((bank: { code: string }) => bank.code === code)._id

const read = async (id: string) => accepted(await shop.get(`/v1/transactions/${id}`), 200)
const balance = async (of = shop) => accepted(await of.get('/v1/balance'), 200)

let row = 0
for (const field of ['processId', 'amount', 'accountName', 'iban', 'userId', 'userName', 'name']) {
  test(`4.3.${++row} ${field} is required: without it 400 VALIDATION_ERROR that names it`, async () => {
    assert.deepEqual(refusedFields(await shop.post(PATH, withdrawBody({ [field]: undefined }))), [field])
  })
}

for (const field of [
  'processId',
  'amount',
  'accountName',
  'iban',
  'userId',
  'userName',
  'name',
  'bankId',
  'currency',
]) {
  test(`4.3.${++row} ${field} of another type: 400 VALIDATION_ERROR that names it`, async () => {
    for (const value of [field === 'amount' ? '12' : 12, true, null, [], {}]) {
      const fields = refusedFields(await shop.post(PATH, withdrawBody({ [field]: value })))
      assert.deepEqual([...new Set(fields)], [field], JSON.stringify(value))
    }
  })
}

test('4.3.17 all fields are kept and given back', async () => {
  const body = withdrawBody({
    bankId: idOf('0062'),
    accountName: "O'Neil Ğüş",
    userId: 'u;1',
    userName: '"a"',
    name: '🦊',
  })
  const { transactionId } = accepted(await shop.post(PATH, body), 201)
  const kept = await read(transactionId)
  for (const [field, value] of Object.entries(body)) assert.equal(kept[field], value, field)
})

test('4.3.17 metadata is kept and given back as it was, and refused when it is no object or too large', async () => {
  const metadata = { payroll: 42, tags: ['a', { b: null }], ş: { rate: 0.1, on: true }, '': '' }
  const { transactionId } = accepted(await shop.post(PATH, withdrawBody({ metadata })), 201)
  assert.deepEqual((await read(transactionId)).metadata, metadata)
  const without = accepted(await shop.post(PATH, withdrawBody()), 201)
  assert.ok(!('metadata' in (await read(without.transactionId))))
  for (const wrong of ['x', null, [], 1])
    assert.deepEqual(refusedFields(await shop.post(PATH, withdrawBody({ metadata: wrong }))), ['metadata'])
  const fill = (bytes: number) => ({ x: 'x'.repeat(bytes - '{"x":""}'.length) })
  accepted(await shop.post(PATH, withdrawBody({ metadata: fill(4096) })), 201)
  assert.deepEqual(refusedFields(await shop.post(PATH, withdrawBody({ metadata: fill(4097) }))), ['metadata'])
})

test('4.3.18 bankId may be absent, a bank of the list that the IBAN belongs to, or FAST', async () => {
  for (const bankId of [undefined, idOf('0062'), 'FAST'])
    accepted(await shop.post(PATH, withdrawBody({ bankId, iban: GARANTI_IBAN })), 201)
})

test('4.3.18 bankId may also be the four digits of the bank; what is shown is its _id', async () => {
  const { transactionId } = accepted(await shop.post(PATH, withdrawBody({ bankId: '0062' })), 201)
  assert.equal((await read(transactionId)).bankId, idOf('0062'))
  const error = refused(await shop.post(PATH, withdrawBody({ bankId: '0046' })), 400, 'VALIDATION_ERROR')
  assert.match(error.message, /bankId is Akbank \(0046\), but the IBAN belongs to bank code 0062/)
})

test('4.3.19 a bankId that is neither _id nor code of a bank: 400 VALIDATION_ERROR', async () => {
  for (const bankId of ['f'.repeat(24), 'fast', '9999', '62', '', `${idOf('0062')}0`]) {
    assert.deepEqual([...new Set(refusedFields(await shop.post(PATH, withdrawBody({ bankId }))))], ['bankId'], bankId)
  }
})

test('4.3.20 a bankId that contradicts the IBAN: 400 VALIDATION_ERROR', async () => {
  assert.deepEqual(refusedFields(await shop.post(PATH, withdrawBody({ bankId: idOf('0046') }))), ['bankId'])
})

for (const [name, iban] of [
  ['as it is', GARANTI_IBAN],
  ['with spaces', 'TR62 0006 2000 2950 0006 2912 96'],
  ['with no-break spaces', 'TR62\u00a00006\u202f2000 2950 0006 2912 96'],
  ['in lower case', GARANTI_IBAN.toLowerCase()],
] as const) {
  test(`4.3.21 IBAN ${name}: accepted, and kept compact and in upper case`, async () => {
    const { transactionId } = accepted(await shop.post(PATH, withdrawBody({ iban })), 201)
    assert.equal((await read(transactionId)).iban, GARANTI_IBAN)
  })
}

for (const [name, iban] of [
  ['25 characters', GARANTI_IBAN.slice(0, -1)],
  ['27 characters', `${GARANTI_IBAN}0`],
  ['another country', 'DE89370400440532013000'],
  ['another country in 26 characters', `DE${GARANTI_IBAN.slice(2)}`],
  ['wrong check digits', GARANTI_IBAN.replace('TR62', 'TR63')],
  ['two digits swapped', GARANTI_IBAN.replace('1296', '2196')],
  ['a reserve digit other than 0', turkishIban({ reserve: '1' })],
  ['a letter in the bank code', turkishIban({ provider: '0A062' })],
  ['hyphens', 'TR62-0006-2000-2950-0006-2912-96'],
  ['a letter outside A to Z', GARANTI_IBAN.replace('96', '9é')],
  ['digits of another script', GARANTI_IBAN.replace('96', '٩٦')],
  ['only spaces', '   '],
  ['words', 'my bank account'],
] as const) {
  test(`4.3.22 IBAN with ${name}: 400 INVALID_IBAN`, async () => {
    refused(await shop.post(PATH, withdrawBody({ iban })), 400, 'INVALID_IBAN')
  })
}

test('4.3.23 an IBAN of an unknown provider is not invalid', async () => {
  accepted(await shop.post(PATH, withdrawBody({ iban: turkishIban({ provider: '09987' }) })), 201)
})

test('4.3.24 an IBAN with letters in the account part is valid', async () => {
  accepted(await shop.post(PATH, withdrawBody({ iban: turkishIban({ account: '00ABC5000062912Z' }) })), 201)
})

test('4.3.25 the whole balance can be withdrawn; one kuruş more is 400 INSUFFICIENT_BALANCE and moves nothing', async () => {
  const one = await service.merchant({ funds: 5000n })
  refused(await one.post(PATH, withdrawBody({ amount: 5001 })), 400, 'INSUFFICIENT_BALANCE')
  assert.deepEqual(await balance(one), { currency: 'TRY', available: 5000, held: 0 })
  accepted(await one.post(PATH, withdrawBody({ amount: 5000 })), 201)
  assert.deepEqual(await balance(one), { currency: 'TRY', available: 0, held: 5000 })
  refused(await one.post(PATH, withdrawBody({ amount: 1 })), 400, 'INSUFFICIENT_BALANCE')
})

test('4.3.26 a merchant that never had money: 400 INSUFFICIENT_BALANCE', async () => {
  refused(await (await service.merchant()).post(PATH, withdrawBody()), 400, 'INSUFFICIENT_BALANCE')
})

test('4.3.27 an amount of 1 is accepted', async () => {
  assert.equal(accepted(await shop.post(PATH, withdrawBody({ amount: 1 })), 201).amount, 1)
})

test('4.3.28 a refused withdrawal does not use its processId up', async () => {
  const body = withdrawBody()
  refused(await shop.post(PATH, { ...body, amount: 1e12 }), 400, 'INSUFFICIENT_BALANCE')
  refused(await shop.post(PATH, { ...body, iban: 'TR' }), 400, 'INVALID_IBAN')
  accepted(await shop.post(PATH, body), 201)
})

test('4.3.29 403 IP_NOT_WHITELISTED from an address that is not registered, and nothing moves', async () => {
  const one = await service.merchant({ funds: 50_000n, allowedNetworks: [] })
  refused(await one.post(PATH, withdrawBody()), 403, 'IP_NOT_WHITELISTED')
  assert.deepEqual(await balance(one), { currency: 'TRY', available: 50_000, held: 0 })
})

test('4.3.30 plus the authentication errors, which move nothing', async () => {
  const [body, before] = [withdrawBody(), await balance()]
  refused(await shop.post(PATH, body, { headers: { 'x-api-key': null } }), 401, 'INVALID_API_KEY')
  refused(await shop.post(PATH, body, { signature: 'f'.repeat(64) }), 401, 'INVALID_SIGNATURE')
  assert.deepEqual(await balance(), before)
})

test('4.3.31 a name of one letter is a name; an account holder of fewer than three is none that a bank takes', async () => {
  accepted(await shop.post(PATH, withdrawBody({ name: 'A', userId: '1', userName: 'a' })), 201)
  accepted(await shop.post(PATH, withdrawBody({ accountName: 'Su Ö' })), 201)
  assert.deepEqual(refusedFields(await shop.post(PATH, withdrawBody({ accountName: 'Su' }))), ['accountName'])
})

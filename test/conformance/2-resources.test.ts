import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from '../harness/client.ts'
import { accepted } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'

type Bank = { _id: string; name: string; code: string; minAmount: number; maxAmount: number; logo?: string }

const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const ID = /^[0-9a-f]{24}$/

const service = await startService()
const shop = await service.merchant({ funds: 1_000_000n })
const banks: Bank[] = accepted(await shop.get('/v1/available-banks'), 200).banks
const ordinary = banks.filter(({ _id }) => _id !== 'FAST')

test('2.1 Bank: exactly _id, name, code, minAmount, maxAmount and logo', () => {
  assert.ok(ordinary.length > 0)
  for (const bank of ordinary) {
    assert.deepEqual(Object.keys(bank).toSorted(), ['_id', 'code', 'logo', 'maxAmount', 'minAmount', 'name'])
    for (const field of ['_id', 'name', 'code', 'logo'] as const) assert.equal(typeof bank[field], 'string')
  }
})

test('2.2 Bank._id is unique', () => assert.equal(new Set(banks.map(({ _id }) => _id)).size, banks.length))

test('2.3 Bank._id is a bankCode of a deposit and a bankId of a withdrawal', async () => {
  const garanti = banks.find(({ code }) => code === '0062') as Bank
  const deposit = accepted(await shop.post('/v1/deposit', depositBody({ bankCode: garanti._id })), 201)
  assert.equal(deposit.assignedAccount.bankName, garanti.name)
  accepted(await shop.post('/v1/withdraw', withdrawBody({ bankId: garanti._id })), 201)
})

test('2.4 Bank.minAmount and maxAmount are whole numbers of kuruş, the minimum not above the maximum', () => {
  for (const { minAmount, maxAmount } of banks) {
    assert.ok(Number.isSafeInteger(minAmount) && Number.isSafeInteger(maxAmount))
    assert.ok(minAmount >= 1 && minAmount <= maxAmount)
  }
})

test('2.5 Bank.logo is the address of an image', async () => {
  const { hostname, port, pathname } = new URL(ordinary[0]?.logo ?? '')
  const answer = await send({ hostname, port, path: pathname })
  assert.equal(answer.status, 200)
  assert.match(String(answer.headers['content-type']), /^image\//)
  assert.match(answer.text, /^<svg /)
})

test('2.6 the FAST entry has _id and code "FAST" and no logo', () => {
  const fast = banks.find(({ _id }) => _id === 'FAST')
  assert.equal(fast?.code, 'FAST')
  assert.deepEqual(Object.keys(fast ?? {}).toSorted(), ['_id', 'code', 'maxAmount', 'minAmount', 'name'])
})

test('2.7 rule 1: at most one FAST entry', () => {
  assert.equal(banks.filter(({ _id, code }) => _id === 'FAST' || code === 'FAST').length, 1)
})

test('2.8 rule 2: FAST is listed ahead of the banks', () => assert.equal(banks[0]?._id, 'FAST'))

test('2.9 rule 3: a FAST deposit has the bankCode "FAST"', async () => {
  const { transactionId } = accepted(await shop.post('/v1/deposit', depositBody({ bankCode: 'FAST' })), 201)
  assert.equal(accepted(await shop.get(`/v1/transactions/${transactionId}`), 200).bankCode, 'FAST')
})

test('2.10 Deposit: exactly the fields of the contract, with their types', async () => {
  const data = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  assert.deepEqual(Object.keys(data).toSorted(), [
    'amount',
    'assignedAccount',
    'checkoutUrl',
    'createdAt',
    'currency',
    'expiresAt',
    'processId',
    'status',
    'transactionId',
  ])
  assert.equal(typeof data.amount, 'number')
  for (const [name, value] of Object.entries(data)) {
    if (!['amount', 'assignedAccount'].includes(name)) assert.equal(typeof value, 'string', name)
  }
})

test('2.11 Deposit: processId, amount and currency are echoed; transactionId is ours', async () => {
  const body = depositBody({ processId: 'sipariş 🛒 42', amount: 77_700, currency: 'TRY' })
  const data = accepted(await shop.post('/v1/deposit', body), 201)
  assert.deepEqual([data.processId, data.amount, data.currency], ['sipariş 🛒 42', 77_700, 'TRY'])
  assert.match(data.transactionId, ID)
})

test('2.12 Deposit.status is "pending" on creation', async () => {
  assert.equal(accepted(await shop.post('/v1/deposit', depositBody()), 201).status, 'pending')
})

test('2.13 Deposit.assignedAccount has exactly bankName, accountName and a Turkish iban', async () => {
  const { assignedAccount } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  assert.deepEqual(Object.keys(assignedAccount).toSorted(), ['accountName', 'bankName', 'iban'])
  assert.match(assignedAccount.iban, /^TR\d{24}$/)
  assert.ok(assignedAccount.bankName && assignedAccount.accountName)
})

test('2.14 Deposit.assignedAccount is absent while no account is assigned', async () => {
  const data = accepted(await shop.post('/v1/deposit', depositBody({ bankCode: undefined })), 201)
  assert.ok(!('assignedAccount' in data))
})

test('2.15 Deposit.checkoutUrl is an address with a token in its query string', async () => {
  const { checkoutUrl } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  const url = new URL(checkoutUrl)
  assert.equal(url.origin, service.baseUrl)
  // 256 bits are 43 characters of base64url.
  assert.ok((url.searchParams.get('token') ?? '').length >= 43)
})

test('2.16 Deposit.expiresAt and createdAt are ISO 8601 in UTC, and createdAt is now', async () => {
  const before = Date.now()
  const { expiresAt, createdAt } = accepted(await shop.post('/v1/deposit', depositBody()), 201)
  for (const text of [expiresAt, createdAt]) assert.match(text, ISO_UTC)
  assert.ok(before <= Date.parse(createdAt) && Date.parse(createdAt) <= Date.now())
})

test('2.17 Withdrawal: exactly the fields of the contract', async () => {
  const body = withdrawBody({ amount: 12_345 })
  const { transactionId, createdAt, ...data } = accepted(await shop.post('/v1/withdraw', body), 201)
  assert.deepEqual(data, { processId: body.processId, amount: 12_345, currency: 'TRY', status: 'pending' })
  assert.match(createdAt, ISO_UTC)
  assert.match(transactionId, ID)
})

test('2.18 a failed withdrawal carries a failureReason', async () => {
  const { transactionId } = accepted(await shop.post('/v1/withdraw', withdrawBody()), 201)
  const failed = accepted(await shop.post(`/v1/transactions/${transactionId}/cancel`, undefined), 200)
  assert.equal(failed.status, 'failed')
  assert.equal(typeof failed.failureReason, 'string')
  assert.equal(accepted(await shop.get(`/v1/transactions/${transactionId}`), 200).failureReason, failed.failureReason)
})

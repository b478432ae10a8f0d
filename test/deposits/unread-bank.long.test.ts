import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { listAccounts, openBankDirectory } from '../../packages/server/src/domain/banks/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { Deposit } from '../../packages/server/src/domain/deposits/index.ts'
import { chooseBank, expireDeposits, forgetBank } from '../../packages/server/src/domain/deposits/index.ts'
import { setMatching } from '../../packages/server/src/domain/merchants/index.ts'
import {
  bankApiConnection,
  fetchLines,
  manualConnection,
  setSourceOfRecord,
} from '../../packages/server/src/domain/connections/index.ts'
import { connectAccount } from '../harness/connect-account.ts'
import { accepted } from '../harness/envelope.ts'
import { depositBody } from '../harness/examples.ts'
import { reloadDeposit, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startSecondProcess, startService } from '../harness/service.ts'
import { travelTo, until } from '../harness/until.ts'

const service = await startService()
const { app } = service
const shop = await service.merchant()

/** A bank with one line to a page, which can be away. */
const bank = { away: false, lines: [] as object[] }
const server = createServer((request, response) => {
  if (bank.away) return void response.writeHead(503).end()
  const since = Number(new URL(request.url ?? '', 'http://bank').searchParams.get('since'))
  const cursor = Math.min(since + 1, bank.lines.length)
  const page = { lines: bank.lines.slice(since, cursor), cursor: String(cursor), more: cursor < bank.lines.length }
  response.end(JSON.stringify(page))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const connection = bankApiConnection({
  baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  key: 'k',
})
app.connections.push(connection)

const LATER = 31 * 60
beforeEach(async () => {
  bank.away = false
  await travelTo(app, 0)
  await read()
  await matchAll(app)
})

async function read(): Promise<void> {
  while ((await fetchLines(app, connection)) > 0);
}

async function one(): Promise<Deposit> {
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  return deposit ?? assert.fail()
}

async function pays(deposit: Deposit, more = ''): Promise<void> {
  const { accountIban, bankReference, amount, ...line } = await lineFor(app, deposit)
  const rest = { ...line, narrative: line.narrative + more }
  bank.lines.push({ account: accountIban, reference: bankReference, amount: Number(amount), ...rest })
}

const stateOf = async (deposit: Deposit) => {
  const { status, flags } = await reloadDeposit(app, deposit)
  return [status, ...flags]
}

test('a bank that is away past the deadline: nothing expires; what was paid in time completes without late', async () => {
  const [paid, unpaid] = [await one(), await one()]
  await pays(paid)
  bank.away = true
  await travelTo(app, LATER)
  await read()
  assert.equal(await expireDeposits(app), 0)
  assert.deepEqual([await stateOf(paid), await stateOf(unpaid)], [['pending'], ['pending']])
  bank.away = false
  await read()
  await matchAll(app)
  assert.equal(await expireDeposits(app), 1)
  assert.deepEqual([await stateOf(paid), await stateOf(unpaid)], [['completed'], ['expired']])
})

test('a line that is read and not matched yet does not lose against the deadline', async () => {
  const [paid, unpaid] = [await one(), await one()]
  await pays(paid)
  await travelTo(app, LATER)
  await read()
  assert.equal(await expireDeposits(app), 0)
  await matchAll(app)
  assert.equal(await expireDeposits(app), 1)
  assert.deepEqual([await stateOf(paid), await stateOf(unpaid)], [['completed'], ['expired']])
})

test('a line of after the deadline holds nothing up', async () => {
  const [late, unpaid] = [await one(), await one()]
  await travelTo(app, LATER)
  await pays(late)
  await read()
  assert.equal(await expireDeposits(app), 2)
  await matchAll(app)
  assert.deepEqual([await stateOf(late), await stateOf(unpaid)], [['completed', 'late'], ['expired']])
})

test('half a statement is no statement', async () => {
  const [first, second] = [await one(), await one()]
  await pays(first)
  await pays(second)
  await travelTo(app, LATER)
  await fetchLines(app, connection)
  await matchAll(app)
  assert.equal(await expireDeposits(app), 0)
  await read()
  await matchAll(app)
  assert.equal(await expireDeposits(app), 0)
  assert.deepEqual([await stateOf(first), await stateOf(second)], [['completed'], ['completed']])
})

test('a process that reads nothing itself goes by what the others have read', async () => {
  const deposit = await one()
  const other = await startSecondProcess(service)
  await travelTo(app, LATER)
  await travelTo(other, LATER)
  assert.equal(await expireDeposits(other), 0)
  await read()
  assert.equal(await expireDeposits(other), 1)
  assert.deepEqual(await stateOf(deposit), ['expired'])
})

test('who was never shown an account expires by the clock; who was shown one before waits', async () => {
  const unseen = accepted(await shop.post('/v1/deposit', depositBody({ bankCode: undefined })), 201)
  const seen = accepted(await shop.post('/v1/deposit', depositBody({ bankCode: undefined })), 201)
  const key = { merchantId: shop.merchantId, id: seen.transactionId }
  await chooseBank(app, key, 'FAST')
  await forgetBank(app, key)
  await travelTo(app, LATER)
  assert.equal(await expireDeposits(app), 1)
  const statusOf = async (id: string) => accepted(await shop.get(`/v1/transactions/${id}`), 200).status
  assert.deepEqual([await statusOf(unseen.transactionId), await statusOf(seen.transactionId)], ['expired', 'pending'])
  await read()
  assert.equal(await expireDeposits(app), 1)
})

test('a source of record that this process does not read: nothing expires before it is read', async () => {
  const [deposit, { iban }] = [await one(), (await listAccounts(app.db))[0] ?? assert.fail()]
  const moved = { ...connection, name: 'bank-api:moved.example' }
  await setSourceOfRecord({ ...app, connections: [moved] }, UNATTRIBUTED, [iban], moved.name)
  await travelTo(app, LATER)
  await read()
  const fresh = { ...app, banks: openBankDirectory(app) }
  assert.equal(await expireDeposits(fresh), 0)
  while ((await fetchLines(app, moved)) > 0);
  assert.equal(await expireDeposits(fresh), 1)
  assert.deepEqual(await stateOf(deposit), ['expired'])
  await connectAccount(app, null, null)
})

test('without a feed the clock decides', async () => {
  const deposit = await one()
  bank.away = true
  await travelTo(app, LATER)
  await fetchLines(app, manualConnection)
  assert.equal(await expireDeposits({ ...app, connections: [manualConnection] }), 1)
  assert.deepEqual(await stateOf(deposit), ['expired'])
})

test('back from a journey in time, what was read in the future counts for nothing', async () => {
  await travelTo(app, 10 * LATER)
  await read()
  await travelTo(app, 0)
  await read()
  const deposit = await one()
  bank.away = true
  await travelTo(app, LATER)
  assert.equal(await expireDeposits(app), 0)
  assert.deepEqual(await stateOf(deposit), ['pending'])
})

test('paid after the deadline while the bank was away: late, and reviewed where the merchant wants that', async () => {
  const strict = await service.merchant()
  await setMatching(app, UNATTRIBUTED, strict.merchantId, { late: 'review' })
  const late = [await one(), (await someDeposits(app, strict.merchantId, 1))[0] ?? assert.fail()]
  bank.away = true
  await travelTo(app, LATER * 3)
  await read()
  assert.equal(await expireDeposits(app), 0)
  for (const deposit of late) await pays(deposit)
  bank.away = false
  await read()
  await matchAll(app)
  assert.deepEqual(await Promise.all(late.map(stateOf)), [
    ['completed', 'late'],
    ['processing', 'late'],
  ])
})

test('a line that payouts look at first is waited for as well', async () => {
  const deposit = await one()
  await pays(deposit, ' 123456789012345678901234')
  await travelTo(app, LATER)
  await read()
  assert.equal(await expireDeposits(app), 0)
  await matchAll(app)
  assert.deepEqual(await stateOf(deposit), ['completed'])
})

test('past the deadline nobody is given an account, and what waits for the bank is not counted as open', async () => {
  const small = await service.merchant({ maxOpenDeposits: 2 })
  const created = await Promise.all([1, 2].map(() => small.post('/v1/deposit', depositBody())))
  bank.away = true
  await travelTo(app, LATER)
  await read()
  assert.equal(await expireDeposits(app), 0)
  const id = accepted(created[0] ?? assert.fail(), 201).transactionId as string
  await assert.rejects(chooseBank(app, { merchantId: small.merchantId, id }, 'FAST'), { why: 'deposit_time_passed' })
  await until(
    () => small.post('/v1/deposit', depositBody()),
    ({ status }) => status === 201,
  )
})

test('a customer who went back to the bank list at the limit of changes can still choose a bank', async () => {
  const deposit = await one()
  const [first] = (await app.banks.optionsFor(shop.merchantId, 'TRY')).slice(1).map(({ id }) => id)
  for (let times = 0; times < 10; times++) {
    await chooseBank(app, deposit, first ?? '')
    await forgetBank(app, deposit)
  }
  await chooseBank(app, deposit, first ?? '')
  await assert.rejects(forgetBank(app, deposit), { why: 'bank_changed_too_often' })
  assert.notEqual((await reloadDeposit(app, deposit)).collectingAccountId, null)
})

test('a customer cannot make events without end by changing the bank', async () => {
  const deposit = await one()
  const [first, second] = (await app.banks.optionsFor(shop.merchantId, 'TRY')).slice(1).map(({ id }) => id)
  const toggle = async () => {
    for (let times = 0; times < 50; times++) await chooseBank(app, deposit, (times % 2 === 0 ? first : second) ?? '')
  }
  await assert.rejects(toggle(), { why: 'bank_changed_too_often' })
  assert.ok((await reloadDeposit(app, deposit)).sequence <= 20)
})

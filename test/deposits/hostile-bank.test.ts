import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { openCollectingAccount } from '../../packages/server/src/domain/banks/index.ts'
import type { Deposit } from '../../packages/server/src/domain/deposits/index.ts'
import { changeAccountState, leaveBlockedAccounts } from '../../packages/server/src/domain/deposits/index.ts'
import { matchByHand, suspendByHand } from '../../packages/server/src/domain/matching/index.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { bankApiConnection, fetchLines, rereadLine } from '../../packages/server/src/domain/connections/index.ts'
import {
  linesOfDeposit,
  listLines,
  listUnread,
  reimportUnread,
} from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { reloadDeposit, payDeposit, lineFor, matchAll, someDeposits, ingest } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import type { Said } from '../../packages/server/src/platform/refusal.ts'

const { app, merchant } = await startService()

/** A bank that gives one page after the other, whatever is in it. */
const pages: object[][] = []
const bank = createServer((request, response) => {
  const since = Number(new URL(request.url ?? '', 'http://bank').searchParams.get('since'))
  const lines = pages[since] ?? []
  const cursor = String(Math.min(since + 1, pages.length))
  response.end(JSON.stringify({ lines, cursor, more: Number(cursor) < pages.length }))
})
await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve))
after(() => bank.close())
const connection = bankApiConnection({ baseUrl: `http://127.0.0.1:${(bank.address() as AddressInfo).port}`, key: 'k' })

async function readAll(): Promise<void> {
  for (let page = 0; page <= pages.length; page++) await fetchLines(app, connection)
  await matchAll(app)
}

async function one(amount = 125_000n) {
  const shop = await merchant()
  const [deposit] = await someDeposits(app, shop.merchantId, 1, amount)
  if (!deposit) throw new Error('no deposit')
  const { accountIban, amount: asked, ...line } = await lineFor(app, deposit)
  const { bankReference, ...rest } = line
  return { shop, deposit, wire: { account: accountIban, reference: bankReference, amount: Number(asked), ...rest } }
}

/** Why the lines with its code are kept unread. */
async function whyUnread({ referenceCode }: Deposit): Promise<Said[]> {
  const unread = await listUnread(app.db)
  return unread.filter(({ raw }) => raw.includes(referenceCode)).map(({ why }) => why)
}

test('lines that cannot be read are kept as they came, and the others on their page are taken in', async () => {
  const { deposit, wire } = await one()
  const broken = [
    { ...wire, reference: null },
    { ...wire, reference: 'r-1', amount: -5 },
    { ...wire, reference: 'r-2', amount: 1.5 },
    { ...wire, reference: 'r-3', bookedAt: 'yesterday' },
    { ...wire, reference: 'r-3b', bookedAt: '2026-11-16T10:00:00' },
    { ...wire, reference: 'r-4', valueDate: '2026-13-45' },
    { ...wire, reference: 'r-4b', valueDate: '2026-02-30' },
    { ...wire, reference: 'r-4c', bookedAt: '2026-02-30T10:00:00Z' },
    { ...wire, reference: 'r-5', direction: 'sideways' },
    { ...wire, reference: 'r-6', account: 42 },
  ]
  pages.push([...broken, { ...wire, narrative: `${wire.narrative}\0 \ud800`, senderName: null }])
  await readAll()
  assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
  assert.equal((await listUnread(app.db)).length, broken.length)
})

test('a line of an account that is not ours is kept, and comes in once the account is opened', async () => {
  const { wire } = await one()
  const iban = makeIban('0046', '777001')
  const before = (await listUnread(app.db)).length
  pages.push([{ ...wire, account: iban, reference: 'foreign-1' }])
  await readAll()
  assert.equal((await listUnread(app.db)).length, before + 1)
  assert.equal(await reimportUnread(app, UNATTRIBUTED, rereadLine), 0)
  await openCollectingAccount(app, UNATTRIBUTED, { iban, title: 'Yeni Hesap A.Ş.', currency: 'TRY' })
  assert.equal(await reimportUnread(app, UNATTRIBUTED, rereadLine), 1)
  assert.equal((await listUnread(app.db)).length, before)
  assert.ok((await listLines(app.db, 'new', 10)).some(({ bankReference }) => bankReference === 'foreign-1'))
  await matchAll(app)
})

test('two equal payments without a number are two unread rows, and stay two when the page is read again', async () => {
  const { deposit, wire } = await one(5555n)
  const nameless = { ...wire, reference: null }
  pages.push([nameless, nameless], [nameless, nameless])
  const missing = note('unread_field_missing', { field: 'reference' })
  await readAll()
  assert.deepEqual(await whyUnread(deposit), [missing, missing])
})

test('a line in another currency than its account is kept unread with the reason; a retry does not take it in', async () => {
  const { deposit, wire } = await one()
  pages.push([{ ...wire, currency: 'USD' }])
  await readAll()
  assert.equal((await reloadDeposit(app, deposit)).status, 'pending')
  assert.deepEqual(await whyUnread(deposit), [note('unread_currency_differs', { line: 'USD', account: 'TRY' })])
  assert.equal(await reimportUnread(app, UNATTRIBUTED, rereadLine), 0)
})

for (const currency of ['TRY', 'try', 'TL', '', null]) {
  test(`a line with the currency ${JSON.stringify(currency)} on an account in TRY is taken in`, async () => {
    const { deposit, wire } = await one()
    pages.push([{ ...wire, currency }])
    await readAll()
    assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
  })
}

test('money from a collecting account of ours, with a code in its text, completes no deposit', async () => {
  const { deposit } = await one()
  const own = (await app.banks.accounts()).find(({ id }) => id !== deposit.collectingAccountId)
  const senderIban = own?.iban.replace(/(.{4})/g, '$1 ') ?? ''
  assert.equal((await payDeposit(app, deposit, { senderIban })).status, 'pending')
  assert.equal((await listLines(app.db, 'suspense', 1))[0]?.reason, 'own_transfer')
  assert.equal((await payDeposit(app, deposit)).status, 'completed')
  assert.deepEqual(await findDrift(app.db), [])
})

test('a bank at another port or path is another bank: neither its cursor nor its payouts are shared', () => {
  const names = ['https://bank.example', 'https://bank.example:8443', 'https://bank.example/b'].map(
    (baseUrl) => bankApiConnection({ baseUrl, key: 'k' }).name,
  )
  assert.equal(new Set(names).size, 3)
})

test('an IBAN with spaces is the same account', async () => {
  const { deposit, wire } = await one()
  pages.push([{ ...wire, account: wire.account.replace(/(.{4})/g, '$1 ') }])
  await readAll()
  assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
})

test('a line that cannot be booked needs review; an honest payment behind it is completed', async () => {
  const { deposit } = await one()
  const line = await lineFor(app, deposit)
  const absurd = { ...line, narrative: 'x', amount: 2n ** 60n }
  await ingest(app, [{ ...absurd, bankReference: 'a-1' }, { ...absurd, bankReference: 'a-2' }, line])
  await matchAll(app)
  assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
  assert.ok((await listLines(app.db, 'needs_review', 10)).some(({ reason }) => reason === 'cannot_be_booked'))
  assert.deepEqual(await listLines(app.db, 'new', 1), [])
  assert.deepEqual(await findDrift(app.db), [])
})

test('decisions by hand leave flags and reason that follow from the amounts', async () => {
  const { shop, deposit } = await one(1000n)
  await payDeposit(app, deposit, { amount: 400n })
  const over = await payDeposit(app, deposit, { amount: 900n })
  assert.deepEqual([over.reason, over.flags], ['over', ['overpaid']])
  const lines = await linesOfDeposit(app.db, shop.merchantId, deposit.id)
  await suspendByHand(app, UNATTRIBUTED, lines.find(({ amount }) => amount === 900n)?.id ?? '')
  const short = await reloadDeposit(app, deposit)
  assert.deepEqual(
    [short.status, short.reason, short.flags, short.receivedAmount],
    ['processing', 'short', ['underpaid'], 400n],
  )
  const kept = lines.find(({ amount }) => amount === 400n)?.id ?? ''
  const done = await matchByHand(app, UNATTRIBUTED, kept, deposit.id, null, 400n)
  assert.deepEqual([done.status, done.flags], ['completed', ['underpaid']])
})

test('a deposit that got a blocked account in the last second is given another one', async () => {
  const shop = await merchant()
  const deposits = await someDeposits(app, shop.merchantId, 20)
  const accountId = deposits[0]?.collectingAccountId ?? ''
  await changeAccountState(app, UNATTRIBUTED, accountId, 'blocked')
  // As a process would that still has the list of a second ago.
  const late = deposits.find(({ collectingAccountId }) => collectingAccountId !== accountId)
  if (!late) throw new Error('all on one account')
  await until(
    () => app.banks.blockedAccounts(),
    (blocked) => blocked.length > 0,
  )
  await changeAccountState(app, UNATTRIBUTED, late.collectingAccountId ?? '', 'blocked')
  await leaveBlockedAccounts(app)
  const now = await Promise.all(deposits.map((deposit) => reloadDeposit(app, deposit)))
  const blocked = new Set([accountId, late.collectingAccountId])
  assert.deepEqual(
    now.filter(({ collectingAccountId }) => blocked.has(collectingAccountId)),
    [],
  )
})

import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import {
  dispatchWithdrawals,
  findPayout,
  queryPayoutStatus,
  submitPayouts,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { withdrawBody } from '../harness/examples.ts'
import { mustFind } from '../harness/history.ts'
import { openJournal } from '../harness/journal.ts'
import { ingest } from '../harness/payments.ts'
import type { Reply } from '../harness/plain-bank.ts'
import { neverSeen, startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'

// The bank pays in parts, or with a charge, without the id: the IBAN of the recipient is all that shows the payout.
const service = await startService()
const { app } = service
const bank = await startPlainBank()
app.connections.push(bankApiConnection(bank.connection))
const shop = await service.merchant({ funds: 50_000_000n })
const journal = await openJournal(app)
const run = openCommandLineOf(service)
const rejected: Reply = { status: 200, body: { status: 'rejected', reason: 'account_closed' } }
const AMOUNT = 10_042
/** Another one in every test, so that the debit of one test is not similar to the payout of another. */
let recipient = ''
let count = 0

beforeEach(() => {
  recipient = makeIban('0062', String(70_000_000 + ++count))
})

afterEach(async () => {
  bank.behave()
  await travelTo(app, 0)
  assert.deepEqual(await findDrift(app.db), [])
})

async function work(): Promise<void> {
  while ((await dispatchWithdrawals(app)) + (await submitPayouts(app)) + (await queryPayoutStatus(app)) > 0);
}

async function sentInSilence(): Promise<string> {
  bank.behave({ submit: () => 'reset', find: () => ({ status: 503, body: 'busy' }) })
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody({ amount: AMOUNT, iban: recipient }))).body
    .data
  await work()
  return transactionId as string
}

/** A debit to the recipient whose text was cut off. */
async function paid(id: string, amount: number, changes: Partial<BankLine> = {}): Promise<string> {
  const source = await app.banks.account((await findPayout(app.db, id))?.sourceAccountId ?? '')
  const written = { senderName: '', senderIban: recipient, narrative: 'GIDEN FAST' }
  return journal.arrives('debit', BigInt(amount), { accountIban: source?.iban ?? '', ...written, ...changes })
}

async function asked(hour: number, find: Reply): Promise<void> {
  bank.behave({ find: () => find })
  await travelTo(app, hour * 3660)
  await work()
}

async function assertInDoubt(id: string): Promise<void> {
  const { state, stateReason } = await mustFind(app, id)
  const orders = bank.orders.filter((reference) => reference === id).length
  assert.deepEqual([state, stateReason, orders], ['unknown', 'similar_debit_on_statement', 1])
}

test('paid in two parts: never seen and rejected are not believed; the parts are its debit', async () => {
  const id = await sentInSilence()
  const parts = [await paid(id, 6_000), await paid(id, 4_042, { senderIban: recipient.replace(/(.{4})/g, '$1 ') })]
  await asked(1, neverSeen)
  await assertInDoubt(id)
  await asked(3, rejected)
  await assertInDoubt(id)
  const { output } = await run(['withdrawal', 'show', id])
  for (const part of parts)
    assert.match(output, new RegExp(`bank line ${part} may be its debit .*same account and recipient`))
  await journal.post('payout_debit', { lineIds: parts, withdrawalId: id })
  assert.equal((await mustFind(app, id)).state, 'sent')
})

test('paid with a charge: rejected is not believed; two people explain the debit with its charge', async () => {
  const id = await sentInSilence()
  const line = await paid(id, AMOUNT + 50)
  await asked(1, rejected)
  await assertInDoubt(id)
  await assert.rejects(journal.propose('receivable', { lineIds: [line] }), {
    said: {
      why: 'line_like_debit_of_payout',
      facts: { line, withdrawal: id, like: 'recipient', isOpen: true, has: 'more' },
    },
  })
  const withCharge = { lineIds: [line], withdrawalId: id }
  await journal.post('bank_charge', withCharge)
  assert.equal((await mustFind(app, id)).state, 'sent')
  assert.deepEqual((await journal.stateOf(line)).slice(0, 2), ['matched', 'payout_sent'])
})

test('explained as not its own: never seen and rejected are not believed either', async () => {
  const id = await sentInSilence()
  const line = await paid(id, 500)
  await assert.rejects(journal.propose('bank_charge', { lineIds: [line] }), {
    said: {
      why: 'line_like_debit_of_payout',
      facts: { line, withdrawal: id, like: 'recipient', isOpen: true, has: 'part' },
    },
  })
  await journal.post('bank_charge', { lineIds: [line], notPayouts: [id] })
  await asked(1, rejected)
  await assertInDoubt(id)
  await asked(3, neverSeen)
  await assertInDoubt(id)
  assert.match((await run(['withdrawal', 'show', id])).output, /may be its debit, although two people said otherwise/)
})

test('read after "never seen" and before the second sending, and not yet matched: it is not sent', async () => {
  const id = await sentInSilence()
  bank.behave({ find: () => neverSeen })
  await travelTo(app, 3660)
  await queryPayoutStatus(app)
  assert.equal((await findPayout(app.db, id))?.state, 'ready')
  const source = await app.banks.account((await findPayout(app.db, id))?.sourceAccountId ?? '')
  const now = app.clock.now()
  const line = {
    accountIban: source?.iban ?? '',
    bankReference: app.ids.next(),
    amount: 6_000n,
    direction: 'debit' as const,
  }
  const written = {
    valueDate: istanbul(now).day,
    bookedAt: now,
    senderName: '',
    senderIban: recipient,
    narrative: 'GIDEN',
  }
  await ingest(app, [{ ...line, ...written }])
  await work()
  await assertInDoubt(id)
})

test('a completed payout without its debit does not hold up other debits to its recipient', async () => {
  bank.behave()
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody({ amount: AMOUNT, iban: recipient }))).body
    .data
  await work()
  assert.equal((await mustFind(app, transactionId)).state, 'sent')
  await journal.post('receivable', { lineIds: [await paid(transactionId, 500)] })
})

const OTHER: [name: string, changes: (id: string) => Promise<Partial<BankLine>> | Partial<BankLine>][] = [
  ['on another account', async (id) => ({ accountIban: await otherAccount(id) })],
  ['from before it was stored', () => ({ bookedAt: new Date(app.clock.now().getTime() - 86_460_000) })],
  ['to a masked recipient', () => ({ senderIban: `${recipient.slice(0, 6)}****1296` })],
  ['that is the debit of another payout', async () => ({ narrative: `Para cekme ${await completed()}` })],
]

async function otherAccount(id: string): Promise<string> {
  const source = (await findPayout(app.db, id))?.sourceAccountId
  return [journal.here, journal.there].find((one) => one.id !== source)?.iban ?? ''
}

async function completed(): Promise<string> {
  bank.behave()
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody({ amount: 500, iban: recipient }))).body.data
  await dispatchWithdrawals(app)
  await submitPayouts(app)
  return transactionId as string
}

for (const [name, changes] of OTHER) {
  test(`a debit ${name}, of another amount, keeps no payout: it is sent again`, async () => {
    const id = await sentInSilence()
    await paid(id, 500, await changes(id))
    await asked(1, neverSeen)
    const orders = bank.orders.filter((reference) => reference === id).length
    assert.deepEqual([(await mustFind(app, id)).state, orders], ['sent', 2])
  })
}

test('who says that it was not found is warned of each debit, on a line of its own', async () => {
  const id = await sentInSilence()
  for (const amount of [6_000, 4_042]) await paid(id, amount)
  await travelTo(app, 7 * 86_400)
  const notFound = ['--not-found', 'asked the bank', '--unproven']
  const { output } = await run(['withdrawal', 'resolve', id, '--as', 'ayse.yilmaz', ...notFound])
  assert.equal(output.split('\n').filter((line) => line.startsWith('Careful: ')).length, 2, output)
})

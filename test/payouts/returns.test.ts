import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { balanceOf, bankCash, findDrift } from '../../src/domain/ledger/index.ts'
import type { BankLine } from '../../src/domain/statements/index.ts'
import {
  askPayouts,
  callsOf,
  dispatchWithdrawals,
  findPayout,
  matchPayoutLines,
  submitPayouts,
} from '../../src/domain/withdrawals/index.ts'
import { makeIban } from '../../src/platform/iban.ts'
import { sql } from '../../src/platform/sql.ts'
import { withdrawBody } from '../harness/examples.ts'
import { takeIn } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind, trailOf } from '../harness/trail.ts'
import { travelTo } from '../harness/until.ts'

const service = await startWithBank()
const { app, rail } = service
const shop = await service.merchantWithMoney(5_000_000n, { withdrawFee: { bps: 100 } })
const AMOUNT = 10_000
const FEE = 100n

afterEach(async () => {
  await service.call('DELETE', 'faults')
  await travelTo(app, 0)
})

const faults = (...kinds: string[]) => service.call('PUT', 'faults', { kinds, delayMs: 5 })
const available = async () => (await balanceOf(app.db, shop.merchantId, 'TRY')).available
const sendBack = (id: string) => service.call('POST', `transfers/${id}/return`)

async function ask(): Promise<string> {
  return (await shop.post('/v1/withdraw', withdrawBody({ amount: AMOUNT }))).body.data.transactionId as string
}

/** Sent, without reading the statement. */
async function sent(): Promise<string> {
  const id = await ask()
  await dispatchWithdrawals(app)
  await submitPayouts(app)
  return id
}

/** Everything the bank ever wrote, taken in once more. */
async function readAgain(source: string): Promise<void> {
  const page = await rail.statement(undefined)
  assert.ok(page.outcome === 'read' && !page.more)
  await takeIn(app, page.lines, source)
  await service.readStatement()
}

async function lineAbout(id: string, changes: Partial<BankLine>): Promise<BankLine> {
  const account = await app.banks.account((await findPayout(app.db, id))?.sourceAccountId ?? '')
  const now = app.clock.now()
  return {
    accountIban: account?.iban ?? '',
    bankReference: app.ids.next(),
    amount: BigInt(AMOUNT),
    direction: 'debit',
    valueDate: now.toISOString().slice(0, 10),
    bookedAt: now,
    senderName: '',
    senderIban: null,
    narrative: `Para cekme ${id} REF:${id}`,
    ...changes,
  }
}

const linesAbout = (id: string) =>
  app.db.query<{ direction: string; state: string; reason: string }>(sql`
    select direction, state, reason from bank_lines where narrative like ${`%${id}%`} order by direction desc, id`)

const debit = { direction: 'debit', state: 'matched', reason: 'payout_sent' }
const credit = { direction: 'credit', state: 'matched', reason: 'payout_returned' }

/** What the ledger says lies at the bank is what lies there. */
async function assertBankAgrees(): Promise<void> {
  const { accounts } = await service.call<{ accounts: { iban: string; balance: number }[] }>('GET', 'accounts')
  for (const { collectingAccountId, amount } of await bankCash(app.db)) {
    const iban = (await app.banks.account(collectingAccountId))?.iban
    assert.equal(accounts.find((one) => one.iban === iban)?.balance ?? 0, Number(amount))
  }
  assert.deepEqual(await findDrift(app.db), [])
}

test('sent back after completion: told with the next number, still completed, credited once without the fee', async () => {
  const before = await available()
  const id = await ask()
  await service.work()
  assert.equal((await mustFind(app, id)).sequence, 2)
  assert.equal(await available(), before - BigInt(AMOUNT) - FEE)
  await sendBack(id)
  await sendBack(id)
  await service.work()
  const { status, stage, sequence } = await mustFind(app, id)
  assert.deepEqual([status, stage, sequence], ['completed', 'returned', 3])
  const shown = (await shop.get(`/v1/transactions/${id}`)).body.data
  assert.deepEqual([shown.status, shown.returned, shown.sequence], ['completed', true, 3])
  assert.deepEqual(await trailOf(app, id), ['processing', 'completed', 'returned'])
  await readAgain(rail.name)
  await readAgain('a file from the same bank')
  assert.deepEqual(await trailOf(app, id), ['processing', 'completed', 'returned'])
  assert.deepEqual(await linesAbout(id), [debit, credit])
  assert.equal(await available(), before - FEE)
  await assertBankAgrees()
})

test('accepted, then taken back by the bank: completed, then returned', async () => {
  const before = await available()
  await faults('accept_then_reject')
  const id = await sent()
  assert.equal((await mustFind(app, id)).stage, 'settled')
  await service.readStatement()
  assert.equal((await mustFind(app, id)).stage, 'returned')
  assert.deepEqual(await trailOf(app, id), ['processing', 'completed', 'returned'])
  assert.equal(await available(), before - FEE)
  await assertBankAgrees()
})

test('in doubt and sent back meanwhile: asking tells both, and the lines that follow credit nothing more', async () => {
  const before = await available()
  await faults('error_after')
  const id = await sent()
  await sendBack(id)
  await travelTo(app, 90)
  assert.equal(await askPayouts(app), 1)
  assert.deepEqual(await trailOf(app, id), ['processing', 'completed', 'returned'])
  assert.ok((await findPayout(app.db, id))?.bankReference)
  await service.readStatement()
  assert.deepEqual(await linesAbout(id), [debit, credit])
  assert.deepEqual(await trailOf(app, id), ['processing', 'completed', 'returned'])
  assert.equal(await available(), before - FEE)
  await assertBankAgrees()
})

for (const fault of ['timeout_after', 'error_after', 'reset_after']) {
  test(`${fault}, and the bank does not answer questions: its line settles the payout without asking`, async () => {
    const before = await available()
    await faults(fault, 'find_error')
    const id = await sent()
    assert.equal((await mustFind(app, id)).stage, 'in_doubt')
    await service.readStatement()
    const payout = await findPayout(app.db, id)
    assert.deepEqual([(await mustFind(app, id)).stage, payout?.state, payout?.asks], ['settled', 'accepted', 0])
    assert.ok(payout?.bankReference)
    assert.deepEqual(await linesAbout(id), [debit])
    await travelTo(app, 7200)
    await service.work()
    assert.deepEqual(await trailOf(app, id), ['processing', 'completed'])
    assert.equal(await available(), before - BigInt(AMOUNT) - FEE)
    await assertBankAgrees()
  })
}

test('the return is read before the debit: both told, credited once', async () => {
  const before = await available()
  await faults('error_after', 'find_error')
  const id = await sent()
  await sendBack(id)
  const page = await rail.statement(undefined)
  assert.ok(page.outcome === 'read')
  const { accountIban: ours } = await lineAbout(id, {})
  const about = page.lines.filter(({ narrative, accountIban }) => accountIban === ours && narrative.includes(id))
  assert.equal(about.length, 2)
  for (const line of about.toReversed()) {
    await takeIn(app, [line], rail.name)
    while ((await matchPayoutLines(app)) > 0);
  }
  await service.readStatement()
  assert.deepEqual(await trailOf(app, id), ['processing', 'completed', 'returned'])
  assert.equal(await available(), before - FEE)
  await assertBankAgrees()
})

test('lines that differ in amount or account wait for a person: out in the queue, in in suspense', async () => {
  await faults('error_before', 'find_error')
  const id = await sent()
  const before = await available()
  const source = (await findPayout(app.db, id))?.sourceAccountId
  const elsewhere = (await app.banks.accounts()).find((account) => account.id !== source && account.currency === 'TRY')
  assert.ok(elsewhere)
  const back = { direction: 'credit', narrative: `IADE ${id}` } as const
  await takeIn(app, [
    await lineAbout(id, { amount: BigInt(AMOUNT) + 1n }),
    await lineAbout(id, { amount: BigInt(AMOUNT) - 1n }),
    await lineAbout(id, { accountIban: elsewhere.iban }),
    await lineAbout(id, { ...back, amount: BigInt(AMOUNT) - 5n }),
    await lineAbout(id, { narrative: `Para cekme REF:${'f'.repeat(24)} ${id}` }),
  ])
  await service.readStatement()
  const lines = await linesAbout(id)
  assert.deepEqual(lines.map(({ state, reason }) => `${state} ${reason}`).sort(), [
    'queue outgoing',
    ...Array.from({ length: 3 }, () => 'queue payout_differs'),
    'suspense payout_differs',
  ])
  assert.equal((await mustFind(app, id)).stage, 'in_doubt')
  assert.deepEqual(await trailOf(app, id), ['processing'])
  assert.equal(await available(), before)
  await service.call('DELETE', 'faults')
  await travelTo(app, 7200)
  await service.work()
  assert.equal((await mustFind(app, id)).stage, 'settled')
  await takeIn(app, [await lineAbout(id, { ...back, amount: BigInt(AMOUNT) + 1n })])
  await service.readStatement()
  assert.equal((await mustFind(app, id)).stage, 'settled')
  assert.equal(await available(), before)
  assert.deepEqual(await findDrift(app.db), [])
})

test('lines about a refused payout wait for a person', async () => {
  const before = await available()
  const { transactionId: id } = (
    await shop.post('/v1/withdraw', withdrawBody({ amount: AMOUNT, iban: makeIban('0062', '90000001') }))
  ).body.data
  await service.work()
  assert.equal((await mustFind(app, id)).stage, 'failed')
  await takeIn(app, [await lineAbout(id, {}), await lineAbout(id, { direction: 'credit', narrative: `IADE ${id}` })])
  await service.readStatement()
  assert.deepEqual(
    (await linesAbout(id)).map(({ state, reason }) => `${state} ${reason}`),
    ['queue payout_taken_back', 'queue payout_taken_back'],
  )
  assert.deepEqual(await trailOf(app, id), ['processing', 'failed'])
  assert.equal(await available(), before)
})

test('every word about a payout is kept: its answer, the line that went out, the line that came back', async () => {
  const id = await ask()
  await service.work()
  await sendBack(id)
  await service.work()
  const calls = await callsOf(app.db, shop.merchantId, id)
  assert.deepEqual(
    calls.map(({ kind, outcome }) => `${kind} ${outcome}`),
    ['submit accepted', 'line debit', 'line credit'],
  )
})

test('returned by its line alone, the payout keeps a reference of the bank', async () => {
  await faults('error_after', 'find_error')
  const id = await sent()
  await takeIn(app, [await lineAbout(id, { direction: 'credit', narrative: `IADE ${id}` })])
  while ((await matchPayoutLines(app)) > 0);
  assert.equal((await mustFind(app, id)).stage, 'returned')
  assert.ok((await findPayout(app.db, id))?.bankReference)
})

import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { UNATTRIBUTED, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { matchPayoutLines } from '../../packages/server/src/domain/matching/index.ts'
import {
  queryPayoutStatus,
  decideDoubt,
  findPayout,
  callsOf,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { ingest } from '../harness/payments.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind, checkHistory } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'

const service = await startWithBank()
const { app, connection } = service
const shop = await service.merchantWithMoney(5_000_000n, { withdrawFee: { bps: 100 } })
const { ask, sent, lineAbout, linesAbout, assertBankAgrees, faults, available, sendBack } = openPayoutLines(
  service,
  shop,
)
const FEE = 100n

afterEach(async () => {
  await service.call('DELETE', 'faults')
  await travelTo(app, 0)
})

/** Everything the bank ever wrote, taken in once more. */
async function readAgain(source: string): Promise<void> {
  const page = await connection.statement(undefined)
  assert.ok(page.outcome === 'read' && !page.more)
  await ingest(app, page.lines, source)
  await service.readStatement()
}

const debit = { direction: 'debit', state: 'matched', reason: 'payout_sent' }
const credit = { direction: 'credit', state: 'matched', reason: 'payout_returned' }

test('sent back after completion: told with the next number, still completed, credited once without the fee', async () => {
  const before = await available()
  const id = await ask()
  await service.work()
  assert.equal((await mustFind(app, id)).sequence, 2)
  assert.equal(await available(), before - BigInt(AMOUNT) - FEE)
  await sendBack(id)
  await sendBack(id)
  await service.work()
  const { status, state, sequence } = await mustFind(app, id)
  assert.deepEqual([status, state, sequence], ['completed', 'returned', 3])
  const shown = (await shop.get(`/v1/transactions/${id}`)).body.data
  assert.deepEqual([shown.status, shown.returned, shown.sequence], ['completed', true, 3])
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed', 'returned'])
  await readAgain(connection.name)
  await readAgain('a file from the same bank')
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed', 'returned'])
  assert.deepEqual(await linesAbout(id), [debit, credit])
  assert.equal(await available(), before - FEE)
  await assertBankAgrees()
})

test('accepted, then taken back by the bank: completed, then returned', async () => {
  const before = await available()
  await faults('accept_then_reject')
  const id = await sent()
  assert.equal((await mustFind(app, id)).state, 'sent')
  await service.readStatement()
  assert.equal((await mustFind(app, id)).state, 'returned')
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed', 'returned'])
  assert.equal(await available(), before - FEE)
  await assertBankAgrees()
})

test('in doubt and sent back meanwhile: asking tells both, and the lines that follow credit nothing more', async () => {
  const before = await available()
  await faults('error_after')
  const id = await sent()
  await sendBack(id)
  await travelTo(app, 90)
  assert.equal(await queryPayoutStatus(app), 1)
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed', 'returned'])
  assert.ok((await findPayout(app.db, id))?.bankReference)
  await service.readStatement()
  assert.deepEqual(await linesAbout(id), [debit, credit])
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed', 'returned'])
  assert.equal(await available(), before - FEE)
  await assertBankAgrees()
})

for (const fault of ['timeout_after', 'error_after', 'reset_after']) {
  test(`${fault}, and the bank does not answer questions: its line settles the payout without asking`, async () => {
    const before = await available()
    await faults(fault, 'find_error')
    const id = await sent()
    assert.equal((await mustFind(app, id)).state, 'unknown')
    await service.readStatement()
    const payout = await findPayout(app.db, id)
    assert.deepEqual([(await mustFind(app, id)).state, payout?.state, payout?.queries], ['sent', 'sent', 0])
    assert.ok(payout?.bankReference)
    assert.deepEqual(await linesAbout(id), [debit])
    await travelTo(app, 7200)
    await service.work()
    assert.deepEqual(await checkHistory(app, id), ['processing', 'completed'])
    assert.equal(await available(), before - BigInt(AMOUNT) - FEE)
    await assertBankAgrees()
  })
}

test('the return is read before the debit: both told, credited once', async () => {
  const before = await available()
  await faults('error_after', 'find_error')
  const id = await sent()
  await sendBack(id)
  const page = await connection.statement(undefined)
  assert.ok(page.outcome === 'read')
  const { accountIban: ours } = await lineAbout(id, {})
  const about = page.lines.filter(({ narrative, accountIban }) => accountIban === ours && narrative.includes(id))
  assert.equal(about.length, 2)
  for (const line of about.toReversed()) {
    await ingest(app, [line], connection.name)
    while ((await matchPayoutLines(app)) > 0);
  }
  await service.readStatement()
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed', 'returned'])
  assert.equal(await available(), before - FEE)
  await assertBankAgrees()
})

test('lines that differ in amount or account wait for a person: out in needs_review, in in suspense', async () => {
  await faults('error_before', 'find_error')
  const id = await sent()
  const before = await available()
  const source = (await findPayout(app.db, id))?.sourceAccountId
  const elsewhere = (await app.banks.accounts()).find((account) => account.id !== source && account.currency === 'TRY')
  assert.ok(elsewhere)
  const back = { direction: 'credit', narrative: `IADE ${id}` } as const
  await ingest(app, [
    await lineAbout(id, { amount: BigInt(AMOUNT) + 1n }),
    await lineAbout(id, { amount: BigInt(AMOUNT) - 1n }),
    await lineAbout(id, { accountIban: elsewhere.iban }),
    await lineAbout(id, { ...back, amount: BigInt(AMOUNT) - 5n }),
  ])
  await service.readStatement()
  const lines = await linesAbout(id)
  assert.deepEqual(lines.map(({ state, reason }) => `${state} ${reason}`).sort(), [
    ...Array.from({ length: 3 }, () => 'needs_review payout_differs'),
    'suspense payout_differs',
  ])
  assert.equal((await mustFind(app, id)).state, 'unknown')
  assert.deepEqual(await checkHistory(app, id), ['processing'])
  assert.equal(await available(), before)
  await service.call('DELETE', 'faults')
  await travelTo(app, 7200)
  await service.work()
  assert.equal((await mustFind(app, id)).state, 'unknown', 'not sent again while debits name it')
  for (const operator of ['ada.aksoy', 'bora.boz']) {
    await addOperator(app, UNATTRIBUTED, operator, DECIDING)
    await decideDoubt(app, operatorActor(operator), id, { verdict: 'found', evidence: 'dekont 123456' })
  }
  await ingest(app, [await lineAbout(id, { ...back, amount: BigInt(AMOUNT) + 1n })])
  await service.readStatement()
  assert.equal((await mustFind(app, id)).state, 'sent')
  assert.equal(await available(), before)
  assert.deepEqual(await findDrift(app.db), [])
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

test('in doubt, and only its return is read: that alone settles nothing; with the debit it is returned', async () => {
  await faults('error_after', 'find_error')
  const id = await sent()
  await ingest(app, [await lineAbout(id, { direction: 'credit', narrative: `IADE ${id}` })])
  while ((await matchPayoutLines(app)) > 0);
  assert.equal((await mustFind(app, id)).state, 'unknown')
  assert.deepEqual(await linesAbout(id), [{ direction: 'credit', state: 'suspense', reason: 'payout_no_debit' }])
  await ingest(app, [await lineAbout(id, {})])
  while ((await matchPayoutLines(app)) > 0);
  assert.equal((await mustFind(app, id)).state, 'returned')
  assert.ok((await findPayout(app.db, id))?.bankReference)
})

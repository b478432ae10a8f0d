import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { decideCorrection } from '../../packages/server/src/domain/matching/index.ts'
import { findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { candidatesInWords } from '../harness/candidates.ts'
import { AYSE, openJournal } from '../harness/journal.ts'
import { ingest, matchAll } from '../harness/payments.ts'
import { openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'

// The bank shows the debit of a payout again with the wrong sign. No money came, so no one is credited.

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(1_000_000n)
const journal = await openJournal(app)
const { sent, lineAbout, available } = openPayoutLines(service, shop)
afterEach(() => journal.assertSound())

async function read(lines: BankLine[]): Promise<void> {
  await ingest(app, lines)
  await matchAll(app)
  await journal.bookAll()
}

async function creditOf(id: string) {
  const lines = await listLines(app.db, undefined, 1000)
  return lines.find((one) => one.direction === 'credit' && one.narrative.includes(id)) ?? assert.fail('no credit')
}

const written = { senderName: 'Ali Veli', senderIban: null }

for (const [what, pages] of Object.entries({
  'on a later page': (debit: BankLine, credit: BankLine) => [[debit], [credit]],
  'on the same page': (debit: BankLine, credit: BankLine) => [[debit, credit]],
  'before it, on the same page': (debit: BankLine, credit: BankLine) => [[credit, debit]],
}))
  test(`a credit with number, amount, text, time and counterparty of the debit, ${what}, is a suspected correction`, async () => {
    const id = await sent()
    const before = await available()
    const debit = await lineAbout(id, written)
    for (const page of pages(debit, { ...debit, direction: 'credit' })) await read(page)
    await read([{ ...debit, direction: 'credit' }])
    const credit = await creditOf(id)
    const first = (await listLines(app.db, undefined, 1000)).find((one) => one.withdrawalId === id)
    assert.deepEqual(
      [credit.state, credit.reason, credit.correctsLineId],
      ['needs_review', 'suspected_correction', first?.id],
    )
    assert.equal((await findPayout(app.db, id))?.state, 'sent')
    assert.equal(await available(), before)
    for (const { next } of await candidatesInWords(app, credit))
      assert.ok(next?.startsWith(`vezne line correction ${credit.id} --new-money, or`))
    assert.equal((await decideCorrection(app, AYSE, credit.id, 'same_money')).state, 'dismissed')
    assert.equal(await available(), before)
  })

test('before its debit, on an earlier page, it is not booked as the return either', async () => {
  const id = await sent()
  const before = await available()
  const debit = await lineAbout(id, written)
  await read([{ ...debit, direction: 'credit' }])
  await read([debit])
  assert.equal((await findPayout(app.db, id))?.state, 'sent')
  assert.equal(await available(), before)
  assert.equal((await creditOf(id)).state, 'suspense')
})

test('if the money did come, a person says so and it is the return', async () => {
  const id = await sent()
  const before = await available()
  const debit = await lineAbout(id, written)
  await read([debit, { ...debit, direction: 'credit' }])
  await decideCorrection(app, AYSE, (await creditOf(id)).id, 'new_money')
  await matchAll(app)
  assert.equal((await findPayout(app.db, id))?.state, 'returned')
  assert.equal(await available(), before + debit.amount)
})

for (const [what, changes] of Object.entries({
  'its own text': (id: string) => ({ narrative: `GONDERILEN FAST IADESI ${id}` }),
  'its own time': () => ({ bookedAt: new Date(Date.now() + 60_000) }),
  'its own number': () => ({ bankReference: app.ids.next() }),
}))
  test(`a real return with ${what} is booked by itself`, async () => {
    const id = await sent()
    const debit = await lineAbout(id, written)
    await read([debit])
    await read([{ ...debit, direction: 'credit', ...changes(id) }])
    assert.equal((await creditOf(id)).reason, 'payout_returned')
  })

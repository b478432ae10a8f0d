import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { findCandidates, openReceivables, reportDay } from '../../packages/server/src/domain/books/index.ts'
import { returnByHand } from '../../packages/server/src/domain/matching/index.ts'
import { findPayout } from '../../packages/server/src/domain/payouts/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { findLine, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { AYSE, openJournal } from '../harness/journal.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'

// The bank debits a payout twice, or takes its return back.

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(1_000_000n)
const journal = await openJournal(app)
const { post } = journal
const { sent, lineAbout, available } = openPayoutLines(service, shop)

/** Each case ends with a day that is explained, and with nothing left to decide or owed. */
afterEach(async () => {
  await journal.assertSound()
  const { accounts } = await reportDay(app, istanbul(app.clock.now()).day)
  assert.deepEqual(
    accounts.filter(({ unexplained }) => unexplained !== 0n),
    [],
  )
  const left = await listLines(app.db, undefined, 1000)
  assert.deepEqual(
    left.filter(({ state }) => state === 'suspense' || state === 'needs_review'),
    [],
  )
  assert.deepEqual(await openReceivables(app.db), [])
})

const arrives = async (id: string, changes: Partial<BankLine> = {}) =>
  journal.arrives('debit', 0n, await lineAbout(id, changes))
const comesBack = (id: string) => arrives(id, { direction: 'credit', narrative: `MUKERRER ISLEM DUZELTME ${id}` })
const reasonOf = async (lineId: string) => (await journal.stateOf(lineId)).slice(0, 2).join(' ')

async function candidatesOf(lineId: string) {
  return findCandidates(app, (await findLine(app.db, lineId)) ?? assert.fail('no line'))
}

/** A payout with its debit, and a second one. */
async function debitedTwice(): Promise<{ id: string; second: string }> {
  const id = await sent()
  await arrives(id)
  const second = await arrives(id)
  assert.equal(await reasonOf(second), 'needs_review payout_line_twice')
  return { id, second }
}

test('one of two debits is given back: the credit waits, and the two are a storno', async () => {
  const { id, second } = await debitedTwice()
  const before = await available()
  const credit = await comesBack(id)
  assert.equal(await reasonOf(credit), 'suspense payout_second_debit')
  assert.equal((await findPayout(app.db, id))?.state, 'accepted')
  const [best, ...others] = await candidatesOf(credit)
  assert.equal(best?.next, `vezne journal propose storno --line ${credit} --line ${second}`)
  assert.ok(others.some(({ next }) => next === `vezne line return ${credit} --withdrawal ${id}`))
  await post('storno', { lineIds: [credit, second] })
  assert.equal(await available(), before)
  const returned = await arrives(id, { direction: 'credit', narrative: `IADE ${id}` })
  assert.equal(await reasonOf(returned), 'matched payout_returned')
})

test('the second debit is owed: the credit waits, and settles it; a later one is the return', async () => {
  const { id, second } = await debitedTwice()
  const before = await available()
  const owed = await post('receivable', { lineIds: [second] })
  const credit = await comesBack(id)
  assert.equal(await reasonOf(credit), 'suspense payout_second_debit')
  const [best] = await candidatesOf(credit)
  assert.equal(best?.next, `vezne journal propose receivable --line ${credit} --settles ${owed}`)
  await post('receivable', { lineIds: [credit], settles: owed })
  assert.equal(await available(), before)
  const returned = await arrives(id, { direction: 'credit', narrative: `IADE ${id}` })
  assert.equal(await reasonOf(returned), 'matched payout_returned')
})

test('it was the return: a person says so', async () => {
  const { id, second } = await debitedTwice()
  const before = await available()
  const credit = await comesBack(id)
  assert.equal(await returnByHand(app, AYSE, credit, id), 'credited')
  assert.equal(await available(), before + BigInt(AMOUNT))
  const owed = await post('receivable', { lineIds: [second] })
  const later = await arrives(id, { direction: 'credit', narrative: 'DUZELTME' })
  await post('receivable', { lineIds: [later], settles: owed })
})

test('a charge that names the payout is no second debit of it', async () => {
  const id = await sent()
  await arrives(id)
  const charge = await arrives(id, { amount: 639n, narrative: `EFT MASRAFI ${id}` })
  const credit = await arrives(id, { direction: 'credit', narrative: `IADE ${id}` })
  assert.equal(await reasonOf(credit), 'matched payout_returned')
  await post('bank_charge', { lineIds: [charge] })
})

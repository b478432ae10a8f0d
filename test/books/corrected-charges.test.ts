import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { openBooksOfPayouts } from '../harness/books-of-payouts.ts'

// The bank gives a charge again under its number, with another amount: only the later one is in the books.

const { app, journal, candidatesOf, follow } = await openBooksOfPayouts()
const { arrives, post } = journal
const bookedAt = app.clock.now()

async function charge(bankReference: string, amount: bigint, narrative = 'EFT MASRAFI'): Promise<void> {
  await arrives('debit', amount, { bankReference, narrative, senderName: '', bookedAt })
}

async function corrected(number: string) {
  await charge(number, 525n)
  await charge(number, 625n)
  const lines = (await listLines(app.db, undefined, 1000)).filter(({ bankReference }) => bankReference === number)
  const idOf = (amount: bigint) => lines.find((line) => line.amount === amount)?.id ?? assert.fail()
  return [idOf(525n), idOf(625n)] as const
}

test('the first is dismissed by two, and the later one is the charge', async () => {
  const [first, second] = await corrected('CH1-0001')
  const before = await journal.of('bank_charges')
  for (const line of [first, second]) {
    const [best] = await candidatesOf(line)
    assert.equal(best?.next, `ask the bank; if it counts only the later line: vezne line dismiss ${first}`)
  }
  await follow(second)
  assert.deepEqual((await journal.stateOf(first)).slice(0, 1), ['dismissed'])
  assert.deepEqual(await follow(second), [`vezne journal propose bank_charge --line ${second}`])
  assert.equal(await journal.of('bank_charges'), before - 625n)
})

test('the first was booked before: that is taken back, then it is dismissed', async () => {
  await charge('CH2-0001', 525n)
  const only = (await listLines(app.db, undefined, 1000)).find((line) => line.bankReference === 'CH2-0001')
  const before = await journal.of('bank_charges')
  await post('bank_charge', { lineIds: [only?.id ?? ''] })
  const [first, second] = await corrected('CH2-0001')
  await follow(second)
  await follow(second)
  assert.deepEqual((await journal.stateOf(first)).slice(0, 1), ['dismissed'])
  await post('bank_charge', { lineIds: [second] })
  assert.equal(await journal.of('bank_charges'), before - 625n)
})

test('a tax under the number of the charge, with another text, is no correction: one entry explains both', async () => {
  await charge('CH3-0001', 525n)
  await charge('CH3-0001', 26n, 'BSMV')
  const waiting = await listLines(app.db, 'needs_review', 10)
  const lineIds = waiting.filter((one) => one.bankReference === 'CH3-0001').map(({ id }) => id)
  for (const id of lineIds) {
    const found = await candidatesOf(id)
    assert.deepEqual(
      found.map(({ what }) => what),
      ['charge_and_tax'],
    )
  }
  await post('bank_charge', { lineIds })
})

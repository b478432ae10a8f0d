import assert from 'node:assert/strict'
import { test } from 'node:test'
import { undoFile } from '../../packages/server/src/domain/books/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { Booking } from '../harness/statement-files.ts'
import { camt, mt, openFileAccount } from '../harness/statement-files.ts'
import { startService } from '../harness/service.ts'

const { app } = await startService()
const DAY = '2026-03-10'
const IBAN = 'TR330006100519786457841326'
const [CODE1, CODE2] = ['ABCD2345', 'WXYZ6789']
const [PAYOUT1, PAYOUT2] = ['6a0000000000000000000001', '6a0000000000000000000002']
const paid = (text: string, more: Partial<Booking> = {}): Booking => {
  return { amount: 50_000, sender: 'Ayşe Yılmaz', iban: IBAN, text, ...more }
}
const counts = (result: { new: number; known: number; suspected: number }) => [
  result.new,
  result.known,
  result.suspected,
]

test('two deposits of one customer, equal in amount and day: the second is new in another format', async () => {
  const camtAccount = await openFileAccount(app)
  const { iban, take, lines } = camtAccount
  await take(camt('052', { iban, day: DAY, bookings: [paid(CODE1)] }))
  const both = [paid(CODE1, { number: 'N1' }), paid(CODE2, { number: 'N2' })]
  assert.deepEqual(counts(await take(camt('054', { iban, day: DAY, bookings: both.slice(1) }))), [1, 0, 0])
  assert.deepEqual(counts(await take(camt('053', { iban, day: DAY, opening: 0, bookings: both }))), [0, 2, 0])
  assert.deepEqual((await lines()).map(({ bankReference, state }) => [bankReference, state]), [['N1', 'new'], ['N2', 'new']]) // prettier-ignore

  const mtAccount = await openFileAccount(app)
  await mtAccount.take(mt('942', { iban: mtAccount.iban, day: DAY, bookings: [paid(CODE1)] }))
  const second = mt('940', { iban: mtAccount.iban, day: DAY, bookings: both })
  assert.deepEqual(counts(await mtAccount.take(second)), [1, 1, 0])
})

test('two payouts of one amount to one IBAN: the debit of the second is not taken for that of the first', async () => {
  for (const first of [PAYOUT1, '']) {
    const { iban, take, lines } = await openFileAccount(app)
    await take(camt('052', { iban, day: DAY, bookings: [paid(first, { debit: true })] }))
    const second = paid(PAYOUT2, { debit: true, number: 'N2' })
    assert.deepEqual(counts(await take(camt('054', { iban, day: DAY, bookings: [second] }))), [1, 0, 0])
    assert.deepEqual(
      (await lines()).map(({ narrative }) => narrative),
      [first, PAYOUT2],
    )
  }
})

test('texts that differ without naming a deposit: a person decides', async () => {
  for (const [stored, read] of [
    ['kira', 'borç'],
    ['', CODE2],
  ] as const) {
    const { iban, take } = await openFileAccount(app)
    await take(camt('052', { iban, day: DAY, bookings: [paid(stored)] }))
    const bookings = [paid(read, { number: 'N2' }), paid(stored, { number: 'N1' })]
    assert.deepEqual(counts(await take(camt('054', { iban, day: DAY, bookings }))), [1, 1, 1])
  }
})

test('a stored line without number is one numbered booking, however many files come', async () => {
  const { iban, take, lines } = await openFileAccount(app)
  await take(camt('052', { iban, day: DAY, bookings: [paid(CODE1)] }))
  const results = []
  for (const number of ['N1', 'N2', 'N3', 'N1'])
    results.push(counts(await take(camt('054', { iban, day: DAY, id: `${results.length}`, bookings: [paid(CODE1, { number })] })))) // prettier-ignore
  assert.deepEqual(results, [[0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 1, 0]]) // prettier-ignore
  const again = await take(camt('052', { iban, day: DAY, id: 'again', bookings: [paid(CODE1)] }))
  assert.deepEqual(counts(again), [0, 1, 0])
  assert.equal((await lines()).length, 3)
})

test('the number of a file that was undone is taken off the line again', async () => {
  const { iban, take, lines } = await openFileAccount(app)
  await take(camt('052', { iban, day: DAY, bookings: [paid(CODE1)] }))
  const wrong = await take(camt('054', { iban, day: DAY, bookings: [paid(CODE1, { number: 'WRONG' })] }))
  assert.equal((await lines())[0]?.bankReference, 'WRONG')
  await undoFile(app, UNATTRIBUTED, wrong.file.id, 'the wrong numbers were exported')
  const right = await take(camt('054', { iban, day: DAY, bookings: [paid(CODE1, { number: 'N1' })] }))
  assert.deepEqual(counts(right), [0, 1, 0])
  assert.equal((await lines())[0]?.bankReference, 'N1')
})

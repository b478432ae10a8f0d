import assert from 'node:assert/strict'
import { test } from 'node:test'
import { undoFile } from '../../packages/server/src/domain/books/index.ts'
import { previewFile } from '../../packages/server/src/domain/statements/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { Booking } from '../harness/statement-files.ts'
import { camt, contentOf, mt, openFileAccount, PLAIN } from '../harness/statement-files.ts'
import { startService } from '../harness/service.ts'
import { money } from '../../packages/server/src/kernel/refusals/facts.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'

const { app } = await startService()
const [DAY, NEXT] = ['2026-03-10', '2026-03-11']
const booking = (number: string, more: Partial<Booking> = {}): Booking => {
  return { number, amount: 10_000, sender: 'Ayşe Yılmaz', text: 'kira', ...more }
}
const counts = (result: { new: number; known: number; suspected: number }) => [
  result.new,
  result.known,
  result.suspected,
]
const preview = (text: string) => previewFile(app, contentOf('ekstre.xml', text), PLAIN)

test('a provisional number that changes in the final statement: the same booking, also when either number comes again', async () => {
  const { iban, take, lines } = await openFileAccount(app)
  await take(camt('052', { iban, day: DAY, bookings: [booking('P1', { text: 'GELEN kira', time: '10:00:00' })] }))
  const final = camt('053', { iban, day: DAY, opening: 0, bookings: [booking('N1')] })
  const [line] = await lines()
  const { findings } = await preview(final)
  const first = note('finding_line', { line: line?.id ?? '', number: 'P1', amount: money(10_000n) })
  const what = note('finding_lines_renumbered', { day: DAY, count: 1, first, number: 'N1' })
  assert.deepEqual(findings.filter((one) => one.found ?? one.missing), [{ severity: 'note', what, found: [line?.id] }]) // prettier-ignore
  const taken = await take(final)
  assert.deepEqual(counts(taken), [0, 1, 0])
  assert.equal((await lines())[0]?.bankReference, 'N1')
  const asBefore = booking('P1', { text: 'GELEN kira', time: '10:00:00' })
  for (const later of [
    camt('052', { iban, day: DAY, id: 'S2', bookings: [asBefore] }),
    camt('054', { iban, day: DAY, bookings: [booking('P1')] }),
    camt('054', { iban, day: DAY, bookings: [booking('N1')] }),
    camt('053', { iban, day: DAY, id: 'S2', opening: 0, bookings: [booking('N1')] }),
  ])
    assert.deepEqual(counts(await take(later)), [0, 1, 0])
  assert.deepEqual(counts(await take(camt('052', { iban, day: DAY, bookings: [booking('P1')] }))), [1, 0, 1])
})

test('undone: the line has its provisional number again', async () => {
  const { iban, take, lines } = await openFileAccount(app)
  await take(mt('942', { iban, day: DAY, bookings: [booking('P1')] }))
  const { file } = await take(mt('940', { iban, day: DAY, bookings: [booking('N1')] }))
  const again = await take(mt('940', { iban, day: DAY, bookings: [booking('N1')], id: '2/1' }))
  await undoFile(app, UNATTRIBUTED, again.file.id, 'it came twice')
  assert.equal((await lines())[0]?.bankReference, 'N1')
  await undoFile(app, UNATTRIBUTED, file.id, 'the wrong day was exported')
  assert.deepEqual(
    (await lines()).map(({ bankReference }) => bankReference),
    ['P1'],
  )
})

test('two equal payments of which a report had one: the other is new in any order, because the final statement has its number', async () => {
  for (const order of [
    ['N1', 'N2'],
    ['N2', 'N1'],
  ]) {
    const { iban, take, lines } = await openFileAccount(app)
    await take(camt('052', { iban, day: DAY, bookings: [booking('N1')] }))
    const bookings = order.map((number) => booking(number))
    assert.deepEqual(counts(await take(camt('053', { iban, day: DAY, opening: 0, bookings }))), [1, 1, 0])
    assert.deepEqual((await lines()).map(({ bankReference, state }) => [bankReference, state]), [['N1', 'new'], ['N2', 'new']]) // prettier-ignore
  }
})

test('another number and another text: a person decides', async () => {
  const { iban, take, lines } = await openFileAccount(app)
  await take(camt('052', { iban, day: DAY, bookings: [booking('P1')] }))
  const taken = await take(camt('053', { iban, day: DAY, opening: 0, bookings: [booking('N1', { text: 'borç' })] }))
  assert.deepEqual(counts(taken), [1, 0, 1])
  const [first, second] = await lines()
  assert.deepEqual([second?.reason, second?.correctsLineId], ['suspected_correction', first?.id])
})

test('a booking that the bank moved to a later day, credit or debit: a suspected correction that names both lines', async () => {
  for (const debit of [{}, { debit: true } as const]) {
    for (const number of ['N1', 'N9']) {
      const { iban, take, lines } = await openFileAccount(app)
      await take(camt('052', { iban, day: DAY, bookings: [booking('N1', debit)] }))
      await take(camt('053', { iban, day: DAY, opening: 0, bookings: [] }))
      const moved = camt('053', { iban, day: NEXT, opening: 0, bookings: [booking(number, debit)] })
      const [first] = await lines()
      const { findings } = await preview(moved)
      const amount = money('debit' in debit ? -10_000n : 10_000n)
      const line = note('finding_line', { line: first?.id ?? '', number: 'N1', amount })
      const what = note('finding_line_suspected', { line, day: DAY, number, hereDay: NEXT })
      assert.deepEqual(findings.filter((one) => one.found ?? one.missing), [{ severity: 'note', what, found: [first?.id] }]) // prettier-ignore
      assert.deepEqual(counts(await take(moved)), [1, 0, 1])
      const [, second] = await lines()
      assert.deepEqual([second?.state, second?.correctsLineId], ['needs_review', first?.id])
    }
  }
})

test('a booking moved over a weekend or holidays: up to two business days later it is a suspected correction, later it is new', async () => {
  // Ramazan Bayramı: 20 to 22 March 2026. The 13th is a Friday.
  for (const [from, to, suspected] of [
    ['2026-03-13', '2026-03-16', 1],
    ['2026-03-13', '2026-03-17', 1],
    ['2026-03-13', '2026-03-18', 0],
    ['2026-03-18', '2026-03-23', 1],
  ] as const) {
    const { iban, take, lines } = await openFileAccount(app)
    await take(camt('052', { iban, day: from, bookings: [booking('N1')] }))
    await take(camt('053', { iban, day: from, opening: 0, bookings: [] }))
    const taken = await take(camt('053', { iban, day: to, opening: 0, bookings: [booking('N9')] }))
    assert.deepEqual(counts(taken), [1, 0, suspected], `${from} to ${to}`)
    const [first, second] = await lines()
    assert.equal(second?.correctsLineId, suspected ? first?.id : null)
  }
})

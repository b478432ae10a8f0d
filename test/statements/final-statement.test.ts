import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { previewFile, showFile } from '../../packages/server/src/domain/statements/index.ts'
import type { Booking } from '../harness/statement-files.ts'
import { camt, contentOf, mt, openFileAccount, PLAIN } from '../harness/statement-files.ts'
import { startService } from '../harness/service.ts'
import { money } from '../../packages/server/src/kernel/refusals/facts.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'

const { app } = await startService()
const [DAY, NEXT] = ['2026-03-10', '2026-03-11']
const acceptProblems = 'the bank confirmed it by phone'
const booking = (number: string, more: Partial<Booking> = {}): Booking => {
  return { number, amount: 10_000, sender: 'Ayşe Yılmaz', text: 'kira', ...more }
}
const counts = (result: { new: number; known: number; suspected: number }) => [
  result.new,
  result.known,
  result.suspected,
]
/** Problems, and what is missing. */
const found = async (text: string) =>
  (await previewFile(app, contentOf('ekstre.xml', text), PLAIN)).findings.filter(
    ({ severity, missing }) => severity !== 'note' || missing,
  )

test('stored lines that the final statement of their day does not have: a finding that names them; they stay', async () => {
  for (const [during, final] of [
    [camt.bind(null, '052'), camt.bind(null, '053')],
    [mt.bind(null, '942'), mt.bind(null, '940')],
  ] as const) {
    const { iban, lines, take } = await openFileAccount(app)
    const gone = [booking('P1', { amount: 7700, sender: 'Ali Can' }), booking('P2', { amount: 100, debit: true })]
    await take(during({ iban, day: DAY, bookings: [booking('N1'), ...gone] }))
    const text = final({ iban, day: DAY, opening: 0, bookings: [booking('N1'), booking('N2', { amount: 5 })] })
    const [, first, second] = await lines()
    const named = note('finding_line', { line: first?.id ?? '', number: 'P1', amount: money(7700n) })
    const what = note('finding_lines_missing', { day: DAY, count: 2, first: named })
    assert.deepEqual(await found(text), [{ severity: 'note', what, missing: [first?.id, second?.id] }])
    const taken = await take(text)
    assert.deepEqual(counts(taken), [1, 1, 0])
    const file = await showFile(app, taken.file.id)
    const listed = file.checks.map((one) => one.what)
    const other = note('finding_line', { line: second?.id ?? '', number: 'P2', amount: money(-100n) })
    for (const one of [what, note('finding_line_state', { line: other, state: 'new' })])
      assert.ok(listed.some((shown) => isDeepStrictEqual(shown, one)))
    assert.deepEqual((await lines()).map(({ state }) => state), ['new', 'new', 'new', 'new']) // prettier-ignore
  }
})

test('nothing is missing: other wording, batches, the same day again, a late line of a day before, a second part of the day', async () => {
  const { iban, take } = await openFileAccount(app)
  const batch = { number: 'B1', amount: 300, details: [{ amount: 100, sender: 'Ali', text: 'a' }, { amount: 200, sender: 'Veli', text: 'b' }] } // prettier-ignore
  const unnumbered = { amount: 50, sender: 'Can Can', text: 'x' }
  await take(camt('054', { iban, day: DAY, bookings: [{ ...batch, opened: true }, booking('N1', { text: 'GELEN kira' }), unnumbered] })) // prettier-ignore
  const day = [batch, booking('N1'), unnumbered, unnumbered]
  await take(camt('053', { iban, day: DAY, opening: 0, bookings: day }))
  assert.deepEqual(counts(await take(camt('053', { iban, day: DAY, opening: 0, bookings: day, id: 'S2' }))), [0, 4, 0])
  const late = [booking('N3', { day: DAY, amount: 1 }), booking('N4', { amount: 2 })]
  const next = camt('053', { iban, day: NEXT, opening: 10_400, closing: 10_403, bookings: late })
  assert.deepEqual(await found(next), [])
  await take(next)
  const part = camt('053', { iban, day: NEXT, opening: 10_403, bookings: [booking('N5', { amount: 3 })] })
  assert.deepEqual(await found(part), [])
})

test('a corrected final statement without a line of the first one names it', async () => {
  const { iban, take, lines } = await openFileAccount(app)
  await take(camt('053', { iban, day: DAY, opening: 0, bookings: [booking('N1'), booking('N2', { amount: 5 })] }))
  const [, second] = await lines()
  const [contradiction, finding] = await found(camt('053', { iban, day: DAY, opening: 0, bookings: [booking('N1')] }))
  assert.deepEqual([contradiction?.check, finding?.severity], ['closing', 'problem'])
  const line = note('finding_line', { line: second?.id ?? '', number: 'N2', amount: money(5n) })
  assert.deepEqual(finding?.what, note('finding_lines_missing', { day: DAY, count: 1, first: line }))
})

test('two equal numbered lines that the balances include are two bookings; reading them again adds nothing', async () => {
  const twice = [booking('N1'), booking('N2', { amount: 5 }), booking('N1')]
  for (const before of [0, 1, 2]) {
    const { iban, take, lines } = await openFileAccount(app)
    const during = (id: string, count: number) =>
      camt('052', { iban, day: DAY, id, bookings: twice.slice(0, 2 * count - 1).map((one) => ({ ...one, time: '10:00:00' })) }) // prettier-ignore
    if (before > 0) await take(during('A', before))
    await take(camt('053', { iban, day: DAY, opening: 0, bookings: twice }))
    assert.deepEqual(
      (await lines()).map(({ amount }) => Number(amount)).toSorted((a, b) => a - b),
      [5, 10_000, 10_000],
    )
    const again = camt('053', { iban, day: DAY, opening: 0, bookings: twice, id: 'S2' })
    assert.deepEqual(await found(again), [])
    for (const text of [again, during('B', 1), during('C', 2), camt('054', { iban, day: DAY, bookings: twice })])
      assert.equal((await take(text)).new, 0)
    assert.deepEqual((await lines()).map(({ state }) => state), ['new', 'new', 'new']) // prettier-ignore
  }
})

test('two equal numbered lines that no balance proves, or in two statements of a file: one booking', async () => {
  const { iban, take, lines } = await openFileAccount(app)
  await take(camt('053', { iban, day: DAY, bookings: [booking('N1'), booking('N1')] }))
  await take(camt('053', { iban, day: DAY, opening: 0, closing: 10_000, bookings: [booking('N1'), booking('N1')] }), { acceptProblems }) // prettier-ignore
  const one = { iban, day: DAY, opening: 0, bookings: [booking('N1')] }
  await take(camt('053', one, { ...one, id: 'S2' }), { acceptProblems })
  assert.equal((await lines()).length, 1)
})

const checksOf = async (text: string) =>
  (await previewFile(app, contentOf('ekstre.xml', text), PLAIN)).findings.map(({ severity, check }) => [
    severity,
    check,
  ])

test('a second statement of the day with less than the first is refused, and says which one it contradicts', async () => {
  const { iban, take } = await openFileAccount(app)
  const [one, two] = [booking('N1'), booking('N2', { amount: 1 })]
  const first = await take(camt('053', { iban, day: DAY, opening: 0, bookings: [one, two] }))
  const second = camt('053', { iban, day: DAY, opening: 0, bookings: [one], id: 'S2' })
  const balances = { balance: money(10_000n), other: money(10_001n) }
  const what = note('finding_balance_unlike_file', { which: 'closing', day: DAY, file: first.file.id, ...balances })
  await assert.rejects(take(second), { code: 'INVALID_STATE' })
  const { file } = await take(second, { acceptProblems })
  const closing = (await showFile(app, file.id)).checks.find(({ check }) => check === 'closing')
  assert.deepEqual(closing?.what, what)
  const same = camt('053', { iban, day: DAY, opening: 0, bookings: [one], id: 'S3' })
  assert.ok(!(await checksOf(same)).some(([, check]) => check === 'closing'))
})

test('the whole day after its parts has no warning; an opening balance that nothing knows is a problem', async () => {
  for (const before of [[], [booking('N0')]]) {
    const { iban, take, lines } = await openFileAccount(app)
    const start = before.length * 10_000
    if (before.length > 0) await take(camt('053', { iban, day: '2026-03-09', opening: 0, bookings: before }))
    const parts = [booking('N1'), booking('N2', { amount: 5 }), booking('N3', { amount: 7 })]
    await take(camt('053', { iban, day: DAY, opening: start, bookings: parts.slice(0, 1), id: 'A' }))
    const impossible = camt('053', { iban, day: DAY, opening: 55_555, bookings: parts.slice(1), id: 'X' })
    assert.deepEqual((await checksOf(impossible)).filter(([severity]) => severity === 'problem'), [['problem', 'opening'], ['problem', undefined]]) // prettier-ignore
    await assert.rejects(take(impossible), { code: 'INVALID_STATE' })
    await take(camt('053', { iban, day: DAY, opening: start + 10_000, bookings: parts.slice(1, 2), id: 'B' }))
    const whole = camt('053', { iban, day: DAY, opening: start, bookings: parts, id: 'C' })
    assert.deepEqual(await checksOf(whole), [['note', 'overlap']])
    await take(whole)
    assert.equal((await lines()).length, before.length + 3)
  }
})

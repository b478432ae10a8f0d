import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalText } from '../../packages/server/src/acts/refusals/say.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { matchLines } from '../../packages/server/src/domain/matching/index.ts'
import {
  countUnread,
  importFile,
  listFiles,
  listStatements,
  listUnreadAndClosed,
  previewFile,
  resumeImports,
  showFile,
} from '../../packages/server/src/domain/statements/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { addDays, istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { money } from '../../packages/server/src/kernel/refusals/facts.ts'
import type { Refusal, Said } from '../../packages/server/src/platform/refusal.ts'
import { crashingWorker, Crash } from '../harness/crash.ts'
import type { Booking } from '../harness/statement-files.ts'
import { camt, contentOf, mt, openFileAccount, PLAIN } from '../harness/statement-files.ts'
import { startSecondProcess, startService } from '../harness/service.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'

const service = await startService()
const { app } = service
const DAY = '2026-03-10'
const NEXT = '2026-03-11'
const bookings: Booking[] = [
  { number: 'N1', amount: 10_000, sender: 'Ayşe Yılmaz', text: 'ABC' },
  { number: 'N2', amount: 2500, sender: 'Mehmet Kaya', text: 'havale' },
]
const preview = (text: string) => previewFile(app, contentOf('ekstre.xml', text), PLAIN)
const problemIn = ({ said }: Refusal) => said?.facts['problem'] as Said
const problemsOf = ({ said }: Refusal) => said?.facts['problems'] as Said[]
/** Refused, unless a person says why: for this problem. */
const doubts = (what: Said) => (error: Refusal) => {
  assert.equal(error.why, 'file_doubtful')
  assert.deepEqual(problemsOf(error)[0], what)
  return true
}
const severe = (findings: { severity: string; what: Said }[]) =>
  findings.flatMap(({ severity, what }) => (severity === 'note' ? [] : { severity, what }))

test('a preview says what an import would do, and stores nothing', async () => {
  const { iban, lines, take } = await openFileAccount(app)
  await take(camt('052', { iban, day: DAY, bookings: [{ ...bookings[0], time: '10:00:00' } as Booking] }))
  const text = camt('053', { iban, day: DAY, opening: 500, bookings })
  const seen = await preview(text)
  assert.deepEqual([seen.format, seen.connection, seen.already], ['camt.053', 'manual', null])
  assert.deepEqual(seen.counts, { lines: 2, new: 1, known: 1, suspected: 0, unread: 0, pending: 0 })
  const [one] = seen.statements
  assert.deepEqual([one?.fromDay, one?.toDay, one?.opening, one?.closing], [DAY, DAY, 500n, 13_000n])
  assert.equal((await lines()).length, 1)
  const result = await take(text)
  assert.deepEqual([result.new, result.known, result.toMatch], [1, 1, 1])
  const again = await preview(text)
  assert.deepEqual([again.already?.createdBy, again.already?.state], ['operator', 'imported'])
  assert.deepEqual([(await take(text)).before, (await lines()).length], [true, 2])
  const days = await listStatements(app, { account: iban, limit: 10 })
  assert.deepEqual(
    days.map((day) => [day.fromDay, day.openingBalance, day.closingBalance, day.difference]),
    [[DAY, 500n, 13_000n, 0n]],
  )
})

test('a wrong file: its line, what was found and expected; nothing is imported', async () => {
  const { iban, lines, take } = await openFileAccount(app)
  const text = camt('053', { iban, day: DAY, opening: 0, bookings }).replace('25.00', '25.0x')
  await assert.rejects(take(text), (error: Refusal) => {
    const { why, facts } = problemIn(error)
    assert.equal(why, 'file_place')
    assert.equal(typeof facts['line'], 'number')
    assert.deepEqual(facts['problem'], note('value_not_amount', { text: '125.0x', form: '1234.56' }))
    return /^file cannot be read: line \d+.*25\.0x.*Nothing of this file was imported/.test(refusalText('en', error))
  })
  await assert.rejects(take('Merhaba'), (error: Refusal) => {
    assert.equal(error.why, 'file_unreadable')
    assert.deepEqual(problemIn(error), note('file_is', { kind: 'text' }))
    return true
  })
  assert.equal((await lines()).length, 0)
})

test('an account that is not ours, another source of record, another currency: refused', async () => {
  const { iban } = await openFileAccount(app)
  const other = 'TR330006100519786457841326'
  assert.deepEqual(severe((await preview(camt('053', { iban: other, day: DAY, bookings }))).findings), [
    { severity: 'refused', what: note('finding_account_not_ours', { account: other }) },
  ])
  const options = { ...PLAIN, connection: 'bank-api:one.example' }
  const elsewhere = await previewFile(app, contentOf('f', camt('053', { iban, day: DAY, bookings })), options)
  const facts = { account: iban, source: 'manual', connection: options.connection }
  assert.deepEqual(severe(elsewhere.findings)[0], { severity: 'refused', what: note('finding_other_source', facts) })
  const euro = camt('053', { iban, day: DAY, bookings: [] }).replace('<Ccy>TRY', '<Ccy>EUR')
  const [first] = severe((await preview(euro)).findings)
  assert.deepEqual(
    [first?.severity, first?.what],
    ['refused', note('finding_currency', { written: 'EUR', account: iban, currency: 'TRY' })],
  )
})

test('opening balance, gaps and totals that do not fit: refused, unless a person gives a reason', async () => {
  const { iban, lines, take } = await openFileAccount(app)
  await take(camt('053', { iban, day: DAY, opening: 0, bookings }))
  const day = (on: string, opening: number, closing?: number) =>
    camt('053', {
      iban,
      day: on,
      opening,
      ...(closing === undefined ? {} : { closing }),
      bookings: [{ number: on, amount: 100 }],
    })
  const known = { lastDay: DAY, lastBalance: money(12_500n) }
  await assert.rejects(
    take(day(NEXT, 999)),
    doubts(note('finding_opening_unlike_last', { day: NEXT, balance: money(999n), ...known })),
  )
  await assert.rejects(take(day(NEXT, 12_500, 1)), { why: 'file_doubtful' })
  assert.deepEqual(severe((await preview(day('2026-03-13', 12_500))).findings), [])
  assert.equal((await lines()).length, 2)
  const taken = await take(day(NEXT, 999), { acceptProblems: 'the bank confirmed it by phone' })
  const shown = await showFile(app, taken.file.id)
  assert.deepEqual(
    [shown.acceptedWhy, shown.byState.map(({ count }) => count)],
    ['the bank confirmed it by phone', [1]],
  )
})

test('a statement that ends after tomorrow: refused, unless a person gives a reason', async () => {
  const { iban, take } = await openFileAccount(app)
  const today = istanbul(app.clock.now()).day
  const empty = (day: string) => camt('053', { iban, day, opening: 0, bookings: [] })
  const typo = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`.replace('-02-29', '-02-28')
  for (const day of [addDays(today, 2), typo])
    await assert.rejects(take(empty(day)), doubts(note('finding_future', { day })))
  assert.deepEqual(severe((await preview(empty(addDays(today, 1)))).findings), [])
  assert.equal((await take(empty(typo), { acceptProblems: 'the test system of the bank' })).new, 0)
})

test('another family for a day that has lines is refused', async () => {
  const { iban, take } = await openFileAccount(app)
  await take(camt('053', { iban, day: DAY, opening: 0, bookings }))
  await assert.rejects(
    take(mt('940', { iban, day: DAY, bookings })),
    (error: Refusal) => error.why === 'file_not_importable' && problemsOf(error)[0]?.why === 'finding_other_format',
  )
  assert.equal((await take(mt('940', { iban, day: NEXT, opening: 12_500, bookings: [] }))).new, 0)
})

test('zero amounts and other currencies are kept as unread, pending ones only counted', async () => {
  const { iban, lines, take } = await openFileAccount(app)
  const odd: Booking[] = [
    { number: 'Z', amount: 0, text: 'bilgi' },
    { number: 'P', amount: 500, status: 'PDNG' },
  ]
  const result = await take(camt('052', { iban, day: DAY, bookings: [...bookings, ...odd] }))
  assert.deepEqual([result.new, result.unread, result.pending, result.known], [2, 1, 1, 0])
  assert.equal((await lines()).length, 2)
  const kept = (await listUnreadAndClosed(app)).filter(({ raw }) => raw.includes(iban))
  assert.deepEqual([kept.map(({ why }) => why), (await countUnread(app.db)).count], [[note('unread_amount_zero')], 0])
})

test('a crash at any point: the same import goes on, and books each line once', async () => {
  const { iban, lines } = await openFileAccount(app)
  const many = Array.from({ length: 6 }, (_, n): Booking => ({ amount: 100, sender: 'Ayşe Yılmaz', text: `${n % 2}` }))
  const content = contentOf('ekstre.xml', camt('053', { iban, day: DAY, opening: 0, bookings: many }))
  let crashes = 0
  for (let at = 1; ; at++) {
    try {
      await importFile(crashingWorker(app, at).worker, UNATTRIBUTED, content, PLAIN)
      break
    } catch (error) {
      if (!(error instanceof Crash)) throw error
      crashes++
    }
  }
  assert.ok(crashes > 10, `${crashes}`)
  assert.equal((await lines()).length, 6)
  const files = (await listFiles(app.db, 50)).filter((file) => file.name === 'ekstre.xml' && file.lines === 6)
  assert.equal(files.length, 1)
})

test('two processes import one file at once: each line is booked once; a worker finishes what a process left', async () => {
  const { iban, lines } = await openFileAccount(app)
  const another = await startSecondProcess(service)
  const many = Array.from({ length: 700 }, (): Booking => ({ amount: 100, sender: 'Ayşe Yılmaz', text: 'aynı' }))
  const content = contentOf('iki.xml', camt('053', { iban, day: DAY, opening: 0, bookings: many }))
  const results = await Promise.all([app, another].map((one) => importFile(one, UNATTRIBUTED, content, PLAIN)))
  assert.deepEqual(results.map((result) => [result.file.id === results[0]?.file.id, result.new]), [[true, 700], [true, 700]]) // prettier-ignore
  assert.equal((await lines()).length, 700)
  assert.equal(await resumeImports(app), 0)
})

test('the matcher judges lines of files, and the ledger agrees', async () => {
  const { iban, lines, take } = await openFileAccount(app)
  await take(camt('053', { iban, day: DAY, opening: 0, bookings }))
  while ((await matchLines(app)) > 0);
  assert.deepEqual((await lines()).map(({ state, wholeDay }) => [state, wholeDay]), [['suspense', true], ['suspense', true]]) // prettier-ignore
  assert.deepEqual(await findDrift(app.db), [])
})

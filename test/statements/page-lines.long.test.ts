import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { previewFile, showFile } from '../../packages/server/src/domain/statements/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { approveLine, proposeLine } from '../harness/entered-lines.ts'
import { AYSE, MEHMET } from '../harness/journal.ts'
import type { Booking } from '../harness/statement-files.ts'
import { camt, contentOf, openFileAccount, PLAIN } from '../harness/statement-files.ts'
import { startService } from '../harness/service.ts'
import { money } from '../../packages/server/src/kernel/refusals/facts.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import type { Said } from '../../packages/server/src/platform/refusal.ts'

const { app } = await startService()
const [DAY, NEXT] = ['2026-03-10', '2026-03-11']
const booking = (number: string, more: Partial<Booking> = {}): Booking => {
  return { number, amount: 10_000, sender: 'Ayşe Yılmaz', text: 'kira', ...more }
}
const other = (number: string, amount: number) => booking(number, { amount, sender: 'Ali Can' })
type Pages = Awaited<ReturnType<typeof openPages>>

/** An account, and the pages of its statement: `page(1, 2, …)` is the first of two. */
async function openPages() {
  const account = await openFileAccount(app)
  const page = (number: number, last: number, closing: number, ...bookings: Booking[]) =>
    camt('053', { iban: account.iban, day: DAY, opening: 0, closing, bookings }).replace('<Acct>', `<StmtPgntn><PgNb>${number}</PgNb><LastPgInd>${number === last}</LastPgInd></StmtPgntn><Acct>`) // prettier-ignore
  const during = (...bookings: Booking[]) => account.take(camt('052', { iban: account.iban, day: DAY, bookings }))
  const stored = async () => (await account.lines()).map(({ bankReference, state }) => [bankReference, state])
  return { ...account, page, during, stored }
}

const take = async ({ take: importText }: Pages, text: string) => {
  const { new: fresh, known, suspected, file } = await importText(text)
  return { counts: [fresh, known, suspected], checks: file.checks.filter((one) => one.found ?? one.missing) }
}
const problems = async (text: string) =>
  (await previewFile(app, contentOf('sayfa.xml', text), PLAIN)).findings.filter(({ severity }) => severity !== 'note')

test('a provisional number that is another on a page is the same booking; with the last page, lines that no page has are named', async () => {
  const account = await openPages()
  const { page, during, lines, stored } = account
  await during(booking('P1'), other('P9', 7700), other('N3', 300))
  const [first, gone] = await lines()
  const one = await take(account, page(1, 3, 10_800, booking('N1')))
  assert.deepEqual(one.counts, [0, 1, 0])
  assert.deepEqual(one.checks.map(({ found }) => found), [[first?.id]]) // prettier-ignore
  const two = await take(account, page(2, 3, 10_800, other('N2', 500)))
  assert.deepEqual([two.counts, two.checks], [[1, 0, 0], []])
  const three = await take(account, page(3, 3, 10_800, other('N3', 300)))
  const line = note('finding_line', { line: gone?.id ?? '', number: 'P9', amount: money(7700n) })
  const what = note('finding_lines_missing', { day: DAY, count: 1, first: line })
  assert.deepEqual([three.counts, three.checks], [[0, 1, 0], [{ severity: 'note', what, missing: [gone?.id] }]])
  assert.deepEqual(await stored(), [['N1', 'new'], ['P9', 'new'], ['N3', 'new'], ['N2', 'new']]) // prettier-ignore
})

test('all pages in one file, or the last page first: the same', async () => {
  const inOne = await openPages()
  const bookings = [booking('P1'), other('P9', 7700)]
  await inOne.during(...bookings)
  const second = /<Stmt>.*<\/Stmt>/s.exec(inOne.page(2, 2, 10_500, other('N2', 500)))?.[0] ?? ''
  const whole = inOne.page(1, 2, 10_500, booking('N1')).replace('</Stmt>', `</Stmt>${second}`)
  const taken = await take(inOne, whole)
  assert.deepEqual([taken.counts, taken.checks.length], [[1, 1, 0], 2])
  const reversed = await openPages()
  await reversed.during(...bookings)
  await take(reversed, reversed.page(2, 2, 10_500, other('N2', 500)))
  const last = await take(reversed, reversed.page(1, 2, 10_500, booking('N1')))
  assert.deepEqual([last.counts, last.checks.length], [[0, 1, 0], 2])
  const expected = [['N1', 'new'], ['P9', 'new'], ['N2', 'new']] // prettier-ignore
  assert.deepEqual([await inOne.stored(), await reversed.stored()], [expected, expected])
})

test('two equal payments on two pages, of which a report had one: the other is not lost, in any order', async () => {
  const known = await openPages()
  await known.during(booking('N1'))
  assert.deepEqual((await take(known, known.page(1, 2, 20_000, booking('N1')))).counts, [0, 1, 0])
  assert.deepEqual((await take(known, known.page(2, 2, 20_000, booking('N2')))).counts, [1, 0, 0])
  assert.deepEqual(await known.stored(), [['N1', 'new'], ['N2', 'new']]) // prettier-ignore
  const later = await openPages()
  await later.during(booking('N2'))
  assert.deepEqual((await take(later, later.page(1, 2, 20_000, booking('N1')))).counts, [0, 1, 0])
  const last = later.page(2, 2, 20_000, booking('N2'))
  const taken = await take(later, last)
  assert.deepEqual([taken.counts, taken.checks], [[1, 0, 1], []])
  assert.deepEqual(await later.stored(), [['N1', 'new'], ['N2', 'needs_review']]) // prettier-ignore
  assert.deepEqual((await take(later, last.replace('M1', 'M2'))).counts, [0, 1, 0])
})

test('a booking with another text on a page is suspected, and is not named as missing with the last page', async () => {
  const account = await openPages()
  await account.during(booking('P1'))
  assert.deepEqual((await take(account, account.page(1, 2, 10_500, booking('N1', { text: 'borç' })))).counts, [1, 0, 1])
  assert.deepEqual((await take(account, account.page(2, 2, 10_500, other('N2', 500)))).checks, [])
})

test('a problem if the opening balance and the lines of all pages do not give the closing balance', async () => {
  const account = await openPages()
  const { page } = account
  assert.deepEqual(await problems(page(1, 2, 10_900, booking('N1'))), [])
  await take(account, page(1, 2, 10_900, booking('N1')))
  const sums = { closing: money(10_900n), expected: money(10_500n) }
  const what = note('finding_pages_sum', { statement: 'S1', ...sums, pages: 2 })
  assert.deepEqual(await problems(page(2, 2, 10_900, other('N2', 500))), [{ severity: 'problem', what }])
  assert.deepEqual(await problems(page(2, 2, 10_900, other('N2', 900))), [])
})

test('a booking that the final statement of its day did not have, on a page or in a report of the next day: suspected', async () => {
  for (const isPage of [true, false]) {
    const account = await openPages()
    const { iban, during, page, lines } = account
    await during(booking('P1'))
    await account.take(camt('053', { iban, day: DAY, opening: 0, bookings: [] }))
    const [first] = await lines()
    const moved = isPage
      ? page(1, 2, 10_000, booking('N9'))
      : camt('052', { iban, day: DAY, bookings: [booking('N9')] })
    const taken = await take(account, moved.replaceAll(DAY, NEXT))
    assert.deepEqual([taken.counts, taken.checks.map(({ found }) => found)], [[1, 0, 1], [[first?.id]]])
  }
})

test('equal payments without a number on several pages each count, with or without a report before', async () => {
  const { number: _, ...unnumbered } = booking('')
  for (const before of [0, 1, 2]) {
    for (const order of [
      [1, 2],
      [2, 1],
    ]) {
      // prettier-ignore
      const account = await openPages()
      if (before > 0) await account.during(...Array.from({ length: before }, () => unnumbered))
      for (const number of order) await take(account, account.page(number, 2, 20_000, unnumbered))
      assert.deepEqual(await account.stored(), [[null, 'new'], [null, 'new']]) // prettier-ignore
      const again = await take(account, account.page(1, 2, 20_000, unnumbered).replace('M1', 'M2'))
      assert.deepEqual([again.counts, again.checks], [[0, 1, 0], []])
    }
  }
})

const twice = booking('X21', { amount: 5555 })
const orders = [[1, 2, 3], [3, 1, 2], [2, 3, 1]] // prettier-ignore
/** What is said of the line that comes twice: on which pages, and what becomes of it. */
const repeatsIn = ({ checks }: { checks: { what: Said }[] }) =>
  checks.flatMap(({ what: { facts } }) => {
    const [repeat] = (facts['repeats'] ?? []) as Said[]
    if (repeat?.facts['number'] !== 'X21') return []
    assert.deepEqual(repeat.facts['amount'], money(5555n))
    return { pages: repeat.facts['pages'] as number[], fate: facts['fate'] }
  })

test('equal numbered lines on two pages are both booked once the balances of all pages include both, in any order', async () => {
  for (const order of orders) {
    const account = await openPages()
    const three = (number: number) => account.page(number, 3, 11_610, number === 3 ? other('N3', 500) : twice)
    for (const number of order.slice(0, 2)) await account.take(three(number))
    const waiting = await account.stored()
    assert.equal(waiting.filter(([number]) => number === 'X21').length, 1)
    const last = await account.take(three(order[2] ?? 0))
    assert.equal((await account.stored()).filter(([number]) => number === 'X21').length, 2)
    assert.deepEqual([last.new + waiting.length, last.known >= 0], [3, true])
    assert.deepEqual(repeatsIn(last.file)[0]?.pages.slice(0, 2), [1, 2])
    for (const number of [1, 2, 3])
      assert.deepEqual((await take(account, three(number).replace('M1', 'M2'))).checks, [])
    assert.equal((await account.stored()).length, 3)
  }
})

test('while pages are missing, an equal numbered line of another page is a note that names line and page', async () => {
  const { page, take: importText, stored } = await openPages()
  await importText(page(1, 3, 11_610, twice))
  const { file } = await importText(page(2, 3, 11_610, twice))
  assert.deepEqual(repeatsIn(file), [{ pages: [1, 2], fate: 'waits' }])
  assert.deepEqual(repeatsIn(await showFile(app, file.id)), repeatsIn(file))
  assert.equal((await stored()).length, 1)
})

test('equal numbered lines on two pages are one booking if the balances include one, or there are none', async () => {
  const one = await openPages()
  await one.take(one.page(1, 2, 5555, twice))
  const accepted = await one.take(one.page(2, 2, 5555, twice), { acceptProblems: 'the bank wrote the line twice' })
  assert.equal(repeatsIn(accepted.file)[0]?.fate, 'unproven')
  const none = await openPages()
  const unproven = (number: number) => none.page(number, 2, 11_110, twice).replaceAll(/<Bal>.*<\/Bal>/g, '')
  await none.take(unproven(1))
  assert.equal(repeatsIn((await none.take(unproven(2))).file)[0]?.fate, 'unproven')
  assert.deepEqual([(await one.stored()).length, (await none.stored()).length], [1, 1])
})

test('the second of equal numbered lines is booked with the last page if a report had one of them', async () => {
  const account = await openPages()
  await account.during({ ...twice, text: 'kira mart' })
  for (const number of [1, 2, 3])
    await account.take(account.page(number, 3, 11_610, number === 3 ? other('N3', 500) : twice))
  assert.deepEqual((await account.stored()).map(([number]) => number), ['X21', 'N3', 'X21']) // prettier-ignore
})

test('all pages in one file, and two pages at once', async () => {
  const inOne = await openPages()
  const second = /<Stmt>.*<\/Stmt>/s.exec(inOne.page(2, 2, 11_110, twice))?.[0] ?? ''
  await inOne.take(inOne.page(1, 2, 11_110, twice).replace('</Stmt>', `</Stmt>${second}`))
  const atOnce = await openPages()
  await Promise.all([1, 2].map((number) => atOnce.take(atOnce.page(number, 2, 11_110, twice))))
  for (const account of [inOne, atOnce]) assert.equal((await account.stored()).length, 2)
})

test('a line that people entered meanwhile is the second one', async () => {
  for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
  const { iban, page, take: importText, lines } = await openPages()
  await importText(page(1, 3, 11_610, twice))
  await importText(page(2, 3, 11_610, twice))
  const besides = (await lines()).map(({ id }) => id)
  const sender = { senderName: 'Ayşe Yılmaz', senderIban: null, narrative: 'kira' }
  const written = { accountIban: iban, direction: 'credit', amount: 5555n, bookedOn: DAY, besides, ...sender } as const
  const entered = (await approveLine(app, MEHMET, await proposeLine(app, AYSE, written))).lineId
  await importText(page(3, 3, 11_610, other('N3', 500)))
  const dismissed = (await lines()).filter(({ state }) => state === 'dismissed')
  assert.deepEqual(dismissed.map(({ correctsLineId, reason }) => [correctsLineId, reason]), [[entered, 'entered_by_hand']]) // prettier-ignore
})

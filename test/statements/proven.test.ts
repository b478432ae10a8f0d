import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { BANK_PROFILES } from '@vezne/bank-formats'
import { undoFile } from '../../packages/server/src/domain/books/index.ts'
import { decideCorrection } from '../../packages/server/src/domain/matching/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { addDays, istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { AYSE, openJournal } from '../harness/journal.ts'
import { matchAll } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import type { Booking } from '../harness/statement-files.ts'
import { camt, mt, openFileAccount } from '../harness/statement-files.ts'

// What proves a line is the newest final statement of its day that contains it. One that contradicts an earlier one waits for a person.

const { app } = await startService()
const journal = await openJournal(app)
afterEach(() => journal.assertSound())

const REFUSED = { code: 'INVALID_STATE' }
const UNCONFIRMED = { code: 'INVALID_STATE', why: 'line_not_confirmed' }
const acceptProblems = 'the bank confirmed it by phone'
const day = istanbul(app.clock.now()).day
const yesterday = addDays(day, -1)
const other: Booking = { number: 'N1', amount: 10_000, sender: 'Ayşe Su', text: 'x' }
const stranger: Booking = { number: 'N2', amount: 555_500, sender: 'Veli Can', iban: makeIban('0062', '12345678'), text: 'y' } // prettier-ignore

type Account = Awaited<ReturnType<typeof openFileAccount>>

async function lineOf(account: Account, amount = 555_500n) {
  await matchAll(app)
  return (await account.lines()).find((line) => line.amount === amount) ?? assert.fail('no line')
}
const refund = async (account: Account) =>
  journal.propose('refund_unexplained', { lineIds: [(await lineOf(account)).id] })

const FORMATS = { 'camt.053': camt.bind(null, '053'), mt940: mt.bind(null, '940') }
for (const [format, final] of Object.entries(FORMATS)) {
  test(`${format}: a second statement of the day without a line of the first is refused; accepted, its line is not confirmed`, async () => {
    const account = await openFileAccount(app)
    const { iban, take } = account
    await take(final({ iban, day, opening: 0, bookings: [other, stranger] }))
    const second = final({ iban, day, opening: 0, bookings: [other], id: '1/2' })
    await assert.rejects(take(second), REFUSED)
    assert.notEqual((await lineOf(account)).confirmedBy, null)
    const { file } = await take(second, { acceptProblems })
    await assert.rejects(refund(account), UNCONFIRMED)
    await undoFile(app, UNATTRIBUTED, file.id, 'it was the wrong file')
    assert.notEqual((await lineOf(account)).confirmedBy, null)
    await take(second, { acceptProblems })
    await assert.rejects(refund(account), UNCONFIRMED)
    await take(final({ iban, day, opening: 0, bookings: [other, stranger], id: '1/3' }), { acceptProblems })
    await refund(account)
  })
}

test('the whole day, with more money than its first part, lacks a line of the part: refused', async () => {
  const account = await openFileAccount(app)
  const { iban, take } = account
  await take(camt('053', { iban, day, opening: 0, bookings: [stranger], id: 'P1' }))
  const whole = camt('053', { iban, day, opening: 0, bookings: [{ ...other, amount: 600_000 }], id: 'S2' })
  await assert.rejects(take(whole), REFUSED)
  await take(whole, { acceptProblems })
  await assert.rejects(refund(account), UNCONFIRMED)
})

test('a table of the day with another closing balance, and without lines of the first, is refused', async () => {
  const { iban, take } = await openFileAccount(app)
  const [y, m, d] = day.split('-')
  const table = (rows: string[]) =>
    [`IBAN;${iban}`, 'Tarih;Açıklama;Borç;Alacak;Bakiye;Dekont No', ...rows, ''].join('\n')
  const profile = BANK_PROFILES.ziraat ?? null
  const first = [`${d}.${m}.${y};GELEN VELI;;5.555,00;5.555,00;D1`]
  await take(table(first), { name: 'a.csv', profile })
  await assert.rejects(take(table([`${d}.${m}.${y};BASKA;;10,00;10,00;D2`]), { name: 'b.csv', profile }), REFUSED)
  await take(table([...first, `${d}.${m}.${y};BASKA;;10,00;5.565,00;D2`]), { name: 'c.csv', profile })
})

const withoutOpening = (text: string) => text.replace(/<Bal><Tp><CdOrPrtry><Cd>OPBD.*?<\/Bal>/, '')
for (const [name, text] of [
  ['without an opening balance', (iban: string) => withoutOpening(camt('053', { iban, day, opening: 0, closing: 65_555, bookings: [stranger], id: 'X' }))], // prettier-ignore
  ['without balances', (iban: string) => camt('053', { iban, day, bookings: [stranger], id: 'X' })],
  ['without balances, with all lines', (iban: string) => camt('053', { iban, day, bookings: [other, stranger], id: 'X' })], // prettier-ignore
  ['with the known opening balance and other lines', (iban: string) => camt('053', { iban, day, opening: 0, bookings: [stranger], id: 'X' })], // prettier-ignore
] as const)
  test(`a statement ${name}, of a day that has balances, is refused; the bank's next file is not`, async () => {
    const { iban, take, lines } = await openFileAccount(app)
    await take(camt('053', { iban, day, opening: 0, bookings: [other] }))
    await assert.rejects(take(text(iban)), REFUSED)
    assert.equal((await lines()).length, 1)
    await take(camt('053', { iban, day, opening: 10_000, bookings: [{ ...other, number: 'N3' }], id: 'G' }))
  })

const page = (number: number, last: boolean, text: string) =>
  text.replace(/(<Stmt><Id>[^<]*<\/Id>)/, `$1<StmtPgntn><PgNb>${number}</PgNb><LastPgInd>${last}</LastPgInd></StmtPgntn>`) // prettier-ignore

test('lines of a page are not confirmed until all pages came, in one file or in several', async () => {
  const account = await openFileAccount(app)
  const { iban, take } = account
  const first = page(1, false, camt('053', { iban, day, opening: 0, closing: 10_000, bookings: [other], id: 'PG' }))
  const second = page(2, true, camt('053', { iban, day, opening: 10_000, bookings: [stranger], id: 'PG' }))
  await take(camt('052', { iban, day: yesterday, bookings: [{ ...other, number: 'Y1' }] }))
  await take(camt('052', { iban, day, bookings: [other] }))
  await take(second)
  await assert.rejects(refund(account), UNCONFIRMED)
  await take(first)
  await refund(account)
  const confirmed = (await account.lines()).map(({ confirmedBy }) => confirmedBy !== null)
  assert.deepEqual(confirmed, [false, true, true])
})

test('a line that the statement of its day lacks and the next one has: whatever is said of that, the first is not refunded', async () => {
  const account = await openFileAccount(app)
  const { iban, take } = account
  const { number: _, ...unnumbered } = stranger
  await take(camt('053', { iban, day: yesterday, opening: 0, bookings: [unnumbered], id: 'A' }))
  await take(camt('053', { iban, day: yesterday, opening: 0, bookings: [other], id: 'B' }), { acceptProblems })
  await take(camt('053', { iban, day, opening: 10_000, bookings: [unnumbered], id: 'C' }))
  await matchAll(app)
  const [first, , again] = await account.lines()
  assert.deepEqual([first?.confirmedBy, again?.correctsLineId], [null, first?.id])
  await decideCorrection(app, AYSE, again?.id ?? '', 'new_money')
  await assert.rejects(journal.propose('refund_unexplained', { lineIds: [first?.id ?? ''] }), UNCONFIRMED)
})

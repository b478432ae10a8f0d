import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previewUndo, undoFile } from '../../packages/server/src/domain/books/index.ts'
import { listUnread } from '../../packages/server/src/domain/statements/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { addDays, istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { openJournal } from '../harness/journal.ts'
import { matchAll, someDeposits } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'
import type { Booking } from '../harness/statement-files.ts'
import { camt, openFileAccount } from '../harness/statement-files.ts'
import { refusal, refusalSaying } from '../harness/refusals.ts'

const service = await startWithBank()
const { app } = service
const TODAY = istanbul(app.clock.now()).day
const WHY = 'the wrong period was exported'

test('not undone: a line that is matched, held for a deposit, or names a payout that is not finished', async () => {
  const shop = await service.merchantWithMoney(1_000_000n)
  const { iban, id, lines, take } = await openFileAccount(app)
  const [exact, short] = await someDeposits(app, shop.merchantId, 2, 10_000n)
  if (!exact || !short) assert.fail('no deposits')
  await app.db.query(sql`update deposits set collecting_account_id = ${id} where id in (${exact.id}, ${short.id})`)
  const { transactionId } = accepted(await shop.post('/v1/withdraw', withdrawBody({ amount: 2500 })), 201)
  const file = (number: string, day: string, booking: Partial<Booking>) =>
    take(camt('052', { iban, day, bookings: [{ number, amount: 10_000, sender: 'Ayşe Yılmaz', ...booking }] }))
  const files = [
    await file('M1', addDays(TODAY, -2), { text: `FAST ${exact.referenceCode}` }),
    await file('M2', addDays(TODAY, -1), { text: `FAST ${short.referenceCode}`, amount: 4000 }),
    await file('M3', TODAY, { text: `EFT ${transactionId}`, amount: 2500, debit: true }),
  ]
  await matchAll(app)
  const before = (await lines()).map(({ state }) => state)
  assert.deepEqual(before, ['matched', 'suspense', 'needs_review'])
  const [, , debit] = await lines()
  const facts = { line: debit?.id, withdrawal: transactionId, status: 'pending' }
  const expected = [
    refusal('import_line_matched', { kind: 'deposit', transaction: exact.id }),
    refusal('import_line_held', { kind: 'deposit', transaction: short.id }),
    { said: { why: 'line_names_open_withdrawal', facts } },
  ]
  for (const [index, why] of expected.entries())
    await assert.rejects(undoFile(app, UNATTRIBUTED, files[index]?.file.id ?? '', WHY), why)
  assert.deepEqual((await lines()).map(({ state }) => state), before) // prettier-ignore
})

test('not undone: a line of a journal entry, which is named; reversed, it is a line that people decided', async () => {
  const { post, bookAll } = await openJournal(app)
  const { iban, lines, take } = await openFileAccount(app)
  const booking: Booking = { number: 'J1', amount: 525, debit: true, sender: '', text: 'EFT MASRAFI' }
  const { file } = await take(camt('052', { iban, day: TODAY, bookings: [booking] }))
  await matchAll(app)
  await bookAll()
  const [line] = await lines()
  const id = line?.id ?? assert.fail('no line')
  const entry = await post('bank_charge', { lineIds: [id] })
  const undone = () => undoFile(app, UNATTRIBUTED, file.id, WHY)
  const refused = refusalSaying(
    'import_line_in_entry',
    new RegExp(`line ${id} belongs to journal entry ${entry}\\. .* vezne journal reverse ${entry} `),
  )
  await assert.rejects(undone(), refused)
  const shown = await previewUndo(app, file.id)
  assert.ok('refused' in shown && refused(shown.refused))
  await post('reversal', {}, entry)
  await assert.rejects(undone(), refusal('import_line_decided', { line: id, decidedBy: 'ayse.yilmaz' }))
})

test('lines in another currency than their account are kept as unread, with file and line; the others are booked', async () => {
  const { iban, lines, take } = await openFileAccount(app)
  const lira: Booking = { number: 'N1', amount: 10_000, sender: 'Ayşe Yılmaz', text: 'ABC' }
  const dollars: Booking = { number: 'U1', amount: 700, currency: 'USD', sender: 'John', text: `usd ${iban}` }
  const result = await take(camt('052', { iban, day: TODAY, bookings: [lira, dollars] }), {
    acceptProblems: 'the bank mixes them',
  })
  assert.deepEqual([result.new, result.unread, (await lines()).length], [1, 1, 1])
  const unread = (await listUnread(app.db)).filter(({ raw }) => raw.includes(iban))
  assert.deepEqual(unread.map(({ why }) => why), [note('unread_currency_differs', { line: 'USD', account: 'TRY' })]) // prettier-ignore
  assert.match(unread[0]?.raw ?? '', /"file":"file","line":\d+/)
  await undoFile(app, UNATTRIBUTED, result.file.id, WHY)
  assert.equal((await listUnread(app.db)).filter(({ raw }) => raw.includes(iban)).length, 1)
})

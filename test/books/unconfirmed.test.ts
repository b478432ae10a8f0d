import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { findCandidates, reportDay, undoFile } from '../../packages/server/src/domain/books/index.ts'
import { decideCorrection } from '../../packages/server/src/domain/matching/index.ts'
import { connectAccount } from '../harness/connect-account.ts'
import { dismissLine } from '../harness/line-proposals.ts'
import { findLine, unconfirmedOfDay } from '../../packages/server/src/domain/statements/index.ts'
import { describeDay } from '../../packages/server/src/edges/cli/operator/books-day.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { refusalText } from '../../packages/server/src/acts/refusals/say.ts'
import { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { openOutage } from '../harness/entered-lines.ts'
import { AYSE, MEHMET, openJournal } from '../harness/journal.ts'
import { lineFor, matchAll, reloadDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import type { Booking } from '../harness/statement-files.ts'
import { camt, openFileAccount } from '../harness/statement-files.ts'

// Money of a line leaves only after a final statement of the bank contains the line.

const service = await startService()
const { app } = service
const shop = await service.merchant()
const journal = await openJournal(app)
const { post, propose, approve } = journal
const SENDER = makeIban('0062', '12345678')
const REFUSED = { code: 'INVALID_STATE', why: 'line_not_confirmed' }
afterEach(() => journal.assertSound())

const lineOf = async (id: string) => (await findLine(app.db, id)) ?? assert.fail('no line')

/** A stranger's payment in a report during the day, beside one of another; `final`: the statement of the day with these bookings. */
async function interim() {
  const account = await openFileAccount(app)
  const [other, stranger] = [{ number: 'N1', amount: 10_000, sender: 'Ayşe Su', text: 'x' }, { number: 'N2', amount: 555_500, sender: 'Veli Can', iban: SENDER, text: 'y' }] // prettier-ignore
  const day = istanbul(app.clock.now()).day
  await account.take(camt('052', { iban: account.iban, day, bookings: [other, stranger] }))
  await matchAll(app)
  const line = (await account.lines()).find(({ amount }) => amount === 555_500n) ?? assert.fail('no line')
  const final = (bookings: Booking[]) => account.take(camt('053', { iban: account.iban, day, opening: 0, bookings }))
  return { ...account, day, other, stranger, line, final }
}

test('a line of a report that the final statement lacks is not refunded, and the day names it; two people dismiss it', async () => {
  const { id, other, line, final, day } = await interim()
  const refund = { lineIds: [line.id] }
  await assert.rejects(propose('refund_unexplained', refund), REFUSED)
  await final([other])
  await assert.rejects(propose('refund_unexplained', refund), REFUSED)
  const [named, more] = (await unconfirmedOfDay(app.db, day)).filter((one) => one.collectingAccountId === id)
  assert.deepEqual([named?.id, more], [line.id, undefined])
  assert.ok(describeDay(await reportDay(app, day), app.clock.now()).some((text) => text.includes(line.id)))
  for (const actor of [AYSE, MEHMET]) await dismissLine(app, actor, line.id, 'the bank does not know it')
  assert.deepEqual(
    (await unconfirmedOfDay(app.db, day)).filter((one) => one.collectingAccountId === id),
    [],
  )
})

test('a line of a report that the final statement contains is refunded; the statement is then not undone', async () => {
  const { other, stranger, line, final } = await interim()
  const { file } = await final([other, stranger])
  await post('refund_unexplained', { lineIds: [line.id] })
  await assert.rejects(undoFile(app, AYSE, file.id, 'the wrong file'), { code: 'INVALID_STATE' })
})

test('the final statement is undone: the line is not confirmed any more, until the right one comes', async () => {
  const { other, stranger, line, final } = await interim()
  const { file } = await final([other, stranger])
  await undoFile(app, AYSE, file.id, 'the wrong file')
  await assert.rejects(propose('refund_unexplained', { lineIds: [line.id] }), REFUSED)
  await final([stranger, other])
  await post('refund_unexplained', { lineIds: [line.id] })
})

test('an entered line that only a report shows is not confirmed; the final statement confirms it', async () => {
  const { enter, take, iban, today, settle } = await openOutage(app)
  const entered = await enter({ senderIban: SENDER })
  const bookings = [{ number: 'N1', amount: 125_000, sender: 'Veli Can', iban: SENDER, text: 'x' }]
  await take(camt('052', { iban, day: today, bookings }))
  await settle()
  await assert.rejects(propose('refund_unexplained', { lineIds: [entered] }), REFUSED)
  await take(camt('053', { iban, day: today, opening: 0, bookings }))
  await post('refund_unexplained', { lineIds: [entered] })
})

test('other money under an equal number: one person says so if the balances include both lines, else two', async () => {
  for (const [both, closing] of [
    [true, 30_000],
    [false, 20_000],
  ] as const) {
    const { iban, take, lines, today, settle } = await openOutage(app)
    const [one, two] = [10_000, 20_000].map((amount) => ({ number: 'N1', amount, sender: 'Veli Can', text: 'x' }))
    if (!one || !two) assert.fail('no bookings')
    await take(camt('052', { iban, day: today, bookings: [one] }))
    await take(camt('053', { iban, day: today, opening: 0, closing, bookings: both ? [one, two] : [two] }))
    await settle()
    const suspected = (await lines()).find(({ correctsLineId }) => correctsLineId !== null) ?? assert.fail('none')
    const said = decideCorrection(app, AYSE, suspected.id, 'new_money')
    await (both ? said : assert.rejects(said, { code: 'INVALID_STATE' }))
    await settle()
    assert.equal((await lineOf(suspected.id)).state, both ? 'suspense' : 'needs_review')
  }
})

test('no refund, to its sender or another account, until the bank has shown the line', async () => {
  const { enter, gives, real } = await openOutage(app)
  const entered = await enter({ senderIban: SENDER })
  const refund = { lineIds: [entered] }
  await assert.rejects(propose('refund_unexplained', refund), REFUSED)
  await assert.rejects(propose('refund_unexplained', { ...refund, iban: makeIban('0046', '7'), name: 'Ali Su' }), REFUSED) // prettier-ignore
  const refused = await propose('refund_unexplained', refund).catch((error: unknown) => error)
  assert.ok(refused instanceof Refusal)
  assert.notEqual(refusalText('tr', refused), refusalText('en', refused))
  assert.deepEqual(await gives(real({ senderIban: SENDER })), [['dismissed', 'entered_by_hand', entered]])
  await post('refund_unexplained', refund)
})

test('what is left of a split is not refunded either; its deposits are credited', async () => {
  const { enter } = await openOutage(app)
  const [one, two] = await someDeposits(app, shop.merchantId, 2)
  if (!one || !two) assert.fail('no deposits')
  const entered = await enter({ senderIban: SENDER })
  const parts = [one, two].map(({ id: depositId }) => ({ depositId, amount: 1_000n }))
  const split = await post('deposit_payment', { lineIds: [entered], parts, rest: { amount: 123_000n } })
  assert.equal((await reloadDeposit(app, one)).receivedAmount, 1_000n)
  await assert.rejects(propose('refund_unexplained', { restOf: split }), REFUSED)
})

test('the desk suggests to ask the bank or to dismiss the line where it would suggest a refund', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 91_300n)
  if (!deposit) assert.fail('no deposit')
  const { accountIban } = await lineFor(app, deposit)
  await connectAccount(app, accountIban, 'manual')
  const { enter, gives, real } = await openOutage(app)
  const narrative = `FAST ${deposit.referenceCode} odeme`
  const written = { accountIban, amount: deposit.amount, senderName: deposit.customer.name, narrative }
  const entered = await enter({ ...written, senderIban: SENDER })
  await post('unmatch', { depositId: deposit.id, to: 'failed' })
  const next = async () => (await findCandidates(app, await lineOf(entered))).map((one) => one.next)
  assert.deepEqual(await next(), [{ do: 'dismiss', lineId: entered, because: 'not_shown' }])
  await gives(real({ ...written, senderIban: SENDER }))
  assert.deepEqual(
    (await next()).map((one) => one.do === 'propose' && one.kind),
    ['refund_unexplained'],
  )
})

test('the bank’s line is no longer this one while the refund is approved: one of the two is refused', async () => {
  for (let round = 0; round < 6; round++) {
    const { enter, gives, real, lines, settle } = await openOutage(app)
    const entered = await enter({ senderIban: SENDER })
    await gives(real({ senderIban: SENDER }))
    const bank = (await lines()).find(({ id }) => id !== entered)?.id ?? ''
    const { id } = await propose('refund_unexplained', { lineIds: [entered] })
    const both = await Promise.allSettled([approve(id), decideCorrection(app, AYSE, bank, 'new_money')])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    await settle()
  }
})

test('a refunded line stays shown: the file that shows it is not undone', async () => {
  const { enter, take, iban, today, settle } = await openOutage(app)
  const entered = await enter({ senderIban: SENDER })
  const bookings = [{ number: 'N1', amount: 125_000, sender: 'Veli Can', iban: SENDER, text: 'x' }]
  const { file } = await take(camt('053', { iban, day: today, opening: 0, bookings }))
  await settle()
  await post('refund_unexplained', { lineIds: [entered] })
  await assert.rejects(undoFile(app, AYSE, file.id, 'the wrong file'), { why: 'line_shows_refunded' })
})

import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { findCandidates, undoFile } from '../../packages/server/src/domain/books/index.ts'
import { decideCorrection } from '../../packages/server/src/domain/matching/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { refusalText } from '../../packages/server/src/edges/web/console/refusals/translate.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { openOutage } from '../harness/entered-lines.ts'
import { AYSE, openJournal } from '../harness/journal.ts'
import { lineFor, reloadDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { camt } from '../harness/statement-files.ts'

// Money of a line that people entered does not leave before the bank has shown the line.

const service = await startService()
const { app } = service
const shop = await service.merchant()
const journal = await openJournal(app)
const { post, propose, approve } = journal
const SENDER = makeIban('0062', '12345678')
const NOT_SHOWN = /and the bank has not shown it/
afterEach(() => journal.assertSound())

const lineOf = async (id: string) => (await findLine(app.db, id)) ?? assert.fail('no line')

test('no refund, to its sender or another account, until the bank has shown the line', async () => {
  const { enter, gives, real } = await openOutage(app)
  const entered = await enter({ senderIban: SENDER })
  const refund = { lineIds: [entered] }
  await assert.rejects(propose('refund_unexplained', refund), NOT_SHOWN)
  await assert.rejects(propose('refund_unexplained', { ...refund, iban: makeIban('0046', '7'), name: 'Ali Su' }), NOT_SHOWN) // prettier-ignore
  const refused = await propose('refund_unexplained', refund).catch((error: unknown) => error)
  assert.ok(refused instanceof Refusal)
  assert.match(refusalText('tr', refused), /elle girildi ve banka henüz göstermedi/)
  assert.match(refusalText('en', refused), /was entered by hand, and the bank has not shown it/)
  assert.deepEqual(await gives(real({ senderIban: SENDER })), [['dismissed', 'entered_by_hand', entered]])
  await post('refund_unexplained', refund)
})

test('what is left of a split is not refunded either; its deposits are credited', async () => {
  const { enter } = await openOutage(app)
  const [one, two] = await someDeposits(app, shop.merchantId, 2)
  if (!one || !two) assert.fail('no deposits')
  const entered = await enter({ senderIban: SENDER })
  const parts = [one, two].map(({ id: depositId }) => ({ depositId, amount: 1_000n }))
  const split = await post('split', { lineIds: [entered], parts, rest: { amount: 123_000n } })
  assert.equal((await reloadDeposit(app, one)).receivedAmount, 1_000n)
  await assert.rejects(propose('refund_unexplained', { restOf: split }), NOT_SHOWN)
})

test('the desk suggests to ask the bank or to dismiss the line where it would suggest a refund', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  if (!deposit) assert.fail('no deposit')
  const { accountIban } = await lineFor(app, deposit)
  await app.db.query(sql`update collecting_accounts set connection = 'manual' where iban = ${accountIban}`)
  const { enter, gives, real } = await openOutage(app)
  const narrative = `FAST ${deposit.referenceCode} odeme`
  const written = { accountIban, amount: deposit.amount, senderName: deposit.customer.name, narrative }
  const entered = await enter({ ...written, senderIban: SENDER })
  await post('unmatch', { depositId: deposit.id, to: 'failed' })
  const next = async () =>
    (await findCandidates({ db: app.db, banks: app.banks }, await lineOf(entered))).map((one) => one.next)
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
  await assert.rejects(undoFile(app, AYSE, file.id, 'the wrong file'), /whose money was refunded/)
})

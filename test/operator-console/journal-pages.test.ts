import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refundOf } from '../../packages/server/src/domain/books/index.ts'
import { addOperator } from '../../packages/server/src/domain/people/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { formatMoney } from '../../packages/server/src/kernel/money.ts'
import { makeReferenceCode } from '../../packages/server/src/kernel/reference-code.ts'
import { openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const journal = await openJournal(app)
await addOperator(app, UNATTRIBUTED, 'selin.ak', ['viewer'])
await giveLogin(service, 'selin.ak')
const person = visitor(service)
await person.logIn('selin.ak')
const page = async (path: string) => (await person.request(path)).text

test('an entry has a page with who, why, its line, what it booked and its state, linked from its line', async () => {
  const line = await journal.arrives('credit', 1_200n, { narrative: 'FAIZ' })
  const entry = await journal.post('interest', { lineIds: [line] })
  assert.match(await page(`/matching/${line}`), new RegExp(`/operator/books/journal/${entry}"`))
  const shown = await page(`/books/journal/${entry}`)
  const text = visibleText(shown)
  assert.match(text, /deftere geçti .*Öneren ayse\.yilmaz, .*: as the bank says Onaylayan mehmet\.kaya/)
  assert.match(text, /Deftere etkisi .*12,00 TL/)
  assert.match(shown, new RegExp(`/operator/matching/${line}"`))
  assert.match(shown, new RegExp(`entry=reversal&#38;reverses=${entry}"`))

  const back = await journal.post('reversal', {}, entry)
  assert.match(visibleText(await page(`/books/journal/${entry}`)), /sonradan geri alındı/)
  assert.doesNotMatch(await page(`/books/journal/${entry}`), /entry=reversal/)
  assert.match(await page(`/books/journal/${back}`), new RegExp(`/operator/books/journal/${entry}"`))
})

test('a refund shows its withdrawal, and names of customers masked', async () => {
  const line = await journal.arrives('credit', 3_400n, {
    senderIban: 'TR620006200029500006291296',
    senderName: 'Nazan Uçar',
  })
  const { id } = await journal.propose('refund_unexplained', { lineIds: [line] })
  assert.equal((await person.request(`/books/journal/${id}`)).status, 404, 'not posted yet')
  await journal.approve(id)
  const shown = await page(`/books/journal/${id}`)
  const refund = (await refundOf(app.db, id))?.id ?? assert.fail('no refund')
  assert.match(shown, new RegExp(`/operator/transactions/${refund}"`))
  assert.doesNotMatch(shown, /Nazan Uçar|TR62 ?0006 ?2000/)
})

test('the list has entries newest first, older ones on the next page, and what is owed on the first', async () => {
  const debit = await journal.arrives('debit', 9_100n)
  const owed = await journal.post('receivable', { lineIds: [debit] })
  const text = visibleText(await page('/books/journal'))
  assert.match(text, /Alacaklar .*91,00 TL .*Defter kayıtları/)
  const first = await page('/books/journal')
  assert.ok(first.indexOf(`/books/journal/${owed}`) > 0)
  assert.doesNotMatch(first, /\?before=/)
  const older = await page(`/books/journal?before=${owed}`)
  assert.doesNotMatch(visibleText(older), /Alacaklar/)
  assert.doesNotMatch(older, new RegExp(`/books/journal/${owed}"`))
  for (let count = 0; count < 25; count++)
    await journal.post('reversal', {}, await journal.post('opening_balance', opening(count)))
  const [, before] = /\?before=([0-9a-f]{24})/.exec(await page('/books/journal')) ?? []
  assert.match(await page(`/books/journal?before=${before}`), new RegExp(`/books/journal/${owed}"`))
})

const opening = (count: number) => {
  return { accountId: journal.here.id, amount: BigInt(count + 1), day: '2026-01-31' }
}

test('an unknown entry is told, not a failure', async () => {
  const { status, text } = await person.request('/books/journal/6920f0aa17c3e5b2d4968f01')
  assert.deepEqual([status, /Bu numarayla defter kaydı yok/.test(visibleText(text))], [404, true])
})

test('the form of a payment of several deposits takes codes of deposits', async () => {
  await giveLogin(service, 'ayse.yilmaz')
  const cashier = visitor(service)
  await cashier.logIn('ayse.yilmaz')
  const { merchantId } = await service.merchant()
  const [one, two] = await someDeposits(app, merchantId, 2)
  if (!one || !two) return assert.fail('no deposits')
  const line = await journal.arrives('credit', one.amount + two.amount)
  const amounts = [one, two].map(({ amount }) => formatMoney(amount).replace(' TL', ''))
  const preview = async (codes: string[]) => {
    const fields = new URLSearchParams({ entry: 'deposit_payment.over_several', csrf: await cashier.csrf('/matching') })
    for (const code of codes) fields.append('part', code)
    for (const amount of amounts) fields.append('partAmount', amount)
    return (await cashier.request(`/matching/${line}/preview`, fields)).text
  }
  const shown = await preview([one, two].map(({ referenceCode }) => referenceCode.toLowerCase()))
  for (const { id } of [one, two]) assert.match(shown, new RegExp(`/operator/transactions/${id}"`))
  const unknown = makeReferenceCode(app.random)
  assert.match(visibleText(await preview([unknown, two.id])), new RegExp(`Kodu ${unknown} olan bir yatırım yok`))
})

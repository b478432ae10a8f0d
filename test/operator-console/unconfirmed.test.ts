import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examineMoney } from '../../packages/server/src/domain/doctor/examine-money.ts'
import { rejectProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { connectAccount } from '../harness/connect-account.ts'
import { dismissLine } from '../harness/line-proposals.ts'
import { todaysWork } from '../../packages/server/src/domain/overview/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { say } from '../../packages/server/src/acts/refusals/say.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { laterBy } from '../harness/crash.ts'
import { openOutage } from '../harness/entered-lines.ts'
import { AYSE, MEHMET, openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { lineFor, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { camt } from '../harness/statement-files.ts'

// Where people see that a line was entered by hand, and that no final statement of the bank contains it.

const service = await startService()
const { app } = service
const shop = await service.merchant()
const journal = await openJournal(app)
await giveLogin(service, 'ayse.yilmaz')
const person = visitor(service)
await person.logIn('ayse.yilmaz')
const SENDER = makeIban('0062', '12345678')
const MARK =
  /Kesinleşmedi: (elle girildi \(ayse\.yilmaz, onaylayan mehmet\.kaya, [\d.]+\)|[\d.]+ gününün ekstresinde yok)/

const textOf = async (path: string) => visibleText((await person.request(path)).text)

/** A deposit that an entered line has paid. */
async function paidByHand() {
  const [deposit = assert.fail('no deposit')] = await someDeposits(app, shop.merchantId, 1)
  const { accountIban } = await lineFor(app, deposit)
  const outage = await openOutage(app)
  await connectAccount(app, accountIban, 'manual')
  const narrative = `FAST ${deposit.referenceCode} odeme`
  const written = { accountIban, amount: deposit.amount, senderName: deposit.customer.name, narrative }
  return { ...outage, deposit, written, entered: await outage.enter(written) }
}

test('the page of an entered line and the timeline say who entered it, why, and which line of the bank shows it', async () => {
  const { deposit, entered, gives, real, written } = await paidByHand()
  const origin = 'elle girildi – giren ayse.yilmaz, onaylayan mehmet.kaya, '
  for (const path of [`/matching/${entered}`, `/transactions/${deposit.id}`]) {
    const text = await textOf(path)
    assert.ok(text.includes(origin), path)
    assert.match(text, /the bank is down since ten · Bankanın satırı: henüz yok/)
  }
  assert.match(await textOf(`/matching/${entered}`), MARK)
  const line = real(written)
  await gives(line)
  const [bank] = await app.db.query<{ id: string }>(sql`select id from bank_lines where bank_reference = ${line.bankReference}`) // prettier-ignore
  for (const path of [`/matching/${entered}`, `/transactions/${deposit.id}`]) {
    const { text } = await person.request(path)
    assert.match(visibleText(text), new RegExp(`Bankanın satırı: ${line.bankReference}`))
    assert.ok(text.includes(`/operator/matching/${bank?.id}"`))
    assert.doesNotMatch(visibleText(text), MARK)
  }
  const { text } = await person.request(`/matching/${bank?.id}`)
  assert.match(visibleText(text), /elle girilmişti elle girilen satırın aynısı/)
  assert.doesNotMatch(visibleText(text), /geçersiz|Tekrarı olabileceği/)
  assert.ok(text.includes(`/operator/transactions/${deposit.id}"`))
  assert.match(await textOf(`/search?q=${encodeURIComponent(deposit.customer.name)}`), /elle girilmişti/)
})

test('a line of an uploaded file names the file', async () => {
  const { take, iban, today, settle, lines } = await openOutage(app)
  const { file } = await take(
    camt('053', { iban, day: today, opening: 0, bookings: [{ number: 'F1', amount: 4_100 }] }),
  )
  await settle()
  const { text } = await person.request(`/matching/${(await lines())[0]?.id}`)
  assert.ok(text.includes(`/operator/statements/${file.id}"`))
  assert.match(visibleText(text), new RegExp(`Kaynak ${file.name}`))
})

test('desk, preview and approver’s card are marked, and no refund is offered, until the bank shows the line', async () => {
  const { deposit, entered, gives, real, written } = await paidByHand()
  const unmatch = `/matching/entry?entry=unmatch&deposit=${deposit.id}&to=failed`
  assert.match(await textOf(unmatch), MARK)
  const { id } = await journal.propose('unmatch', { depositId: deposit.id, to: 'failed' })
  assert.match(await textOf('/approvals'), MARK)
  await journal.approve(id)
  const desk = await person.request(`/matching/${entered}`)
  assert.match(visibleText(desk.text), MARK)
  assert.match(visibleText(desk.text), /kesinleşmedi/)
  assert.match(visibleText(desk.text), /Ekstreyi yükleyin veya bankaya sorun/)
  assert.doesNotMatch(desk.text, /entry=refund_unexplained"/)
  assert.match(await textOf(`/matching/${entered}?entry=refund_unexplained&iban=${SENDER}`), /Parası gönderilemez/)
  await gives(real(written))
  assert.equal((await findLine(app.db, entered))?.state, 'suspense')
  assert.match((await person.request(`/matching/${entered}`)).text, /entry=refund_unexplained/)
})

test('the first page counts them with amount and age, and leads to the list; System names amount and account', async () => {
  const before = (await todaysWork(app)).find(({ name }) => name === 'entered_not_shown') ?? assert.fail('no tile')
  const { enter, propose, gives, real } = await openOutage(app)
  const entered = await enter({ amount: 91_100n })
  const pile = async (by = app) => (await todaysWork(by)).find(({ name }) => name === 'entered_not_shown')
  const tile = await pile()
  const sum = (before.amounts[0]?.amount ?? 0n) + 91_100n
  assert.deepEqual([tile?.group, tile?.count, tile?.amounts], ['broken', before.count + 1, [{ currency: 'TRY', amount: sum }]]) // prettier-ignore
  const later = laterBy(app, 20 * 86_400)
  assert.deepEqual([tile?.isCalm, (await pile(later))?.isCalm], [true, false])
  const home = (await person.request('')).text
  for (const anchor of ['statements/enter#not-shown', 'approvals#proposals'])
    assert.ok(home.includes(`/operator/${anchor}"`), anchor)
  assert.match((await person.request('/approvals')).text, /<section id="proposals">/)
  const list = await person.request('/statements/enter')
  assert.ok(list.text.includes(`/operator/matching/${entered}"`))
  assert.match(visibleText(list.text), /Bankanın henüz göstermediği satırlar.*911,00 TL/s)
  const checks = await examineMoney({ ...later, banks: app.banks })
  const { found } = checks.find(({ check }) => check === 'unconfirmed lines') ?? assert.fail('no such check')
  assert.match(say('en', found), new RegExp(`${entered} \\(credit, 911,00 TL, .* …\\d{4} of \\d{4}-`))
  assert.match(say('tr', found), new RegExp(`${entered} \\(gelen 911,00 TL, .* …\\d{4}, \\d\\d\\.\\d\\d\\.\\d{4}\\)`))
  assert.doesNotMatch(say('tr', found), /credit| of /)
  await gives(real({ amount: 91_100n }))
  assert.equal((await pile())?.count, before.count)
  const { id } = await propose({ amount: 92_200n })
  await rejectProposal(app, MEHMET, id, 'dekontta başka tutar var')
  assert.match(
    (await person.request('/approvals')).text,
    new RegExp(`data-ended="${id}">mehmet\\.kaya reddetti: dekontta başka tutar var<`),
  )
})

test('the day names an entered line that is not in the statement, and one that two people dismissed, with links', async () => {
  const missing = await openOutage(app)
  const entered = await missing.enter({ amount: 31_100n })
  await missing.take(camt('053', { iban: missing.iban, day: missing.today, opening: 0, closing: 0, bookings: [] }))
  const other = await openOutage(app)
  const bookings = [{ number: 'D1', amount: 32_200, sender: 'Ali Su', text: 'x' }]
  await other.take(camt('053', { iban: other.iban, day: other.today, opening: 0, bookings }))
  await other.settle()
  const [line = assert.fail('no line')] = await other.lines()
  for (const one of [AYSE, MEHMET]) await dismissLine(app, one, line.id, 'the bank does not know it')
  const { text } = await person.request(`/books/${missing.today}`)
  const cardOf = (id: string) => text.split(`id="account-${id}"`)[1]?.split('</article>')[0] ?? ''
  const textIn = (card: string) => card.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')
  const [first, second] = [cardOf(missing.id), cardOf(other.id)]
  assert.match(textIn(first), /elle girilen satır ekstrede yok \(311,00 TL\)/)
  assert.ok(first.includes(`/operator/matching/${entered}"`))
  assert.match(textIn(second), /iki kişinin geçersiz saydığı satır \(322,00 TL\)/)
  assert.ok(second.includes(`/operator/matching/${line.id}"`))
  for (const card of [first, second]) assert.doesNotMatch(card, /tamamı gelmemiş/)
})

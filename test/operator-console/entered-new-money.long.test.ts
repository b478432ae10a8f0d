import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { addDays } from '../../packages/server/src/kernel/istanbul.ts'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { openOutage } from '../harness/entered-lines.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { hiddenIn, refusalIn, visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'
import { camt } from '../harness/statement-files.ts'

const service = await startService()
const { app, baseUrl } = service
const browser = await openBrowser()
await addPerson(service, 'ayse.yilmaz', ['cashier', 'admin'])
for (const name of ['mehmet.kaya', 'zeynep.ak']) await addPerson(service, name, ['cashier'], 'ayse.yilmaz')

async function enter(name: string) {
  const person = visitor(service)
  await person.logIn(name)
  return person
}
const [ayse, mehmet, zeynep] = [await enter('ayse.yilmaz'), await enter('mehmet.kaya'), await enter('zeynep.ak')]

async function isOther(person: typeof ayse, line: string) {
  const csrf = await person.csrf(`/matching/${line}`)
  return person.request(`/matching/${line}/correct`, { csrf, found: 'new_money' })
}

/** Approves the proposal that waits. */
async function approve(person: typeof ayse) {
  const page = (await person.request('/approvals')).text
  const [, id = ''] = /\/proposals\/([0-9a-f]{24})\/approve/.exec(page) ?? assert.fail('no card')
  const fields = Object.fromEntries(hiddenIn(page, `/operator/proposals/${id}/approve`))
  return { page, sent: await person.request(`/proposals/${id}/approve`, fields) }
}

test('the bank’s line beside the entered one; another payment only by two who did not enter it', async () => {
  // Masked, these two look alike.
  const [typed, given] = ['TR330006200000007000021326', 'TR330006100519786457841326']
  const { enter: enterLine, gives, real, lines, cash, settle, today } = await openOutage(app)
  await enterLine({ senderIban: typed, bookedOn: addDays(today, -2) })
  await gives(real({ senderIban: given }))
  const line = (await lines()).at(-1)?.id ?? assert.fail('no line')
  const { page, problems } = await openPage(browser, baseUrl)
  await page.goto('/operator/login')
  await page.getByLabel('Ad', { exact: true }).fill('mehmet.kaya')
  await page.getByLabel('Parola').fill(PASSWORD)
  await page.getByRole('button', { name: 'Giriş yap' }).click()
  await page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  await page.goto(`/operator/matching/${line}`)
  const table = page.getByRole('table', { name: 'Bu satır ve tekrarı olabileceği satır' })
  const words = async () => (await table.innerText()).replaceAll(/\s+/g, ' ')
  assert.match(await words(), /Gönderen .* aynı IBAN TR33 •••• 1326 TR33 •••• 1326 farklı Açıklama .* farklı/)
  await page.getByText('İlk satırı ayse.yilmaz elle girdi.').waitFor()
  await isSound(page, 'operator-entered-two-lines')
  assert.deepEqual(problems, [])
  assert.match(refusalIn((await isOther(ayse, line)).text), /ayse\.yilmaz elle girdi.*başka iki kişi karar vermeli/)
  assert.match((await isOther(mehmet, line)).location ?? '', /said=newMoneyProposed/)
  assert.equal(await cash(), 125_000n)
  assert.match(visibleText((await ayse.request(`/matching/${line}`)).text), /İlk satırdan başka bir ödeme \(mehmet/)
  const refused = await approve(ayse)
  assert.match(refusalIn(refused.sent.text), /başka iki kişi karar vermeli/)
  assert.match(visibleText(refused.page), /Elle giren ayse\.yilmaz.*Gönderen IBAN’ı aynı hayır/)
  await page.goto('/operator/approvals')
  await isSound(page, 'operator-new-money-card')
  assert.equal((await approve(zeynep)).sent.status, 303)
  await settle()
  assert.equal(await cash(), 250_000n)
})

test('a line that was set aside is on the page of its file, and is taken back by two people', async () => {
  const { enter: enterLine, take, iban, today, lines, cash, settle } = await openOutage(app)
  const entered = await enterLine({ senderIban: makeIban('0010', '123') })
  const bookings = [{ number: 'N7', amount: 125_000, sender: 'Veli Can', text: 'x' }]
  const { file } = await take(camt('053', { iban, day: today, opening: 0, bookings }))
  await settle()
  const line = (await lines()).at(-1)
  assert.equal(line?.reason, 'entered_by_hand')
  const page = (await mehmet.request(`/statements/${file.id}`)).text
  assert.match(visibleText(page), /elle girildiği için deftere alınmayan satırlar.*1\.250,00 TL.*N7/)
  for (const id of [line?.id, entered]) assert.match(page, new RegExp(`/operator/matching/${id}"`))
  assert.match((await mehmet.request('/statements/enter')).text, new RegExp(`/operator/matching/${line?.id}"`))
  assert.match(visibleText((await mehmet.request(`/matching/${line?.id}`)).text), /aynı hareket sayıldığı için/)
  assert.match((await isOther(mehmet, line?.id ?? '')).location ?? '', /said=newMoneyProposed/)
  assert.equal((await approve(zeynep)).sent.status, 303)
  await settle()
  assert.equal(await cash(), 250_000n)
})

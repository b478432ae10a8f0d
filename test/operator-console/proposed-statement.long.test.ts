import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { readMapping } from '../../packages/bank-formats/src/index.ts'
import { rejectProposal, makeProposal, proposeImport } from '../../packages/server/src/domain/proposals/index.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'
import type { Booking } from '../harness/statement-files.ts'
import { camt, contentOf, openFileAccount, PLAIN } from '../harness/statement-files.ts'
import { travelTo } from '../harness/until.ts'

// The page of a statement file that another person has proposed to import.
const service = await startService()
const { app, baseUrl } = service
const browser = await openBrowser()
for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await addPerson(service, name)
const MEHMET = operatorActor('mehmet.kaya')
afterEach(() => travelTo(app, 0))

const DAY = 86_400

type Of = { bookings: Booking[]; closing?: number }

async function propose(of: Of, name = 'ekstre-2026-11-13.xml') {
  const account = await openFileAccount(app)
  const { iban } = account
  const text = camt('053', { iban, day: '2026-11-13', opening: 100_000, ...of })
  const asked = await proposeImport(app, MEHMET, contentOf(name, text), {
    ...PLAIN,
    acceptProblems: 'banka kapanışı yarın düzeltecek',
  })
  if (asked.state !== 'open') return assert.fail(asked.state)
  return { ...account, text, id: asked.proposal.id, path: `/statements/proposed/${asked.proposal.id}` }
}

async function enter(name: string) {
  const person = visitor(service)
  await person.logIn(name)
  return async (path: string) => {
    const { status, text } = await person.request(path)
    return { status, text, seen: visibleText(text) }
  }
}

const PAYMENTS: Booking[] = [
  { number: '1042007731', amount: 125_000, sender: 'AYŞE YILMAZ', text: 'VZ7K2M9Q Ayşe Yılmaz siparişi' },
  { number: '1042007732', amount: 7_777_700, sender: 'Mehmet Ali Öztürk', text: 'FAST gelen ödeme' },
  { number: '1042007733', amount: 1_250, debit: true, text: 'EFT UCRETI' },
]

test('the page has the findings, the lines and the decision; who approves it there imports it', async () => {
  const { id, path, lines } = await propose({ bookings: PAYMENTS, closing: 90_000 })
  const { page, problems } = await openPage(browser, baseUrl)
  await page.goto('/operator/approvals')
  await page.getByLabel('Ad', { exact: true }).fill('ayse.yilmaz')
  await page.getByLabel('Parola').fill(PASSWORD)
  await page.getByRole('button', { name: 'Giriş yap' }).click()
  await page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  await page.goto('/operator/approvals')
  await isSound(page, 'operator-proposed-statement-card')
  await page.locator(`[data-item="${id}"]`).getByRole('link', { name: 'Dosyayı incele' }).click()
  await page.getByRole('heading', { name: 'ekstre-2026-11-13.xml', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, `/operator${path}`)
  await isSound(page, 'operator-proposed-statement')
  await page.getByRole('button', { name: 'Onayla' }).click()
  await page.getByText('Onaylandı ve yürürlükte').waitFor()
  assert.equal((await lines()).length, 3)
  await page.goto(`/operator${path}`)
  await page.getByText('Öneri onaylandı; dosya aktarıldı').waitFor()
  await isSound(page, 'operator-proposed-statement-decided')
  assert.deepEqual(problems, [])
})

test('who proposed it has no button to approve it, and may withdraw it; in English', async () => {
  const { path } = await propose({ bookings: PAYMENTS })
  const { page } = await openPage(browser, baseUrl)
  await page.goto('/operator')
  await page.getByLabel('Ad', { exact: true }).fill('mehmet.kaya')
  await page.getByLabel('Parola').fill(PASSWORD)
  await page.getByRole('button', { name: 'Giriş yap' }).click()
  await page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  await page.goto(`/operator${path}`)
  await page.getByRole('link', { name: 'English' }).click()
  await page.getByRole('button', { name: 'Take back' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
  await isSound(page, 'operator-proposed-statement-own')
})

test('a table that is read with an own mapping, of an account that a person chose: card and page say so', async () => {
  const { iban } = await openFileAccount(app)
  const profile = readMapping({
    ...{
      id: 'kendi',
      name: 'Kendi düzenim',
      amounts: 'marked',
      dates: ['yyyy-MM-dd'],
      decimals: 'point',
      separator: ',',
    },
    columns: { date: 'Tarih', description: 'Detay', amount: 'Miktar', mark: 'Yön', balance: 'Kalan' },
    marks: { debit: 'Çıkış', credit: 'Giriş' },
  })
  const content = contentOf('a.csv', 'Tarih,Detay,Miktar,Yön,Kalan\n2026-11-13,kira,100.50,Giriş,100.50\n')
  const asked = await proposeImport(app, MEHMET, content, { ...PLAIN, account: iban, profile })
  if (asked.state !== 'open') return assert.fail(asked.state)
  const grouped = iban.replace(/.{4}(?!$)/g, '$& ')
  const said = new RegExp(`Elle seçilen hesap\\s+${grouped}\\s+Kişinin kendi sütun eşlemesi\\s+Kendi düzenim`)
  const ayse = await enter('ayse.yilmaz')
  for (const path of ['/approvals', `/statements/proposed/${asked.proposal.id}`])
    assert.match((await ayse(path)).seen, said)
})

test('more lines than the page has room for: the first 200, and how many there are', async () => {
  const bookings = Array.from({ length: 205 }, (_, at) => ({ number: `N${at}`, amount: 100 + at, sender: 'A B' }))
  const { path } = await propose({ bookings })
  const { seen, text } = await (await enter('ayse.yilmaz'))(path)
  assert.equal(text.match(/<td[^>]*>\s*N\d+\s*<\/td>/g)?.length, 200)
  assert.match(seen, /205 yeni satırın ilk 200 tanesi gösteriliyor/)
})

test('own proposal, withdrawn, expired, gone, imported another way, another kind: each says what to do', async () => {
  const [ayse, mehmet] = [await enter('ayse.yilmaz'), await enter('mehmet.kaya')]
  const first = await propose({ bookings: PAYMENTS })
  const own = await mehmet(first.path)
  assert.match(own.text, new RegExp(`proposals/${first.id}/reject`))
  assert.doesNotMatch(own.text, /\/approve"/)
  await rejectProposal(app, MEHMET, first.id, 'yanlış dosya')
  assert.match((await ayse(first.path)).seen, /Öneri geri çekildi[^]*mehmet\.kaya[^]*yanlış dosya/)

  const gone = await propose({ bookings: PAYMENTS })
  await app.db.transaction((tx) => tx.query(sql`delete from uploads where purpose = 'proposed'`))
  const missing = await ayse(gone.path)
  assert.match(missing.seen, /Dosya gösterilemiyor[^]*Dosya artık saklanmıyor[^]*Yeni giren\s+2: 79\.027,00 TL/)
  assert.match(missing.text, new RegExp(`proposals/${gone.id}/reject`))
  assert.doesNotMatch(missing.text, /\/approve"/)

  const other = await propose({ bookings: PAYMENTS })
  await other.take(other.text)
  const imported = await ayse(other.path)
  assert.match(imported.seen, /Bu dosya daha önce aktarılmış/)
  assert.doesNotMatch(imported.text, /\/approve"/)

  const old = await propose({ bookings: PAYMENTS })
  await travelTo(app, 8 * DAY)
  assert.match((await (await enter('ayse.yilmaz'))(old.path)).seen, /süresi doldu[^]*Dosyayı yeniden yükleyin/)
  await travelTo(app, 0)
  const { merchantId } = await service.merchant()
  const setting = await makeProposal(app, MEHMET, 'merchant.open_deposits', { merchantId, max: 1001 })
  if (setting.state !== 'open') return assert.fail(setting.state)
  for (const id of ['f'.repeat(24), setting.proposal.id])
    assert.equal((await ayse(`/statements/proposed/${id}`)).status, 404)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { isSound, takePictures } from '../e2e/is-sound.ts'
import { AYSE, startBooks } from '../harness/books.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { closeDay } from '../harness/day-proposals.ts'
import { giveLogin, PASSWORD, visitor } from '../harness/operator-console.ts'

// Two people close days in the operator console.
const service = await startBooks()
const { baseUrl } = service
const browser = await openBrowser()
for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await giveLogin(service, name)
const shop = await service.merchant({ name: 'Mürekkep Kitabevi' })

async function enter(name: string, options = {}) {
  const opened = await openPage(browser, baseUrl, options)
  await opened.page.goto('/operator')
  await opened.page.getByLabel('Ad', { exact: true }).fill(name)
  await opened.page.getByLabel('Parola').fill(PASSWORD)
  await opened.page.getByRole('button', { name: 'Giriş yap' }).click()
  await opened.page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  return opened
}

/** A day with a payment, one in suspense and a payout, of which the bank gave the balances; then it is over. */
async function aDay(more = 0n): Promise<string> {
  const day = service.today()
  await service.deposit(shop.merchantId, 840_000n)
  await service.take(await service.lineOf({ amount: 12_550n }))
  const id = await service.payout(shop, 50_000)
  await service.take(await service.debitOf(id))
  await service.giveBalances(day, more)
  await service.later(1)
  return day
}

/** What the second person does. */
async function approve(page: Page, day: string): Promise<void> {
  await page.goto('/operator/approvals')
  const card = page.locator('.card', { hasText: shown(day) })
  await card.getByRole('button', { name: 'Onayla' }).click()
  await page.getByText('Onaylandı').waitFor()
}

const open = (page: Page, day: string) => page.goto(`/operator/books/${day}`)
const shown = (day: string) => day.split('-').toReversed().join('.')

test('two people close a day; it is printed on one page; two people reopen it', async () => {
  const day = await aDay()
  const [ayse, mehmet] = [await enter('ayse.yilmaz'), await enter('mehmet.kaya')]
  await ayse.page.getByRole('link', { name: 'Defter' }).click()
  await ayse.page.getByRole('heading', { name: 'Defter', level: 1 }).waitFor()
  await isSound(ayse.page, 'operator-books')
  await ayse.page.getByRole('link', { name: shown(day) }).click()
  await ayse.page.getByText('tutuyor').first().waitFor()
  await isSound(ayse.page, 'operator-books-day')
  await ayse.page.getByRole('button', { name: 'Kapatmayı öner' }).click()
  await ayse.page.getByText('Öneriniz kaydedildi').waitFor()
  assert.equal(await ayse.page.getByRole('button', { name: 'Kapatmayı öner' }).count(), 0)
  await approve(mehmet.page, day)
  await open(mehmet.page, day)
  await mehmet.page.getByText('mehmet.kaya kapattı').waitFor()
  await isSound(mehmet.page, 'operator-books-closed')
  const pdf = await mehmet.page.pdf({ preferCSSPageSize: true })
  assert.equal([...pdf.toString('latin1').matchAll(/\/Type \/Page\b/g)].length, 1, 'one page')
  await printed(mehmet.page)
  await open(ayse.page, day)
  await ayse.page.getByLabel('Gerekçe').fill('yanlış masraf kaydı')
  await ayse.page.getByRole('button', { name: 'Yeniden açmayı öner' }).click()
  await ayse.page.getByText('Başka biri onaylarsa gün yeniden açılır').waitFor()
  await approve(mehmet.page, day)
  assert.equal((await service.prove(day)).closed, false)
  assert.deepEqual([...ayse.problems, ...mehmet.problems], [])
  await service.close(day)
})

async function printed(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.locator('.bar').isVisible(), false)
  await takePictures(page, 'operator-books-printed')
  await page.emulateMedia({ media: 'screen' })
}

test('a difference is shown line by line; it is accepted only with a reason, without JavaScript too', async () => {
  const day = await aDay(777n)
  const [ayse, mehmet] = [await enter('ayse.yilmaz'), await enter('mehmet.kaya', { javaScriptEnabled: false })]
  await open(ayse.page, day)
  await ayse.page.getByText('açıklanamayan 7,77 TL').first().waitFor()
  await isSound(ayse.page, 'operator-books-difference')
  const figures = (await service.prove(day)).hash
  const careless = visitor(service)
  await careless.logIn('ayse.yilmaz')
  const refused = await careless.request(`/books/${day}/close`, { csrf: await careless.csrf(), seen: figures })
  assert.equal(refused.status, 409)
  await ayse.page.getByLabel('Açıklanamayan fark').fill('bankaya soruldu, yarın düzelecek')
  await ayse.page.getByRole('button', { name: 'Kapatmayı öner' }).click()
  await ayse.page.getByText('Öneriniz kaydedildi').waitFor()
  await mehmet.page.goto('/operator/approvals')
  const card = mehmet.page.locator('.card', { hasText: shown(day) })
  await card.getByText('7,77 TL').first().waitFor()
  await card.getByText('bankaya soruldu, yarın düzelecek').waitFor()
  await approve(mehmet.page, day)
  assert.equal((await service.prove(day)).closed, true)
})

async function person(name: string) {
  const one = visitor(service)
  await one.logIn(name)
  const csrf = await one.csrf()
  return (path: string, fields: Record<string, string>) => one.request(path, { csrf, ...fields })
}

test('figures that changed since they were seen are neither proposed nor closed', async () => {
  const day = await aDay()
  const before = (await service.prove(day)).hash
  const [ayse, mehmet] = [await person('ayse.yilmaz'), await person('mehmet.kaya')]
  await service.take(await service.lineOf({ amount: 999n, bookedAt: new Date(`${day}T09:00:00Z`) }))
  await service.giveBalances(day)
  const stale = await ayse(`/books/${day}/close`, { seen: before })
  assert.deepEqual([stale.status, /rakamları gördüğünüz gibi değil/.test(stale.text)], [409, true])
  const now = (await service.prove(day)).hash
  assert.equal((await ayse(`/books/${day}/close`, { seen: now })).status, 303)
  assert.equal((await mehmet(`/books/${day}/close`, { seen: before })).status, 409, 'other figures')
  assert.equal((await mehmet(`/books/${day}/close`, { seen: now })).status, 303)
  assert.equal((await mehmet(`/books/${day}/close`, { seen: now })).status, 409, 'twice')
})

test('a proposal to close waits on the approvals; the closed day shows what came since, on paper too', async () => {
  const day = await aDay()
  const { hash } = await service.prove(day)
  await closeDay(service.app, AYSE, day)
  const { page, problems } = await enter('mehmet.kaya')
  await page.getByRole('link', { name: /^Öneri / }).click()
  const card = page.locator('.card', { hasText: shown(day) })
  await card.getByText(hash).waitFor()
  await isSound(page, 'operator-approvals-day')
  await approve(page, day)
  await service.take(await service.lineOf({ amount: 12_300n, bookedAt: new Date(`${day}T09:00:00Z`) }))
  await open(page, day)
  await page.getByText('Kapanıştan beri değişenler').first().waitFor()
  await page.getByText(`Kapanıştaki parmak izi ${hash}`).waitFor()
  await page.getByText('Kapanıştan sonra okunan satırlar').first().waitFor()
  await isSound(page, 'operator-books-since')
  await page.getByText('Yazdıran').waitFor({ state: 'hidden' })
  await page.emulateMedia({ media: 'print' })
  await page.evaluate('dispatchEvent(new Event("beforeprint"))')
  const printed = await page.locator('body').innerText()
  assert.match(printed, /Yazdıran mehmet\.kaya · \d\d\.\d\d\.\d{4} \d\d:\d\d/)
  assert.match(printed, /Şu anda açık olanlar \d\d\.\d\d\.\d{4} \d\d:\d\d/)
  const [account] = await service.app.banks.accounts()
  assert.ok(printed.includes(account?.title ?? assert.fail('no account')), 'the institution')
  await takePictures(page, 'operator-books-since-printed')
  await page.goto('/operator')
  await page.emulateMedia({ media: 'screen' })
  await isSound(page, 'operator-home-days')
  assert.deepEqual(problems, [])
})

test('exports: each table as CSV and XLSX, of a merchant or of all; a wrong period is said', async () => {
  const one = visitor(service)
  await one.logIn('mehmet.kaya')
  const files = { transactions: 'islemler', balances: 'bakiyeler', fees: 'komisyonlar', journal: 'defter-kayitlari' }
  for (const [kind, name] of Object.entries(files))
    for (const format of ['csv', 'xlsx']) {
      const path = `/books/exports?kind=${kind}&from=2026-01-01&to=2027-12-31&format=${format}&merchant=${shop.merchantId}`
      const { status, text, headers } = await one.request(path)
      assert.equal(status, 200, path)
      assert.match(
        headers.get('content-disposition') ?? '',
        new RegExp(`attachment; filename="${name}-.*\\.${format}"`),
      )
      assert.match(
        text,
        format === 'csv' ? /^\uFEFF?(?:"Muhasebe günü";"Ait olduğu gün";|"Satıcı no";"Satıcı";)/ : /^PK/,
      )
    }
  const { text } = await one.request('/books/exports?kind=transactions&from=2026-01-01&to=2027-12-31&format=csv')
  assert.match(text, /;"Yatırımın hesaba geçmesi";[\s\S]*8400,00[\s\S]*TOPLAM/)
  const wrong = await one.request('/books/exports?kind=fees&from=2026-12-31&to=2026-01-01')
  assert.deepEqual([wrong.status, /başlangıçtan önce olamaz/.test(wrong.text)], [409, true])
})

test('no such day: not found; any day can be looked at, and only those that are over be closed', async () => {
  const one = visitor(service)
  await one.logIn('ayse.yilmaz')
  assert.equal((await one.request('/books/2026-02-30')).status, 404)
  assert.match((await one.request(`/books/${service.today()}`)).text, /Gün bitmeden kapatılamaz/)
  assert.equal((await one.request('/books?day=2026-11-01')).location, '/operator/books/2026-11-01')
})

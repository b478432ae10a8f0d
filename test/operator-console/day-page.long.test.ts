import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { decideCorrection } from '../../packages/server/src/domain/matching/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { isSound, takePictures } from '../e2e/is-sound.ts'
import { AYSE, startBooks } from '../harness/books.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { giveLogin, PASSWORD } from '../harness/operator-console.ts'
import { lineFor, someDeposits } from '../harness/payments.ts'
import { camt, openFileAccount } from '../harness/statement-files.ts'

// How the page of a day looks, on screen and on paper.
const books = await startBooks()
const { app } = books
const browser = await openBrowser()
await giveLogin(books, 'ayse.yilmaz')
const shop = await books.merchant({ name: 'Mürekkep Kitabevi' })
const [deposit] = await someDeposits(app, shop.merchantId, 1, 67_000n)
const line = await lineFor(app, deposit ?? assert.fail('no deposit'))
const other = await openFileAccount(app)

// The bank books the line again on the next day, and counts it there.
const first = books.today()
await books.take(line)
await other.take(camt('053', { iban: other.iban, day: first, opening: 0, bookings: [{ number: 'N1', amount: 1_250_075, sender: 'Ali Can' }] })) // prettier-ignore
await books.take()
await books.giveBalances(first)
await app.db.transaction((tx) =>
  tx.query(sql`
    update statements set opening_balance = 0, closing_balance = 0 where from_day = ${first}::date
      and collecting_account_id = (select id from collecting_accounts where iban = ${line.accountIban})`),
)
const second = await books.later(1)
await books.take({ ...line, bookedAt: app.clock.now(), valueDate: istanbul(app.clock.now()).day })
const [repeat] = await listLines(app.db, 'needs_review', null)
await decideCorrection(app, AYSE, repeat?.id ?? '', 'same_money')
await books.later(1)

async function enter(options = {}): Promise<Page> {
  const { page } = await openPage(browser, books.baseUrl, options)
  await page.goto('/operator')
  await page.getByLabel('Ad', { exact: true }).fill('ayse.yilmaz')
  await page.getByLabel('Parola').fill(PASSWORD)
  await page.getByRole('button', { name: 'Giriş yap' }).click()
  await page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  return page
}

/** Where the figures of this name end, on each card. */
const ends = (page: Page, name: string) =>
  page
    .locator(`.equation .${name} dd`)
    .evaluateAll((found) => [...new Set(found.map((one) => Math.round(one.getBoundingClientRect().right)))])

test('figures stand under each other, with a total; an explained difference does not warn', async () => {
  const page = await enter({ viewport: { width: 1280, height: 900 } })
  await page.goto(`/operator/books/${first}`)
  await isSound(page, 'operator-day')
  for (const name of ['opening', 'credits', 'debits', 'closing', 'ledger', 'difference'])
    assert.equal((await ends(page, name)).length, 1, name)
  await page.locator('.totals').getByText('Toplam · 2 hesap').waitFor()
  const text = await page.locator('main').innerText()
  assert.match(text, /bu, kapanışı -670,00 TL değiştiriyor/)
  assert.match(text, /fark açıklandı/)
  assert.doesNotMatch(text, /Ekstrenin tamamı|satırlar kapanışla tutmuyor/)
  assert.equal(await page.locator('.equation .off').count(), 0, 'no red figure')
  const folded = page.locator('.proof details:not([open])')
  assert.equal(await folded.count(), 1, 'of the account without a difference')
  await page.getByRole('link', { name: 'Kapanışa git' }).click()
  await page.getByRole('button', { name: 'Kapatmayı öner' }).waitFor()
  await page.goto(`/operator/books/${second}`)
  await page.getByText('bu, kapanışı 670,00 TL değiştiriyor').waitFor()
  // The other account has no balance of this day.
  await page.locator('.card', { hasText: 'doğrulanamadı' }).first().waitFor()
  await isSound(page, 'operator-day-unproven')
})

test('on paper: title and day, the columns, and lines for two signatures, on one page', async () => {
  const page = await enter({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  await page.goto(`/operator/books/${first}`)
  await isSound(page, 'operator-day-phone')
  assert.equal(await page.getByText('Gün sonu mutabakatı').isVisible(), false)
  await page.setViewportSize({ width: 703, height: 1000 })
  await page.emulateMedia({ media: 'print', colorScheme: 'light' })
  const text = await page.locator('main').innerText()
  assert.match(text, new RegExp(`Gün sonu mutabakatı\\s+${first.split('-').toReversed().join('.')}`))
  assert.match(text, /Kapatmayı öneren\s+Ad soyad\s+Tarih\s+İmza\s+Günü kapatan\s+Ad soyad\s+Tarih\s+İmza/)
  assert.doesNotMatch(text, /Kapanışa git/)
  assert.equal((await ends(page, 'closing')).length, 1)
  await takePictures(page, 'operator-day-printed')
  const pdf = await page.pdf({ preferCSSPageSize: true })
  assert.equal([...pdf.toString('latin1').matchAll(/\/Type \/Page\b/g)].length, 1, 'one page')
})

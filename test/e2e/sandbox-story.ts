import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { screenOn } from '../harness/browser.ts'
import { ready, vezne } from '../harness/child-process.ts'
import type { Credentials } from '../harness/client.ts'

type Sandbox = { shopUrl: string; baseUrl: string; merchant: Credentials }

// The sandbox as `npm start` runs it: service, simulated bank and demo shop, used by clicks only.
const data = mkdtempSync(join(tmpdir(), 'vezne-story-'))
const sandbox = vezne(['up'], { VEZNE_DATA: data })
await ready(sandbox)
export const facts = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')) as Sandbox
const { shopUrl } = facts
after(async () => {
  sandbox.process.kill('SIGTERM')
  await sandbox.exited
  rmSync(data, { recursive: true, force: true })
})

/** From the basket to the details of the transfer. */
export async function buy(page: Page): Promise<void> {
  await page.goto(shopUrl)
  await page.getByRole('button', { name: /FAST ile öde/ }).click()
  await screenOn(page, 'choose-bank')
  await page.getByRole('radio', { name: /FAST/ }).check()
  await page.getByRole('button', { name: /Devam/ }).click()
  await screenOn(page, 'pay')
}

/** Follows the sandbox's link into the bank app, which has everything filled in, and presses a button there. */
export async function payInBankApp(page: Page, button: RegExp): Promise<void> {
  const link = page.getByRole('link', { name: /banka/i }).first()
  const bank = await page.context().newPage()
  await bank.goto((await link.getAttribute('href')) ?? '')
  await bank.getByRole('button', { name: button }).first().click()
  await bank
    .getByText(/sorgu no/i)
    .first()
    .waitFor()
  await bank.close()
}

/** The whole story of a customer who pays. */
export async function payAndReturn(
  browser: Browser,
  { javaScriptEnabled }: { javaScriptEnabled: boolean },
): Promise<void> {
  const context = await browser.newContext({
    locale: 'tr-TR',
    javaScriptEnabled,
    viewport: { width: 390, height: 844 },
  })
  const page = await context.newPage()
  await buy(page)
  await payInBankApp(page, /^Gönder$/)
  if (javaScriptEnabled) await screenOn(page, 'completed')
  else await refreshUntil(page, 'completed')
  await page.getByRole('link', { name: /sitesine dön/ }).click()
  await page.waitForURL(/\/shop\/orders\//)
  assert.match(await page.locator('main').innerText(), /ödendi|alındı/i)
  await context.close()
}

/** The same in English: the shop, the checkout page and the bank app that it opens. Returns what each page said. */
export async function payInEnglish(browser: Browser): Promise<Record<'pay' | 'bank' | 'receipt' | 'order', string>> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const read = (of: Page) => of.locator('body').innerText()
  await page.goto(`${shopUrl}?lang=en`)
  await page.getByRole('button', { name: /^Pay by bank transfer/ }).click()
  await screenOn(page, 'choose-bank')
  await page.getByRole('radio', { name: /FAST/ }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await screenOn(page, 'pay')
  const pay = await read(page)
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Open the practice bank' }).click()
  const app = await opened
  await app.getByRole('heading', { name: 'Send money' }).waitFor()
  assert.equal(await app.locator('html').getAttribute('lang'), 'en')
  const bank = `${await read(app)}\n${await app.getByLabel('Amount (TL)').inputValue()}`
  await app.getByRole('button', { name: 'Send', exact: true }).click()
  await app.getByRole('heading', { name: 'Receipt' }).waitFor()
  const receipt = await read(app)
  await app.getByRole('link', { name: 'Back to the payment page' }).click()
  await screenOn(app, 'completed')
  await screenOn(page, 'completed')
  await page.getByRole('link', { name: /^Return to/ }).click()
  await page.waitForURL(/\/shop\/orders\//)
  const order = await read(page)
  await context.close()
  return { pay, bank, receipt, order }
}

/** Without a script the customer presses "Durumu yenile". */
async function refreshUntil(page: Page, screen: string): Promise<void> {
  const deadline = Date.now() + 20_000
  while ((await page.locator('main').getAttribute('data-screen')) !== screen) {
    assert.ok(Date.now() < deadline, `the page did not become ${screen}`)
    await page
      .getByRole('link', { name: /Durumu yenile/ })
      .first()
      .click()
  }
}

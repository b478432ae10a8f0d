import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser, screenOn } from '../harness/browser.ts'
import { ready, vezne } from '../harness/child-process.ts'
import type { Credentials } from '../harness/client.ts'
import { client } from '../harness/client.ts'
import { accepted } from '../harness/envelope.ts'

type Sandbox = { shopUrl: string; baseUrl: string; merchant: Credentials }

// The sandbox as `npm start` runs it: service, simulated bank and demo shop, used by clicks only.
const data = mkdtempSync(join(tmpdir(), 'vezne-story-'))
const sandbox = vezne(['up'], { VEZNE_DATA: data })
await ready(sandbox)
const facts = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')) as Sandbox
const { shopUrl } = facts
const browser = await openBrowser()
after(async () => {
  sandbox.process.kill('SIGTERM')
  await sandbox.exited
  rmSync(data, { recursive: true, force: true })
})

/** From the basket to the details of the transfer. */
async function buy(page: Page): Promise<void> {
  await page.goto(shopUrl)
  await page.getByRole('button', { name: /FAST ile öde/ }).click()
  await screenOn(page, 'choose-bank')
  await page.getByRole('radio', { name: /FAST/ }).check()
  await page.getByRole('button', { name: /Devam/ }).click()
  await screenOn(page, 'pay')
}

/** Follows the sandbox's link into the bank app, which has everything filled in, and presses a button there. */
async function payInBankApp(page: Page, button: RegExp): Promise<void> {
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

for (const javaScriptEnabled of [true, false]) {
  test(`buy, choose a bank, pay in the bank app, see it completed, return to the shop; JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
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
  })
}

test('less money than asked: the page says what is missing, and turns when the rest arrives', async () => {
  const context = await browser.newContext({ locale: 'tr-TR' })
  const page = await context.newPage()
  await buy(page)
  await payInBankApp(page, /eksik|az/i)
  await screenOn(page, 'short')
  assert.match(await page.locator('main').innerText(), /10,00 TL/)
  await payInBankApp(page, /^Gönder$/)
  await screenOn(page, 'completed')
  await context.close()
})

test('the order in the shop turns by callback while it is open', async () => {
  const context = await browser.newContext({ locale: 'tr-TR' })
  const page = await context.newPage()
  await buy(page)
  const newest = await client(facts.baseUrl, facts.merchant).get('/v1/transactions?type=deposit&limit=1')
  const [{ metadata }] = accepted(newest, 200).transactions
  const order = await context.newPage()
  await order.goto(`${shopUrl}/orders/${metadata.order}`)
  assert.match(await order.locator('main').innerText(), /Ödemeniz bekleniyor/)
  await payInBankApp(page, /^Gönder$/)
  // Its script asks the shop, and the shop knows what it was told: nobody asks Vezne.
  await order.getByText('Ödendi').first().waitFor({ timeout: 20_000 })
  assert.match(await order.locator('main').innerText(), /Ödeme bildirimi/)
  await context.close()
})

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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser, screenOn } from '../harness/browser.ts'
import { client } from '../harness/client.ts'
import { accepted } from '../harness/envelope.ts'
import { buy, facts, payAndReturn, payInBankApp, payInEnglish } from './sandbox-story.ts'

const browser = await openBrowser()

test('buy, choose a bank, pay in the bank app, see it completed, return to the shop; JavaScript off', () =>
  payAndReturn(browser, { javaScriptEnabled: false }))

test('an English shop, an English checkout page, an English bank app: no Turkish words, amounts in English', async () => {
  const said = await payInEnglish(browser)
  for (const [page, text] of Object.entries(said)) {
    assert.match(text, /\d,\d{3}\.\d\d|\d{3}\.\d\d/, `${page} has an amount as English writes it`)
    assert.doesNotMatch(text, /\d,\d\d\b|\d\.\d{3}/, `${page} has an amount as Turkish writes it`)
    const turkish = /Gönder|Alıcı|Açıklama|Tutar|Ödeme|Hesap|Dekont|Sorgu|Bekleyen|hareket|Sipariş|Mağaza|Banka\b/
    assert.doesNotMatch(text.replaceAll('Vezne Deneme Ödeme Hizmetleri A.Ş.', ''), turkish, page)
  }
})

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
  const [{ processId }] = accepted(newest, 200).transactions
  const order = await context.newPage()
  await order.goto(`${facts.shopUrl}/orders/${processId.slice('order-'.length)}`)
  assert.match(await order.locator('main').innerText(), /Ödemeniz bekleniyor/)
  await payInBankApp(page, /^Gönder$/)
  // Its script asks the shop, and the shop knows what it was told: nobody asks Vezne.
  await order.getByText('Ödendi').first().waitFor()
  assert.match(await order.locator('main').innerText(), /Ödeme bildirimi/)
  await context.close()
})

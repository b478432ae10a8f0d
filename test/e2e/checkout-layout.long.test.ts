import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser, openPage, screenOn } from '../harness/browser.ts'
import { isSound, takePictures } from './is-sound.ts'
import { moneyArrives, newDeposit, startCheckout, timePasses } from './stories.ts'
import { visitsWith } from './visit.ts'

const checkout = await startCheckout()
const { baseUrl } = checkout
const browser = await openBrowser()
const shop = await checkout.merchant({ returnOrigins: ['https://kitaprafi.example'] })
const visit = visitsWith(browser, baseUrl)

test('the title of the window tells the state', async () => {
  const deposit = await newDeposit(shop, { bankCode: 'FAST', language: 'en' })
  await visit(deposit, async (page) => {
    assert.equal(await page.title(), 'Make a transfer with these details · Kitap Rafı')
    await moneyArrives(checkout, deposit.id, { amount: 25_000n })
    await screenOn(page, 'short')
    assert.equal(await page.title(), '1,000.00 TL missing · Kitap Rafı')
    await moneyArrives(checkout, deposit.id, { amount: 100_000n })
    await screenOn(page, 'completed')
    assert.equal(await page.title(), 'Your payment has arrived · Kitap Rafı')
    await page.reload()
    assert.equal(await page.title(), 'Your payment has arrived · Kitap Rafı')
  })
})

test('offline: a notice while the status cannot be read, and nothing moves', async () => {
  const deposit = await newDeposit(shop, { bankCode: 'FAST' })
  const { page, context } = await openPage(browser, baseUrl)
  await page.goto(deposit.link)
  await screenOn(page, 'pay')
  const notice = page.getByText('Bağlantı yok: bu durum eski olabilir.')
  const place = await page.locator('h1').boundingBox()
  assert.ok(await notice.first().isHidden())
  await context.setOffline(true)
  await page.locator('#offline').waitFor({ state: 'visible' })
  assert.deepEqual(await page.locator('h1').boundingBox(), place)
  await isSound(page, 'offline')
  await context.setOffline(false)
  await page.locator('#offline').waitFor({ state: 'hidden' })
  await context.close()
})

test('nothing moves while a page loads, in both languages and at every width', async () => {
  for (const changes of [{}, { bankCode: 'FAST' }])
    for (const language of ['tr', 'en'])
      for (const width of [360, 768, 1280]) {
        const deposit = await newDeposit(shop, { ...changes, language })
        const { page, context } = await openPage(browser, baseUrl, { viewport: { width, height: 740 } })
        await page.addInitScript(`
          window.shifted = 0
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
          }).observe({ type: 'layout-shift', buffered: true })`)
        // The font and the script arrive after the first paint.
        const session = await context.newCDPSession(page)
        const slow = { offline: false, latency: 50, downloadThroughput: 50_000, uploadThroughput: 50_000 }
        await session.send('Network.enable')
        await session.send('Network.emulateNetworkConditions', slow)
        await page.goto(deposit.link, { waitUntil: 'load' })
        await page.evaluate('document.fonts.ready.then(() => new Promise(requestAnimationFrame))')
        const shifted = Number(await page.evaluate('window.shifted'))
        assert.ok(shifted <= 0.02, `${JSON.stringify(changes)} ${language} ${width}: ${shifted}`)
        await context.close()
      }
})

test('what has the focus is never behind the button, on a small phone and at 200 % zoom', async () => {
  const deposit = await newDeposit(shop)
  for (const viewport of [
    { width: 360, height: 640 },
    { width: 360, height: 500 },
    { width: 180, height: 320 },
    { width: 640, height: 400 },
  ])
    await visit(
      deposit,
      async (page) => {
        await page.getByRole('radio', { name: 'FAST' }).focus()
        const count = await page.getByRole('radio').count()
        for (let at = 0; at < count; at++) {
          await page.keyboard.press('ArrowDown')
          const covered = await page.evaluate<number>(`(() => {
            const box = document.activeElement.closest('.bank').getBoundingClientRect()
            const go = document.querySelector('.go').getBoundingClientRect()
            return Math.min(box.bottom, go.bottom, innerHeight) - Math.max(box.top, go.top)
          })()`)
          assert.ok(covered <= 0, `${JSON.stringify(viewport)}: ${covered} px of choice ${at} are covered`)
        }
      },
      { viewport },
    )
})

test('print: the receipt, without the band, the buttons and the notice', async () => {
  const deposit = await newDeposit(shop, { bankCode: 'FAST' })
  await visit(deposit, async (page) => {
    await page.locator('.band').waitFor()
    await timePasses(checkout, 1)
    await moneyArrives(checkout, deposit.id)
    await screenOn(page, 'completed')
    await page.emulateMedia({ media: 'print', colorScheme: 'light' })
    for (const part of ['.band', '.language', '.actions', 'footer'])
      assert.ok(await page.locator(part).first().isHidden(), part)
    await takePictures(page, 'receipt-print')
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { claimPayment } from '../../packages/server/src/domain/deposits/index.ts'
import { setBrand } from '../../packages/server/src/domain/merchants/index.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { storeNames } from '../harness/stored-names.ts'
import { openBrowser, openPage, screenOn } from '../harness/browser.ts'
import { isSound } from './is-sound.ts'
import { depositNow, moneyArrives, newDeposit, startCheckout, timePasses } from './stories.ts'
import { choose, visitsWith } from './visit.ts'

const checkout = await startCheckout()
const { app, baseUrl } = checkout
const browser = await openBrowser()
const shop = await checkout.merchant({ returnOrigins: ['https://kitaprafi.example'] })

const visit = visitsWith(browser, baseUrl)
const FAST = { bankCode: 'FAST' }

/** In the page: the tab goes to the background, or comes back from it. */
const setVisibility = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)

test('without JavaScript: choose, change, claim, refresh, receipt', async () => {
  const { page, problems } = await openPage(browser, baseUrl, { javaScriptEnabled: false })
  const deposit = await newDeposit(shop, { returnUrl: 'https://kitaprafi.example/7' })
  await page.goto(deposit.link)
  assert.equal(new URL(page.url()).pathname, `/checkout/${deposit.id}`)
  assert.ok(await page.locator('#filter').isHidden())
  await page.getByRole('radio', { name: 'FAST' }).check()
  await page.getByRole('button', { name: 'Devam et' }).click()
  await screenOn(page, 'pay')
  assert.equal(await page.locator('.copy:visible').count(), 0, 'a button that would do nothing is not there')
  await page.getByRole('button', { name: 'Ödeme yöntemini değiştir' }).click()
  await page.getByRole('radio', { name: 'Ziraat Bankası' }).check()
  await page.getByRole('button', { name: 'Devam et' }).click()
  await page.getByRole('button', { name: 'Transferi yaptım' }).click()
  await screenOn(page, 'claimed')
  await page.getByText('Transfer bilgilerini göster').click()
  assert.ok(await page.locator('#value-iban').isVisible())
  await moneyArrives(checkout, deposit.id)
  await page.getByRole('link', { name: 'Durumu yenile' }).click()
  await screenOn(page, 'completed')
  assert.ok(await page.getByRole('link', { name: 'Kitap Rafı sitesine dön' }).isVisible())
  assert.deepEqual(problems, [])
})

test('back from the bank app, with the event stream dead: the new state, without waiting for the next poll', async () => {
  const { page } = await openPage(browser, baseUrl)
  await page.route('**/events', (route) => route.abort())
  await page.addInitScript('window.setInterval = () => 0')
  const deposit = await newDeposit(shop, FAST)
  await page.goto(deposit.link)
  await screenOn(page, 'pay')
  await setVisibility(page, 'hidden')
  await moneyArrives(checkout, deposit.id)
  assert.equal(await page.locator('main').getAttribute('data-screen'), 'pay')
  await setVisibility(page, 'visible')
  await screenOn(page, 'completed')
})

test('an answer that was overtaken by a newer one changes nothing', async () => {
  const { page } = await openPage(browser, baseUrl)
  const deposit = await newDeposit(shop, FAST)
  await page.goto(deposit.link)
  await screenOn(page, 'pay')
  await claimPayment(app, await depositNow(checkout, deposit.id))
  await screenOn(page, 'claimed')
  const stale = {
    version: 0,
    screen: 'pay',
    left: 900,
    html: '<main id="main" data-version="0" data-screen="pay"></main>',
  }
  await page.route('**/status?*', (route) => route.fulfill({ json: stale }))
  const answered = page.waitForResponse('**/status?*')
  await setVisibility(page, 'visible')
  await (await answered).finished()
  assert.equal(await page.locator('main').getAttribute('data-screen'), 'claimed')
})

test('a change keeps focus and place, and is announced', async () => {
  const { page } = await openPage(browser, baseUrl, { viewport: { width: 360, height: 400 } })
  const deposit = await newDeposit(shop, FAST)
  await page.goto(deposit.link)
  await moneyArrives(checkout, deposit.id, { amount: 50_000n })
  await screenOn(page, 'short')
  assert.equal(await page.locator('#said').textContent(), '750,00 TL kaldı')
  await page.locator('#copy-code').focus()
  const top = await page.evaluate('window.scrollY')
  assert.ok(Number(top) > 0)
  await moneyArrives(checkout, deposit.id, { amount: 25_000n })
  await page.getByRole('heading', { name: '500,00 TL kaldı' }).waitFor()
  assert.deepEqual(await page.evaluate('[document.activeElement.id, window.scrollY]'), ['copy-code', top])
})

test('budget: 14 kB for HTML, CSS and script; 6 requests; one origin', async (context) => {
  const rich = await checkout.merchant()
  const logo = await sharp({ create: { width: 300, height: 90, channels: 3, background: '#146' } })
    .png()
    .toBuffer()
  await setBrand(app, UNATTRIBUTED, rich.merchantId, { accent: '#b4232a', logo })
  const visits = [
    ['choose-bank, by the link', shop, {}, 'link'],
    ['pay, by the link', shop, FAST, 'link'],
    ['pay with logo and colour', rich, FAST, 'address'],
  ] as const
  for (const [name, merchant, changes, by] of visits) {
    const deposit = await newDeposit(merchant, changes)
    const {
      page,
      problems,
      context: tab,
    } = await openPage(browser, baseUrl, { viewport: { width: 1280, height: 900 } })
    if (by === 'address') await tab.request.get(deposit.link)
    const loaded: string[] = []
    // Not the icon of the tab: a headless browser does not ask for it, others once for all pages.
    page.on(
      'request',
      (request) => void (/\/events$|\/icon-\w+\.svg$/.test(request.url()) || loaded.push(request.url())),
    )
    await page.goto(by === 'link' ? deposit.link : `/checkout/${deposit.id}`)
    // The QR code is drawn when it comes into view, which is after the page has loaded.
    // Asked from outside: the page's own policy forbids evaluating text inside it.
    while (!(await page.evaluate('[...document.images].every((image) => image.complete)')));
    assert.ok(loaded.length <= 6, loaded.join('\n'))
    const text = loaded.filter((url) => !/\.(woff2|svg|png)$|token=/.test(url))
    const sizes = await Promise.all(text.map((url) => gzipSize(url, `vezne-${deposit.id}=${deposit.token}`)))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    const figure = `${name}: ${sizes.join(' + ')} = ${total} bytes gzip, ${loaded.length} requests`
    context.diagnostic(figure)
    assert.ok(sizes.length === 3 && total <= 14 * 1024, figure)
    assert.deepEqual(problems, [])
    await tab.close()
  }
})

/** As it travels: fetch would unpack it. */
async function gzipSize(url: string, cookie: string): Promise<number> {
  const answer = await fetch(url, { headers: { cookie, 'accept-encoding': 'gzip' } })
  const length = Number(answer.headers.get('content-length'))
  assert.equal(answer.headers.get('content-encoding'), 'gzip')
  assert.ok(length > 0 && (await answer.text()).length > length)
  return length
}

const MARKUP = `"'><script>window.hacked=1</script><img src=x onerror=window.hacked=1>&lt;`
const EVIL = `${MARKUP}\u202E\u2066`

test('hostile names and metadata: nothing runs, nothing breaks out', async () => {
  const evil = await checkout.merchant({ returnOrigins: ['https://shop.example'] })
  await storeNames(app, evil.merchantId, EVIL.slice(0, 90), `<b onclick=x>${EVIL}`.slice(0, 60))
  const { page, problems } = await openPage(browser, baseUrl)
  const deposit = await newDeposit(evil, {
    ...FAST,
    customer: { id: MARKUP, name: MARKUP, username: MARKUP },
    metadata: { [EVIL]: EVIL },
    returnUrl: `https://shop.example/"><script>window.hacked=1</script>`,
  })
  // The API takes no such name any more; rows from before have them.
  await app.db.oneStatement((tx) => tx.query(sql`update deposits set customer_name = ${EVIL} where id = ${deposit.id}`))
  await page.goto(`${deposit.link}&lang="><script>window.hacked=1</script>`)
  await screenOn(page, 'pay')
  await moneyArrives(checkout, deposit.id)
  await screenOn(page, 'completed')
  await page.reload()
  await screenOn(page, 'completed')
  assert.equal(await page.evaluate('window.hacked'), undefined)
  assert.equal(await page.locator('script').count(), 1)
  assert.equal(await page.locator('body b, body img').count(), 0)
  const href = await page.locator('a.button').getAttribute('href')
  assert.match(href ?? '', /^https:\/\/shop\.example\/%22%3E%3Cscript%3E/)
  assert.doesNotMatch((await page.locator('body').textContent()) ?? '', /[\u202A-\u202E\u2066-\u2069]/)
  assert.deepEqual(problems, [])
})

test('awaiting-bank: past the deadline while the bank cannot be read; money sent in time is not late', async () => {
  const deposit = await newDeposit(shop)
  app.connections.push(bankApiConnection({ baseUrl: 'http://127.0.0.1:9', key: 'away' }))
  await visit(deposit, async (page) => {
    await choose(page)
    await timePasses(checkout, 31)
    await page.reload()
    await screenOn(page, 'awaiting-bank')
    await page.getByRole('heading', { name: 'Ödeme süresi doldu' }).waitFor()
    assert.equal(await page.locator('.card').count(), 2)
    await isSound(page, 'awaiting-bank')
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByText('We are waiting for the bank’s report.').waitFor()
    await moneyArrives(checkout, deposit.id, { bookedAt: (await depositNow(checkout, deposit.id)).expiresAt })
    await screenOn(page, 'completed')
    assert.equal(await page.locator('.late').count(), 0)
  })
  const claimed = await newDeposit(shop)
  await visit(claimed, async (page) => {
    await choose(page)
    await page.getByRole('button', { name: 'Transferi yaptım' }).click()
    await screenOn(page, 'claimed')
    await timePasses(checkout, 31)
    await page.reload()
    await screenOn(page, 'claimed')
    await page.getByText(/^Gönderme süresi .* doldu\. Gönderdiğiniz para kaybolmaz\.$/).waitFor()
    assert.equal(await page.locator('.card').count(), 0, 'who said "sent" is neither asked nor invited to pay again')
    assert.equal(await page.getByRole('button', { name: 'Henüz göndermedim' }).count(), 0)
    await isSound(page, 'claimed-overdue')
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByRole('heading', { name: 'Waiting for your bank' }).waitFor()
  })
  app.connections.pop()
})

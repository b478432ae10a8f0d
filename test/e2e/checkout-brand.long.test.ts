import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { listAccounts, setKarekod } from '../../packages/server/src/domain/banks/index.ts'
import { setBrand } from '../../packages/server/src/domain/merchants/index.ts'
import { openBrowser, screenOn } from '../harness/browser.ts'
import { isSound } from './is-sound.ts'
import { depositNow, moneyArrives, newDeposit, startCheckout } from './stories.ts'
import { visitsWith } from './visit.ts'

const checkout = await startCheckout()
const { app, baseUrl } = checkout
const browser = await openBrowser()
const visit = visitsWith(browser, baseUrl)

const pixels = (width: number, height: number, background: object | string) =>
  sharp({ create: { width, height, channels: 4, background } })
/** A drawing of one colour on a transparent logo. */
const drawnIn = async (colour: string) => {
  const mark = await pixels(120, 40, colour).png().toBuffer()
  return pixels(240, 80, { r: 0, g: 0, b: 0, alpha: 0 })
    .composite([{ input: mark }])
    .png()
    .toBuffer()
}

test('brand: logo, a colour that is made readable, English', async () => {
  const branded = await checkout.merchant({ name: 'Fıstık Ltd' })
  const logo = await sharp({ create: { width: 240, height: 80, channels: 3, background: '#e4003a' } })
    .png()
    .toBuffer()
  await setBrand(app, UNATTRIBUTED, branded.merchantId, { displayName: 'Fıstık', accent: '#ffd400', logo })
  const deposit = await newDeposit(branded, { language: 'en' })
  await visit(deposit, async (page) => {
    await page.getByRole('img', { name: 'Fıstık' }).waitFor()
    await page.getByRole('radio', { name: 'FAST' }).check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await screenOn(page, 'pay')
    assert.equal(await page.locator('html').getAttribute('lang'), 'en')
    await isSound(page, 'brand')
    await page.getByRole('link', { name: 'Türkçe' }).click()
    await page.getByRole('heading', { name: 'Bu bilgilerle transfer yapın' }).waitFor()
    await page.getByRole('button', { name: 'Transferi yaptım' }).click()
    await screenOn(page, 'claimed')
    assert.match(page.url(), /\?lang=tr$/)
    await page.getByRole('heading', { name: 'Ödemeniz bankadan bekleniyor' }).waitFor()
  })
})

test('a white logo is seen in both themes, a black one too; a logo of the dark theme replaces it there; both can go', async () => {
  const shop = await checkout.merchant({ name: 'Beyaz' })
  const brandOf = (change: Parameters<typeof setBrand>[3]) => setBrand(app, UNATTRIBUTED, shop.merchantId, change)
  const deposit = await newDeposit(shop, { bankCode: 'FAST' })
  await visit(deposit, async (page) => {
    const background = async (colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme })
      await page.reload()
      return page.evaluate('getComputedStyle(document.querySelector(".merchant img")).backgroundColor')
    }
    const [none, white, ink] = ['rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)', 'rgb(27, 31, 35)']
    assert.equal((await brandOf({ logo: await drawnIn('#ffffff') })).logoInk, 'light')
    assert.deepEqual([await background('light'), await background('dark')], [ink, none])
    await isSound(page, 'white-logo')
    assert.equal((await brandOf({ logo: await drawnIn('#102030') })).logoInk, 'dark')
    assert.deepEqual([await background('light'), await background('dark')], [none, white])
    await brandOf({ darkLogo: await drawnIn('#ffffff') })
    assert.equal(await background('dark'), none)
    const shown = () => page.evaluate('document.querySelector(".merchant img").currentSrc')
    assert.match(String(await shown()), /logo-dark\.png$/)
    await brandOf({ logo: null, darkLogo: null })
    await page.reload()
    assert.equal(await page.locator('.merchant').innerText(), 'Beyaz')
  })
})

test('shop, recipient, order and help: on every screen, with a way back; hostile texts stay texts', async () => {
  const shop = await checkout.merchant({ returnOrigins: ['https://kitaprafi.example'] })
  await setBrand(app, UNATTRIBUTED, shop.merchantId, {
    supportPhone: '+90 (212) 555 00 00',
    supportEmail: 'yardim@kitaprafi.example',
    supportAddress: 'Rıhtım Cad. 1, Kadıköy',
  })
  const metadata = { order: 'A-1042', description: '<b>2 kitap</b>\u202E ve defter' }
  const deposit = await newDeposit(shop, { bankCode: 'FAST', metadata, returnUrl: 'https://kitaprafi.example/7' })
  await visit(deposit, async (page) => {
    const title = 'Vezne Deneme Ödeme Hizmetleri A.Ş.'
    await page.getByText(`Kitap Rafı bu ödemeyi ${title} aracılığıyla alır.`).waitFor()
    const seen = async (name: string) => {
      assert.match(await page.locator('.head').innerText(), /Sipariş A-1042 · <b>2 kitap<\/b> +ve defter/)
      assert.equal(
        await page.getByRole('link', { name: 'Kitap Rafı sitesine dön' }).filter({ visible: true }).count(),
        1,
      )
      const phone = page.getByRole('link', { name: '+90 (212) 555 00 00' })
      assert.equal(await phone.getAttribute('href'), 'tel:+902125550000')
      await page.getByText('Rıhtım Cad. 1, Kadıköy').waitFor()
      await isSound(page, name)
    }
    await seen('order-pay')
    await page.getByRole('button', { name: 'Transferi yaptım' }).click()
    await screenOn(page, 'claimed')
    await seen('order-claimed')
    await moneyArrives(checkout, deposit.id)
    await screenOn(page, 'completed')
    await seen('order-completed')
    assert.match(await page.locator('.facts').innerText(), /Sipariş\s+A-1042\s+Konu\s+<b>2 kitap/)
  })
  const odd = await newDeposit(shop, { bankCode: 'FAST', metadata: { order: { a: 1 }, description: ['x'] } })
  await visit(odd, async (page) => assert.equal(await page.locator('.order').count(), 0))
})

test('an order or a description that looks like an account is not shown', async () => {
  const shop = await checkout.merchant({ name: 'Kitap' })
  for (const text of ['TR33 once 0006 sonra 1005 sonra 1978 sonra 6457 sonra 8413 sonra 26', 'FAST 0532 123 45 67'])
    await visit(
      await newDeposit(shop, { bankCode: 'FAST', metadata: { order: text, description: text } }),
      async (page) => {
        await screenOn(page, 'pay')
        assert.equal(await page.locator('.order').count(), 0, text)
      },
    )
  const metadata = { order: 'TR33 0006 1005 1978 6457 8413 26', description: 'Yeni hesap: TR33\u31640006\u31641005' }
  await visit(await newDeposit(shop, { bankCode: 'FAST', metadata }), async (page) => {
    await screenOn(page, 'pay')
    assert.doesNotMatch((await page.locator('body').textContent()) ?? '', /TR33|Yeni hesap/)
  })
})

test('TR Karekod: off by default; on an account with a producer code it is shown, and the code is asked for', async () => {
  const shop = await checkout.merchant()
  const wide = { viewport: { width: 1280, height: 900 } }
  const before = await newDeposit(shop, { bankCode: 'FAST' })
  await visit(before, async (page) => assert.equal(await page.locator('.phone img').count(), 1), wide)
  for (const { id } of await listAccounts(app.db)) await setKarekod(app, UNATTRIBUTED, id, '0062')
  const deposit = await newDeposit(shop, { bankCode: 'FAST' })
  await visit(
    deposit,
    async (page) => {
      const { referenceCode } = await depositNow(checkout, deposit.id)
      while ((await page.locator('.phone img').count()) < 2) await page.reload()
      await page.getByText(`Açıklamaya bu kodu siz yazın: ${referenceCode}`).waitFor()
      const drawn = await page.request.get(`/checkout/${deposit.id}/karekod.svg`)
      assert.equal(drawn.headers()['content-type'], 'image/svg+xml')
      await isSound(page, 'karekod')
      await shop.post(`/v1/transactions/${deposit.id}/cancel`, undefined)
      assert.equal((await page.request.get(`/checkout/${deposit.id}/karekod.svg`)).status(), 404)
    },
    wide,
  )
})

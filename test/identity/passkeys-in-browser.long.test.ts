import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { cheap, merchantUser, PASSWORD as MERCHANT_PASSWORD } from '../harness/logins.ts'
import { addPerson, PASSWORD } from '../harness/operator-console.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'

const browser = await openBrowser()

/** Passkeys need a name: localhost is one. */
async function startAtName(mode: 'live' | 'sandbox') {
  const service = await startService({ mode })
  const baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost')
  service.app.setListeningAt(baseUrl)
  return { ...service, baseUrl }
}

/** A page in a browser whose device has an authenticator, and asks no one. */
async function openWithDevice(baseUrl: string, options = {}) {
  const opened = await openPage(browser, baseUrl, options)
  const device = await opened.context.newCDPSession(opened.page)
  await device.send('WebAuthn.enable')
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  const keys = async () => (await device.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length
  return { ...opened, keys }
}

async function givePassword(page: Page, label: string, name: string, password: string) {
  await page.getByLabel(label, { exact: true }).fill(name)
  await page.getByLabel('Parola').fill(password)
  await page.getByRole('button', { name: 'Giriş yap' }).click()
}

test('live: an operator sets up a passkey at the first login, logs in with it, and keeps the last one', async () => {
  const service = await startAtName('live')
  await addPerson(service, 'bora.boz', undefined, 'ayse.yilmaz')
  const { page, problems, keys } = await openWithDevice(service.baseUrl)
  const logIn = async () => {
    await page.goto('/operator/approvals')
    await givePassword(page, 'Ad', 'bora.boz', PASSWORD)
  }
  await logIn()
  await page.getByRole('heading', { name: 'İkinci adımı kurun' }).waitFor()
  await isSound(page, 'operator-set-up')
  await page.getByLabel('Anahtarın adı').fill('Dizüstü')
  await page.getByRole('button', { name: 'Geçiş anahtarı ekle' }).click()
  await page.getByRole('heading', { name: 'Kurtarma kodları' }).waitFor()
  assert.equal(await page.locator('.codes li').count(), 10)
  await page.getByRole('button', { name: 'Kopyala' }).waitFor()
  await isSound(page, 'operator-recovery-codes')
  assert.equal(await keys(), 1)
  await page.getByRole('link', { name: 'Sakladım, devam et' }).click()
  await page.getByRole('link', { name: 'bora.boz' }).click()
  await page.locator('li b', { hasText: 'Dizüstü' }).waitFor()
  await isSound(page, 'operator-own')
  assert.equal(await page.getByRole('button', { name: 'Kaldır' }).count(), 0, 'the last second factor')
  await page.getByRole('button', { name: 'Çıkış' }).click()
  await logIn()
  await page.getByRole('heading', { name: 'İkinci adım' }).waitFor()
  await isSound(page, 'operator-second-step')
  await page.getByRole('button', { name: 'Geçiş anahtarı kullan' }).click()
  await page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  assert.deepEqual(problems, [])
})

test('a merchant’s user adds a passkey, renames it, and proves with it; what was typed is kept', async () => {
  const service = await startAtName('sandbox')
  const shop = await service.merchant({ name: 'Mürekkep Kitabevi' })
  await merchantUser(cheap(service.app), shop.merchantId, 'ece@shop.example')
  const { page, problems, keys } = await openWithDevice(service.baseUrl)
  await page.goto('/merchant')
  await givePassword(page, 'E-posta', 'ece@shop.example', MERCHANT_PASSWORD)
  await page.getByRole('link', { name: 'ece@shop.example' }).click()
  await page.getByRole('button', { name: 'Geçiş anahtarı ekle' }).click()
  await page.getByLabel('Anahtarın adı').fill('Telefon')
  await isSound(page, 'merchant-passkey')
  await page.getByRole('button', { name: 'Geçiş anahtarı ekle' }).click()
  await page.getByRole('heading', { name: 'Kurtarma kodları' }).waitFor()
  await isSound(page, 'merchant-codes')
  await page.getByRole('link', { name: 'Girişinize dön' }).click()
  await page.getByLabel('Telefon için yeni ad').fill('Yeni telefon')
  await page.getByRole('button', { name: 'Adını değiştir' }).click()
  await page.locator('li b', { hasText: 'Yeni telefon' }).waitFor()
  await isSound(page, 'merchant-own-passkey')
  await page.getByRole('button', { name: 'Geçiş anahtarı ekle' }).click()
  await page.getByLabel('Anahtarın adı').fill('Aynı cihaz')
  await page.getByRole('button', { name: 'Geçiş anahtarı ekle' }).click()
  await page.getByText('Geçiş anahtarı kullanılamadı').waitFor()
  assert.equal(await keys(), 1, 'a device has one passkey of a login')
  await page.goto('/merchant/links')
  await page.getByLabel('Tutar').fill('840,00')
  await page.getByLabel('Müşteri', { exact: true }).fill('Veli "Aslan"')
  await travelTo(service.app, 11 * 60)
  await page.getByRole('button', { name: 'Link oluştur' }).click()
  await page.getByRole('heading', { name: 'Parolanızı yeniden girin' }).waitFor()
  await isSound(page, 'merchant-prove')
  await page.getByRole('button', { name: 'Geçiş anahtarı kullan' }).click()
  await page.getByRole('heading', { name: /Ödeme linki 840,00 TL/ }).waitFor()
  await page.getByText('Veli "Aslan"').first().waitFor()
  assert.deepEqual(problems, [])
})

test('without JavaScript the page says so, and a recovery code opens the console', async () => {
  const service = await startAtName('sandbox')
  await addPerson(service, 'cem.can')
  const first = await openWithDevice(service.baseUrl)
  await first.page.goto('/operator')
  await givePassword(first.page, 'Ad', 'cem.can', PASSWORD)
  await first.page.getByRole('link', { name: 'cem.can' }).click()
  await first.page.getByRole('button', { name: 'Geçiş anahtarı ekle' }).click()
  await first.page.getByLabel('Anahtarın adı').fill('Telefon')
  await first.page.getByRole('button', { name: 'Geçiş anahtarı ekle' }).click()
  await first.page.getByRole('heading', { name: 'Kurtarma kodları' }).waitFor()
  const codes = await first.page.locator('.codes li').allTextContents()
  const { page } = await openPage(browser, service.baseUrl, { javaScriptEnabled: false })
  await page.goto('/operator/login?lang=en')
  await page.getByLabel('Name').fill('cem.can')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Passkeys need JavaScript.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Use a passkey' }).count(), 0)
  await page.getByLabel('Code').fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
  await page.goto('/operator/own')
  await page.getByText('Codes left: 9').waitFor()
})

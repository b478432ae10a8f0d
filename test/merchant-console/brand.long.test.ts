import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { cheap, merchantUser, PASSWORD } from '../harness/logins.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app, baseUrl } = service
const browser = await openBrowser()

test('save stores what is typed, with a preview before and without, with and without JavaScript', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { merchantId } = await service.merchant({ name: 'Eski Ad' })
    const email = `owner-${javaScriptEnabled}@mine.example`
    await merchantUser(cheap(app), merchantId, email)
    const { page } = await openPage(browser, baseUrl, { javaScriptEnabled })
    await page.goto('/merchant/brand')
    await page.getByLabel('E-posta').fill(email)
    await page.getByLabel('Parola').fill(PASSWORD)
    await page.getByRole('button', { name: 'Giriş yap' }).click()
    await page.getByRole('heading', { name: 'Özet', level: 1 }).waitFor()
    const saved = async () => {
      const { displayName, accent } = (await findMerchant(app, merchantId)).brand
      return [displayName, accent]
    }
    const type = async (name: string, accent: string, button: string) => {
      await page.getByLabel('Görünen ad').fill(name)
      await page.getByLabel('Renk').fill(accent)
      await page.getByRole('button', { name: button, exact: true }).first().click()
    }
    await page.goto('/merchant/brand')
    await type('Yeni Ad', '#b4232a', 'Kaydet')
    await page.getByText('Marka kaydedildi').waitFor()
    assert.deepEqual(await saved(), ['Yeni Ad', '#b4232a'])
    await type('Önizlenen Ad', '#102030', 'Önizle')
    await page.getByText('henüz kaydedilmedi').waitFor()
    assert.doesNotMatch(page.url(), /csrf/)
    assert.deepEqual(await saved(), ['Yeni Ad', '#b4232a'])
    await type('Son Ad', '#102030', 'Kaydet')
    await page.getByText('Marka kaydedildi').waitFor()
    assert.deepEqual(await saved(), ['Son Ad', '#102030'])
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { freezeMerchant, setSettlementSchedule } from '../../packages/server/src/domain/merchants/index.ts'
import { lastSettlements } from '../../packages/server/src/domain/withdrawals/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { cheap, merchantUser, PASSWORD as MERCHANT_PASSWORD } from '../harness/logins.ts'
import { addPerson, PASSWORD } from '../harness/operator-console.ts'
import { startWithBank } from '../harness/payouts.ts'
import { registerAccount } from '../harness/settlements.ts'

// Settlements in both consoles, in a browser.
const browser = await openBrowser()
const service = await startWithBank()
const { app, baseUrl } = service
await addPerson(service, 'ayse.yilmaz')
await addPerson(service, 'mehmet.kaya', undefined, 'ayse.yilmaz')
const { merchantId } = await service.merchantWithMoney(1_245_000n, { name: 'Mürekkep Kitabevi' })
for (const role of ['finance', 'support']) await merchantUser(cheap(app), merchantId, `${role}@murekkep.example`, role)

async function enter(name: string, options = {}) {
  const opened = await openPage(browser, baseUrl, options)
  const isStaff = !name.includes('@')
  await opened.page.goto(isStaff ? '/operator' : '/merchant')
  await opened.page.getByLabel(isStaff ? 'Ad' : 'E-posta', { exact: true }).fill(name)
  await opened.page.getByLabel('Parola').fill(isStaff ? PASSWORD : MERCHANT_PASSWORD)
  await opened.page.getByRole('button', { name: 'Giriş yap' }).click()
  await opened.page.getByRole('heading', { level: 1 }).waitFor()
  return opened
}

const card = (page: Page) => page.locator('section[aria-labelledby=settlement]')

test('the staff schedules and sends a settlement, without JavaScript; a merchant asks for the next one', async () => {
  const { page, problems } = await enter('ayse.yilmaz', { javaScriptEnabled: false })
  const open = () => page.goto(`/operator/merchants/${merchantId}`)
  await open()
  await card(page).getByText('Kayıtlı hesap yok').waitFor()
  await registerAccount(app, ['ayse.yilmaz', 'mehmet.kaya'], merchantId)
  await open()
  await card(page).getByText('Otomatik gönderimi değiştir').click()
  await card(page).getByLabel('Sıklık').selectOption('week')
  await card(page).getByLabel('Gün (her hafta ise)').selectOption('5')
  await card(page).getByLabel('Saat (İstanbul)').fill('10:30')
  await card(page).getByLabel('En az tutar (TL)').fill('350')
  await card(page).getByRole('button', { name: 'Kaydet' }).click()
  await page.getByText('Otomatik gönderim kaydedildi').waitFor()
  await card(page).getByText('her cuma, saat 10:30, en az 350,00 TL varsa').waitFor()
  await card(page).getByRole('button', { name: 'Şimdi gönder' }).click()
  await page.getByText('Hakediş çekim olarak oluşturuldu').waitFor()
  await card(page).getByRole('link', { name: '12.450,00 TL' }).click()
  await page.getByRole('heading', { name: /Çekim 12\.450,00 TL/ }).waitFor()
  await service.work()
  await service.fund(merchantId, 375_050n)
  const merchant = await enter('finance@murekkep.example', { javaScriptEnabled: false })
  await merchant.page.goto('/merchant/balance')
  await card(merchant.page).getByText('3.750,50 TL şu hesaba gider').waitFor()
  await card(merchant.page).getByRole('button', { name: 'Şimdi gönder' }).click()
  await merchant.page.getByText('Hakediş çekim olarak oluşturuldu').waitFor()
  assert.equal((await lastSettlements(app.db, merchantId, 9)).length, 2)
  assert.deepEqual([...problems, ...merchant.problems], [])
})

test('every state of the card and of the balance is sound on a desk and on a phone, in both themes and languages', async () => {
  const { merchantId: none } = await service.merchant({ name: 'Hesapsız Kitabevi' })
  await merchantUser(cheap(app), none, 'owner@none.example')
  await service.fund(merchantId, 9_876_543n)
  const [staff, finance, support] = [
    await enter('ayse.yilmaz'),
    await enter('finance@murekkep.example'),
    await enter('support@murekkep.example'),
  ]
  await staff.page.goto(`/operator/merchants/${none}`)
  await isSound(staff.page, 'settlement-operator-none')
  await staff.page.goto(`/operator/merchants/${merchantId}`)
  await card(staff.page).getByText('Otomatik gönderimi değiştir').click()
  await isSound(staff.page, 'settlement-operator')
  await finance.page.goto('/merchant/balance')
  await isSound(finance.page, 'settlement-merchant')
  await finance.page.goto('/merchant/balance?lang=en')
  await isSound(finance.page, 'settlement-merchant-en')
  await support.page.goto('/merchant/balance')
  await isSound(support.page, 'settlement-merchant-support')
  const owner = await enter('owner@none.example')
  await owner.page.goto('/merchant/balance')
  await isSound(owner.page, 'settlement-merchant-none')
  // Set in the past, so that it is due and waits for the freeze to end.
  const yesterday = { ...app, clock: { ...app.clock, now: () => new Date(app.clock.now().getTime() - 2 * 86_400_000) } }
  await setSettlementSchedule(yesterday, UNATTRIBUTED, merchantId, {
    ...{ every: 'day', weekday: null, minute: 0, minimum: 1n },
  })
  await freezeMerchant(app, UNATTRIBUTED, merchantId, 'a test of it')
  await staff.page.goto(`/operator/merchants/${merchantId}?lang=en`)
  await card(staff.page).getByText('is due and waits to be sent').waitFor()
  await card(staff.page).getByText('Nothing is settled while the merchant is frozen.').waitFor()
  await isSound(staff.page, 'settlement-operator-frozen-en')
  assert.deepEqual([...staff.problems, ...finance.problems, ...support.problems, ...owner.problems], [])
})

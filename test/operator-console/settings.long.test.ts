import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { addConnection } from '../../packages/server/src/domain/connections/index.ts'
import {
  changeNetworks,
  findCallers,
  merchantInForce,
  listMerchants,
  showMerchant,
} from '../../packages/server/src/domain/merchants/index.ts'
import { findAccount, listAccounts } from '../../packages/server/src/domain/banks/index.ts'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { hiddenIn, visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'

// Two people change settings in the console only.
const service = await startService()
const { app, baseUrl } = service
const browser = await openBrowser()
await addPerson(service, 'ayse.yilmaz')
await addPerson(service, 'mehmet.kaya', undefined, 'ayse.yilmaz')
const { merchantId } = await service.merchant({
  name: 'Mürekkep Kitabevi',
  allowedNetworks: ['203.0.113.0/24'],
  funds: 1_000_000n,
})
await addConnection(app, operatorActor('ayse.yilmaz'), 'manual-desk', { kind: 'manual' })

async function enter(name: string, options = {}) {
  const opened = await openPage(browser, baseUrl, options)
  await opened.page.goto('/operator')
  await opened.page.getByLabel('Ad', { exact: true }).fill(name)
  await opened.page.getByLabel('Parola').fill(PASSWORD)
  await opened.page.getByRole('button', { name: 'Giriş yap' }).click()
  await opened.page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  return opened
}

const networks = async () => (await showMerchant(app, merchantId)).networks
const card = (page: Page, title: string) => page.locator('.card', { has: page.getByRole('heading', { name: title }) })
const request = (page: Page, title: string) => page.locator('article.card', { hasText: title })

async function openMerchant(page: Page): Promise<void> {
  await page.goto('/operator/merchants')
  await page.locator(`a[href$="/merchants/${merchantId}"]`).click()
  await page.getByRole('heading', { name: 'Mürekkep Kitabevi', level: 1 }).waitFor()
}

test('one proposes another IP list, sees that it waits, and cannot approve it; the other sees before and after, and approves', async () => {
  const [ayse, mehmet] = [await enter('ayse.yilmaz'), await enter('mehmet.kaya')]
  await ayse.page.goto('/operator/merchants')
  await isSound(ayse.page, 'operator-merchants')
  await openMerchant(ayse.page)
  const list = card(ayse.page, 'IP izin listesi')
  await list.getByText('Listeyi değiştir').click()
  await list.getByLabel('Ekle').fill('198.51.100.7')
  await list.getByLabel('203.0.113.0/24').check()
  await list.getByLabel('Neden').fill('sunucu taşındı, bilet 1412')
  await list.getByRole('button', { name: 'Öner' }).click()
  await ayse.page.getByText('Öneri kaydedildi').waitFor()
  assert.deepEqual(await networks(), ['203.0.113.0/24'])
  await isSound(ayse.page, 'operator-merchant')
  assert.equal(await request(ayse.page, 'IP izin listesi').getByRole('button', { name: 'Onayla' }).count(), 0)
  await mehmet.page.goto('/operator')
  await mehmet.page.getByRole('link', { name: /^Öneri/ }).click()
  const waiting = request(mehmet.page, 'IP izin listesi')
  assert.match(
    (await waiting.textContent()) ?? '',
    /203\.0\.113\.0\/24.*198\.51\.100\.7.*ayse\.yilmaz:\s+sunucu taşındı/s,
  )
  await isSound(mehmet.page, 'operator-changes')
  await waiting.getByRole('button', { name: 'Onayla' }).click()
  await mehmet.page.getByText('Onaylandı ve yürürlükte').waitFor()
  assert.deepEqual(await networks(), ['198.51.100.7'])
  assert.deepEqual([...ayse.problems, ...mehmet.problems], [])
})

test('what has changed since it was shown is not approved: the page says so, and offers only to reject', async () => {
  const terms = { merchantId, add: ['198.51.100.8'] }
  await makeProposal(app, operatorActor('ayse.yilmaz'), 'merchant.networks', terms, { reason: 'second server' })
  const { page, problems } = await enter('mehmet.kaya')
  await page.goto('/operator/approvals')
  const waiting = request(page, 'IP izin listesi')
  await changeNetworks(app, UNATTRIBUTED, merchantId, { add: ['192.0.2.1'] })
  await waiting.getByRole('button', { name: 'Onayla' }).click()
  await page.getByText('siz gördükten sonra değişti').waitFor()
  assert.equal((await networks()).includes('198.51.100.8'), false)
  assert.equal(await waiting.getByRole('button', { name: 'Onayla' }).count(), 0)
  await waiting.getByText('reddedip yeniden önerin').waitFor()
  await waiting.getByLabel('Neden').fill('artık geçerli değil')
  await waiting.getByRole('button', { name: 'Reddet' }).click()
  await page.getByText('Öneri kapandı').waitFor()
  assert.deepEqual(
    problems.filter((one) => !/409/.test(one)),
    [],
  )
})

test('stricter rules are in force at once, looser ones wait; fees from a moment on; a freeze with its effect', async () => {
  const { page } = await enter('ayse.yilmaz', { javaScriptEnabled: false })
  await openMerchant(page)
  const rules = card(page, 'Limitler ve onay kuralları')
  const save = async (amount: string) => {
    await rules.getByText('Kuralları değiştir').click()
    await rules.getByLabel('İki onay bu tutardan itibaren').fill(amount)
    await rules.getByLabel('Neden').first().fill('sözleşme 2026/44')
    await rules.getByRole('button', { name: 'Kaydet' }).first().click()
  }
  await save('5.000,00')
  await page.getByText('Kaydedildi.').waitFor()
  assert.equal((await merchantInForce(app, merchantId)).payoutRules.approvalThreshold, 500_000n)
  await save('7500')
  await page.getByText('Öneri kaydedildi').waitFor()
  assert.equal((await merchantInForce(app, merchantId)).payoutRules.approvalThreshold, 500_000n)
  const fees = card(page, 'Komisyonlar')
  await fees.getByText('Komisyonu değiştir').click()
  await fees.getByLabel('Oran (%)').first().fill('1,75')
  await fees.getByLabel('Geçerlilik').fill('2036-12-01T00:00')
  await fees.getByLabel('Neden').fill('sözleşme 2026/44')
  await fees.getByRole('button', { name: 'Öner' }).click()
  await page.getByText('Öneri kaydedildi').waitFor()
  assert.match((await request(page, 'Komisyon ·').textContent()) ?? '', /%0,00.*%1,75.*01\.12\.2036 00:00/s)
  const freeze = card(page, 'Dondurma')
  await freeze.getByText(/yeni yatırım ve çekim kabul edilmez/).waitFor()
  await freeze.getByLabel('Neden').fill('şüpheli işlemler')
  await freeze.getByRole('button', { name: 'Dondur' }).click()
  await page.getByText('Kaydedildi.').waitFor()
  assert.equal((await merchantInForce(app, merchantId)).frozen, true)
  await card(page, 'Dondurma').getByLabel('Neden').fill('belgeler tamam')
  await card(page, 'Dondurma').getByRole('button', { name: 'kaldırmayı öner' }).click()
  await page.getByText('Öneri kaydedildi').waitFor()
  assert.equal((await merchantInForce(app, merchantId)).frozen, true)
})

test('a merchant is created, and its secrets are shown once; a form that is sent again creates nothing', async () => {
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  const before = await listMerchants(app.db)
  const csrf = await person.csrf('/merchants')
  const form = {
    csrf,
    seen: String(before.length),
    name: 'Kahve Durağı',
    depositBps: '1,50',
    withdrawBps: '',
    networks: '203.0.113.9',
  }
  const { status, text } = await person.request('/merchants/create', form)
  assert.equal(status, 200)
  const [, apiKey = ''] = /(vk_[0-9a-f]{32})/.exec(text) ?? assert.fail(text)
  const [, apiSecret = ''] = /(vs_[0-9a-f]{64})/.exec(text) ?? assert.fail(text)
  const [caller] = await findCallers(app, [apiKey])
  assert.deepEqual([caller?.secrets[0]?.secret, caller?.merchant.fees[0]?.deposit.bps], [apiSecret, 150])
  assert.equal((await person.request('/merchants/create', form)).status, 409)
  assert.equal((await listMerchants(app.db)).length, before.length + 1)
  const id = caller?.merchant.id ?? ''
  const page = (await person.request(`/merchants/${id}`)).text
  assert.doesNotMatch(page, /vs_[0-9a-f]{64}/)
  const shown = hiddenIn(page, `/operator/merchants/${id}/rotate-key`)
  const rotate = { ...Object.fromEntries(shown), csrf, hours: '48' }
  const rotated = await person.request(`/merchants/${id}/rotate-key`, rotate)
  assert.match(rotated.text, /vs_[0-9a-f]{64}/)
  assert.match(visibleText(rotated.text), /Eski sırrın geçerlilik sonu \d\d\.\d\d\.\d{4} \d\d:\d\d/, 'Istanbul time')
  assert.equal((await findCallers(app, [apiKey]))[0]?.secrets.length, 2, 'the old one overlaps')
  assert.equal((await person.request(`/merchants/${id}/rotate-key`, rotate)).status, 409, 'sent again')
  assert.equal((await findCallers(app, [apiKey]))[0]?.secrets.length, 2)
  const foreign = await person.request(`/merchants/${id}/disable-user`, { csrf, login: 'f'.repeat(24) })
  assert.equal(foreign.status, 404)
})

test('banks: a first limit of an account at once and a higher one by two people, a connection tested and switched off with a reason', async () => {
  const [ayse, mehmet] = [await enter('ayse.yilmaz'), await enter('mehmet.kaya')]
  const [account] = await listAccounts(app.db)
  const id = account?.id ?? assert.fail('no account')
  await ayse.page.goto('/operator/banks')
  await isSound(ayse.page, 'operator-banks')
  const limit = async () => (await findAccount(app, id)).dailyAmountLimit
  const ask = async (amount: string) => {
    await ayse.page.goto(`/operator/banks?account=${id}`)
    const limits = ayse.page.locator('form[action$="/banks/accounts/limits"]')
    await limits.getByLabel('Günlük tutar').fill(amount)
    await limits.getByLabel('Neden').fill('bankanın sınırı')
    await limits.getByRole('button', { name: 'Öner' }).click()
  }
  assert.equal(await limit(), null)
  await ask('40.000,00')
  await ayse.page.getByText('Kaydedildi.', { exact: true }).waitFor()
  assert.equal(await limit(), 4_000_000n)
  await ask('50.000,00')
  await ayse.page.getByText('Öneri kaydedildi').waitFor()
  assert.equal(await limit(), 4_000_000n)
  await mehmet.page.goto('/operator/approvals')
  await request(mehmet.page, 'Hesabın günlük limitleri').getByRole('button', { name: 'Onayla' }).click()
  await mehmet.page.getByText('Onaylandı ve yürürlükte').waitFor()
  assert.equal(await limit(), 5_000_000n)
  await ayse.page.goto('/operator/banks')
  const row = ayse.page.getByRole('row', { name: /manual-desk/ })
  await row.getByRole('button', { name: 'Test et' }).click()
  await ayse.page.getByText('Bütün kurallara uyuyor').waitFor()
  await isSound(ayse.page, 'operator-connection-test')
  await ayse.page.getByRole('link', { name: 'Bankalara dön' }).click()
  await row.getByPlaceholder('Neden').fill('banka bakımda')
  await row.getByRole('button', { name: 'Kapat' }).click()
  await ayse.page.getByText('Bağlantının durumu değişti').waitFor()
  await row.getByRole('button', { name: 'Aç' }).click()
  await ayse.page.getByText('Bağlantının durumu değişti').waitFor()
  assert.deepEqual([...ayse.problems, ...mehmet.problems], [])
})

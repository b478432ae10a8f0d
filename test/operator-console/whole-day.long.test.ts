import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { dispatchWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { mustFind } from '../harness/history.ts'
import { giveLogin, PASSWORD } from '../harness/operator-console.ts'
import { openJournal } from '../harness/journal.ts'
import { ingest, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'
import { isSound } from '../e2e/is-sound.ts'
import { travelTo } from '../harness/until.ts'

// Two people of the staff work in the console only.
const service = await startWithBank()
const { app, baseUrl } = service
const browser = await openBrowser()
const shop = await service.merchantWithMoney(9_000_000n, { name: 'Mürekkep Kitabevi' })
// Adds the same two people.
const journal = await openJournal(app)
for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await giveLogin(service, name)

async function enter(name: string) {
  const opened = await openPage(browser, baseUrl)
  await opened.page.goto('/operator')
  await opened.page.getByLabel('Ad', { exact: true }).fill(name)
  await opened.page.getByLabel('Parola').fill(PASSWORD)
  await opened.page.getByRole('button', { name: 'Giriş yap' }).click()
  await opened.page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  return opened
}

const withdraw = async (body = {}) =>
  accepted(await shop.post('/v1/withdraw', withdrawBody(body)), 201).transactionId as string
const cardOf = (page: Page, id: string) => page.locator(`[data-item="${id}"]`)

test('two people approve a withdrawal above the threshold; the first sees that another must', async () => {
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 500_000n })
  const id = await withdraw({ amount: 750_000 })
  await dispatchWithdrawals(app)
  const [ayse, mehmet] = [await enter('ayse.yilmaz'), await enter('mehmet.kaya')]
  await isSound(ayse.page, 'operator-home')
  for (const { page } of [ayse, mehmet]) {
    await page.getByRole('link', { name: /^Onaylar/ }).click()
    await cardOf(page, id).waitFor()
  }
  await isSound(ayse.page, 'operator-approvals')
  await cardOf(ayse.page, id).getByRole('button', { name: 'Onayla' }).click()
  await ayse.page.getByText('Başka biri de onaylamalı').first().waitFor()
  assert.equal(await cardOf(ayse.page, id).getByRole('button', { name: 'Onayla' }).count(), 0)
  await cardOf(mehmet.page, id).getByRole('button', { name: 'Onayla' }).click()
  await mehmet.page.getByText('çekim gönderilecek').waitFor()
  assert.equal((await mustFind(app, id)).state, 'queued')
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: null })
  assert.deepEqual([...ayse.problems, ...mehmet.problems], [])
})

test('a journal entry: who proposed it cannot approve it; another person posts it', async () => {
  const line = await journal.arrives('debit', 1_250n, { narrative: 'EFT UCRETI' })
  const { id } = await journal.propose('bank_charge', { lineIds: [line] })
  const [ayse, mehmet] = [await enter('ayse.yilmaz'), await enter('mehmet.kaya')]
  for (const { page } of [ayse, mehmet]) await page.getByRole('link', { name: /^Onaylar/ }).click()
  await cardOf(ayse.page, id).getByText('başka biri onaylamalı').waitFor()
  await isSound(mehmet.page, 'operator-journal')
  await cardOf(mehmet.page, id).getByRole('button', { name: 'Onayla' }).click()
  await mehmet.page.getByText('Onaylandı').waitFor()
  assert.equal((await journal.stateOf(line))[0], 'matched')
  assert.deepEqual([...ayse.problems, ...mehmet.problems], [])
})

test('a customer’s payment is found by name, code, amount and end of an IBAN, and read as one timeline', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 84_000n)
  if (!deposit) return assert.fail('no deposit')
  await ingest(app, [await lineFor(app, deposit)])
  await matchAll(app)
  const { page, problems } = await enter('ayse.yilmaz')
  const search = async (text: string) => {
    await page.keyboard.press('/')
    await page.locator('#find').fill(text)
    await page.keyboard.press('Enter')
  }
  for (const text of ['ayse yilmaz', '840', '840,00']) {
    await search(text)
    await page.getByRole('link', { name: deposit.id }).waitFor()
  }
  await isSound(page, 'operator-search')
  await search(deposit.referenceCode)
  await page.getByRole('heading', { name: /Yatırım 840,00 TL/ }).waitFor()
  for (const text of ['Oluşturuldu', 'Banka satırı 840,00 TL', 'Durum: bekliyor → tamamlandı', 'Defter kaydı'])
    await page.getByText(text).first().waitFor()
  await isSound(page, 'operator-transaction')
  assert.equal(await page.getByText(deposit.customer.name).count(), 0)
  await page.getByText('Kişisel verileri göster').click()
  await isSound(page, 'operator-reveal')
  await page.getByLabel('Neden').selectOption('Müşterinin sorusu')
  await page.getByLabel('Açıklama').fill('talep 20417')
  await page.getByRole('button', { name: 'Göster ve kaydet' }).click()
  await page.getByText(deposit.customer.name).first().waitFor()
  await isSound(page, 'operator-revealed')
  await page.getByRole('link', { name: 'İşlemler' }).click()
  await page.getByRole('link', { name: deposit.id }).waitFor()
  await isSound(page, 'operator-transactions')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: /Yatırım/ }).waitFor()
  assert.deepEqual(problems, [])
})

test('a payout with an unknown outcome ends when two people find the same; neither sees the other’s finding before', async () => {
  await service.call('PUT', 'faults', { kinds: ['error_before', 'find_error'], delayMs: 5 })
  const id = await withdraw({ amount: 33_000 })
  await service.work()
  const early = await enter('ayse.yilmaz')
  await early.page.goto('/operator/payouts')
  await cardOf(early.page, id).getByText('gününden itibaren bildirilebilir').waitFor()
  assert.equal(await cardOf(early.page, id).getByRole('button', { name: 'Bulunamadı' }).count(), 0)
  await isSound(early.page, 'operator-payouts-early')
  await travelTo(app, 7 * 86_400)
  await service.work()
  const [ayse, mehmet] = [await enter('ayse.yilmaz'), await enter('mehmet.kaya')]
  for (const { page } of [ayse, mehmet]) await page.getByRole('link', { name: /^Belirsiz/ }).click()
  await cardOf(ayse.page, id).waitFor()
  await isSound(ayse.page, 'operator-payouts')
  const say = async (page: Page) => {
    const card = cardOf(page, id)
    await card.getByLabel('Kanıt (en az 5 harf)').fill('ekstrede yok, bankaya soruldu')
    // The bank never responded.
    await card.getByRole('checkbox').check()
    await card.getByRole('button', { name: 'Bulunamadı' }).click()
  }
  await say(ayse.page)
  await ayse.page.getByText('ikinci kişi bekleniyor').first().waitFor()
  await mehmet.page.reload()
  assert.doesNotMatch((await cardOf(mehmet.page, id).textContent()) ?? '', /ekstrede yok/)
  await say(mehmet.page)
  await mehmet.page.getByText('Para satıcıya geri döndü').waitFor()
  assert.equal((await mustFind(app, id)).state, 'failed')
  await service.call('DELETE', 'faults')
  await travelTo(app, 0)
  assert.deepEqual([...ayse.problems, ...mehmet.problems], [])
})

test('two people differ about an unknown payout: both are told, one corrects the reference, the other confirms', async () => {
  await service.call('PUT', 'faults', { kinds: ['error_before', 'find_error'], delayMs: 5 })
  const id = await withdraw({ amount: 34_000 })
  await service.work()
  const [ayse, mehmet] = [await enter('ayse.yilmaz'), await enter('mehmet.kaya')]
  const found = async (page: Page, reference: string) => {
    await cardOf(page, id).getByLabel('Bankanın referansı').fill(reference)
    await cardOf(page, id).getByRole('button', { name: 'Bulundu' }).click()
  }
  for (const { page } of [ayse, mehmet]) await page.goto('/operator/payouts')
  await found(ayse.page, '1234567890')
  await ayse.page.getByText('ikinci kişi bekleniyor').first().waitFor()
  await found(mehmet.page, '1234567809')
  await ayse.page.reload()
  for (const { page } of [ayse, mehmet]) await cardOf(page, id).getByText('Üçüncü bir kişi').waitFor()
  await isSound(mehmet.page, 'operator-payouts-differ')
  await mehmet.page.goto('/operator/system')
  await mehmet.page.getByRole('link', { name: '1 tanesi karar bekliyor' }).waitFor()
  await mehmet.page.goto('/operator/payouts')
  await cardOf(mehmet.page, id).getByText('Görüşümü değiştir veya geri al').click()
  await isSound(mehmet.page, 'operator-payouts-change')
  await found(mehmet.page, '1234567890')
  // Mehmet had seen what Ayşe found, and no third person is there.
  await mehmet.page.getByText('bir kez daha bildirir').first().waitFor()
  await ayse.page.reload()
  await cardOf(ayse.page, id).getByText('Görüşümü değiştir veya geri al').click()
  await found(ayse.page, '1234567890')
  await ayse.page.getByText('Çekim tamamlandı').waitFor()
  await service.call('DELETE', 'faults')
  assert.deepEqual([...ayse.problems, ...mehmet.problems], [])
})

test('ten minutes later a decision asks for the password again, and goes on with what was typed', async () => {
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 500_000n })
  const id = await withdraw({ amount: 600_000 })
  await dispatchWithdrawals(app)
  const { page } = await enter('ayse.yilmaz')
  await travelTo(app, 11 * 60)
  await page.goto('/operator/approvals')
  await cardOf(page, id).getByLabel('Neden (en az 5 harf)').fill('müşteri “vazgeçti”')
  await cardOf(page, id).getByRole('button', { name: 'Reddet' }).click()
  await page.getByRole('heading', { name: 'Parolanızı yeniden girin' }).waitFor()
  await isSound(page, 'operator-prove')
  await page.getByLabel('Parola').fill(PASSWORD)
  await page.getByRole('button', { name: 'Onayla' }).click()
  await page.getByText('para satıcıya geri döndü').waitFor()
  await page.goto(`/operator/transactions/${id}`)
  await page.getByText('müşteri “vazgeçti”').first().waitFor()
  await travelTo(app, 0)
})

test('without JavaScript every page can be read and every form sent; English by a link', async () => {
  const script = await openPage(browser, baseUrl)
  await script.page.goto('/operator/login')
  await isSound(script.page, 'operator-login')
  const { page } = await openPage(browser, baseUrl, { javaScriptEnabled: false })
  await page.goto('/operator/login')
  await page.getByRole('link', { name: 'English' }).click()
  await page.getByLabel('Name').fill('ayse.yilmaz')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Transactions' }).click()
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('heading', { name: 'Transactions' }).waitFor()
  await page.getByRole('link', { name: 'Accounts' }).click()
  await page.getByRole('button', { name: 'Pause' }).first().click()
  await page.getByText('The state of the account has changed').waitFor()
})

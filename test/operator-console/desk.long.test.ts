import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findDepositById } from '../../packages/server/src/domain/deposits/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { openJournal } from '../harness/journal.ts'
import { giveLogin, PASSWORD } from '../harness/operator-console.ts'
import { someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

// What the desk says before a person decides: a proposal that waits, another person's money, a second payment.
const service = await startService()
const { app, baseUrl } = service
const browser = await openBrowser()
const shop = await service.merchant({ name: 'Mürekkep Kitabevi' })
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

const accountOf = async (id: string | null) => (await app.banks.account(id ?? ''))?.iban ?? ''
const waits = (page: Page, line: string) => page.locator(`[data-item="${line}"]`)

test('a line with a proposal is marked in the list and offers only that; its author takes it back', async () => {
  const line = await journal.arrives('debit', 1_850n, { senderName: '', narrative: 'HESAP ISLETIM UCRETI' })
  const { id } = await journal.propose('bank_charge', { lineIds: [line] })
  const [ayse, mehmet] = [await enter('ayse.yilmaz'), await enter('mehmet.kaya')]
  await mehmet.page.goto(`/operator/matching/${line}`)
  await waits(mehmet.page, line).getByText('öneri bekliyor').waitFor()
  await mehmet.page.getByRole('heading', { name: 'Bekleyen öneri' }).waitFor()
  assert.equal(await mehmet.page.getByRole('heading', { name: 'Satır için kararlar' }).count(), 0)
  await isSound(mehmet.page, 'operator-matching-waiting')
  await mehmet.page.goto('/operator/approvals')
  assert.equal(await mehmet.page.getByRole('button', { name: 'Geri al' }).count(), 0)
  await ayse.page.goto('/operator/approvals')
  const card = ayse.page.locator(`[data-item="${id}"]`)
  await card.getByLabel('Neden').fill('yanlış satır')
  await card.getByRole('button', { name: 'Geri al' }).click()
  await ayse.page.getByText('hiçbir şey değişmedi').waitFor()
  await mehmet.page.goto(`/operator/matching/${line}`)
  await mehmet.page.getByRole('heading', { name: 'Satır için kararlar' }).waitFor()
  assert.deepEqual([...ayse.problems, ...mehmet.problems], [])
  await journal.post('bank_charge', { lineIds: [line] })
})

test('money of a third party is matched with a reason only', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 47_100n)
  if (!deposit) return assert.fail('no deposit')
  const accountIban = await accountOf(deposit.collectingAccountId)
  const line = await journal.arrives('credit', 47_100n, { senderName: 'HASAN KAYA', narrative: 'kitap', accountIban })
  const { page, problems } = await enter('ayse.yilmaz')
  await page.goto(`/operator/matching/${line}`)
  await page.getByText('Gönderen müşteri değil').first().waitFor()
  await isSound(page, 'operator-matching-third-party')
  const card = page.locator('.candidate').first()
  await card.getByLabel('Neden').fill('müşterinin eşi, dekont geldi')
  await card.getByRole('button', { name: 'Eşleştir', exact: true }).click()
  await page.getByText('Eşleşti: yatırım tamamlandı').waitFor()
  assert.equal((await findDepositById(app.db, deposit.id))?.status, 'completed')
  assert.deepEqual(problems, [])
})

test('a second payment names its deposit, and the preview of its refund who gets the money', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 52_300n)
  if (!deposit) return assert.fail('no deposit')
  const senderIban = makeIban('0046', '12345678')
  const accountIban = await accountOf(deposit.collectingAccountId)
  const written = { narrative: deposit.referenceCode, senderName: 'AYSE YILMAZ', senderIban, accountIban }
  await journal.arrives('credit', 52_300n, written)
  const line = await journal.arrives('credit', 52_300n, written)
  const { page, problems } = await enter('ayse.yilmaz')
  await page.goto(`/operator/matching/${line}`)
  await page.getByText('Kodun yatırımı', { exact: true }).waitFor()
  await page.getByRole('link', { name: deposit.processId }).first().waitFor()
  await page.getByText('başka para almaz').waitFor()
  await page.locator('.candidate').first().getByRole('link', { name: 'Öneri hazırla' }).click()
  await page.getByText('Parayı alacak').waitFor()
  await page.getByText('İade edilecek para (bizde)').first().waitFor()
  assert.equal(await page.getByText('Satıcının bakiyesi').count(), 0)
  await isSound(page, 'operator-matching-refund')
  await page.getByLabel('IBAN').fill(makeIban('0062', '87654321'))
  await page.getByRole('button', { name: 'Önizle' }).click()
  await page.getByText('satırdaki hesap değil').waitFor()
  assert.match(await page.locator('main').innerText(), /Parayı alacak:\s+A••• Y••• · TR/, 'not the name of the sender')
  assert.deepEqual(problems, [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dismissLine } from '../harness/line-proposals.ts'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { AYSE, MEHMET, openJournal } from '../harness/journal.ts'
import { giveLogin, PASSWORD } from '../harness/operator-console.ts'
import { someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const browser = await openBrowser()
const service = await startService()
const { app, baseUrl } = service
const journal = await openJournal(app)
const shop = await service.merchant({ name: 'Mürekkep Kitabevi' })
for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await giveLogin(service, name)

async function enter(name: string, options = {}) {
  const opened = await openPage(browser, baseUrl, options)
  await opened.page.goto('/operator')
  await opened.page.getByLabel('Ad', { exact: true }).fill(name)
  await opened.page.getByLabel('Parola').fill(PASSWORD)
  await opened.page.getByRole('button', { name: 'Giriş yap' }).click()
  await opened.page.getByRole('heading', { level: 1 }).waitFor()
  return opened
}

test('journal entries: from the books to the list, to what is left of a split, and to the form of its refund', async () => {
  const [one, two] = await someDeposits(app, shop.merchantId, 2)
  if (!one || !two) assert.fail('no deposits')
  const senderIban = 'TR620006200029500006291296'
  const paid = await journal.arrives('credit', 340_000n, {
    senderName: 'Nazan Uçar',
    senderIban,
    narrative: 'iki sipariş',
  })
  const parts = [one, two].map(({ id: depositId }) => ({ depositId, amount: 125_000n }))
  const split = await journal.post('deposit_payment', { lineIds: [paid], parts, rest: { amount: 90_000n } })
  await journal.post('receivable', {
    lineIds: [await journal.arrives('debit', 9_100n, { narrative: 'mükerrer çıkış' })],
  })
  await journal.propose('interest', {
    lineIds: [await journal.arrives('credit', 1_217n, { senderName: '', narrative: 'FAİZ' })],
  })
  const { page, problems } = await enter('mehmet.kaya')
  await page.goto('/operator/books')
  await page.getByRole('link', { name: 'Defter kayıtları' }).click()
  await page.getByRole('heading', { name: 'Artan para' }).waitFor()
  await isSound(page, 'journal')
  await page.goto(`/operator/books/journal/${split}`)
  await isSound(page, 'journal-entry')
  await page.goto('/operator/books/journal')
  await page.getByRole('link', { name: 'İade öner' }).click()
  assert.equal(await page.locator('select[name=restOf]').inputValue(), split)
  assert.deepEqual(problems, [])
})

test('a line that was dismissed by mistake is brought back by two people, without JavaScript', async () => {
  const line = await journal.arrives('credit', 78_900n, { senderName: 'Selim Ak', narrative: 'havale' })
  for (const actor of [AYSE, MEHMET]) await dismissLine(app, actor, line, 'bankada yok, şube söyledi')
  const first = await enter('ayse.yilmaz')
  await first.page.goto(`/operator/matching/${line}`)
  await isSound(first.page, 'line-dismissed')
  const { page } = await enter('ayse.yilmaz', { javaScriptEnabled: false })
  await page.goto(`/operator/matching/${line}`)
  await page.locator('form[action*="/restore"] input[name=why]').fill('şube satırı doğruladı')
  await page.getByRole('button', { name: 'Satır yeniden geçerli' }).click()
  await page.waitForURL(/said=lineRestoreProposed/)
  const second = await enter('mehmet.kaya')
  await second.page.goto('/operator/approvals')
  const card = second.page.locator('article.card', { has: second.page.locator(`a[href$="/matching/${line}"]`) })
  await card.getByText('şube satırı doğruladı').waitFor()
  await isSound(second.page, 'approvals-restore')
  await card.getByRole('button', { name: 'Onayla' }).click()
  await second.page.waitForURL(/said=proposalApplied/)
  assert.deepEqual([...first.problems, ...second.problems], [])
})

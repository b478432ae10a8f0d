import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { entriesAbout } from '../../packages/server/src/domain/books/index.ts'
import { openAsProposed } from '../../packages/server/src/domain/proposals/index.ts'
import { findDepositById } from '../../packages/server/src/domain/deposits/index.ts'
import { addEndpoint, setMatching } from '../../packages/server/src/domain/merchants/index.ts'
import { linesOfPayout } from '../../packages/server/src/domain/statements/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { openJournal } from '../harness/journal.ts'
import { giveLogin, PASSWORD, visitor } from '../harness/operator-console.ts'
import { someDeposits } from '../harness/payments.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'

// Two people of the staff explain lines, with the console only.
const service = await startWithBank()
const { app, baseUrl } = service
const browser = await openBrowser()
const shop = await service.merchant({ name: 'Mürekkep Kitabevi' })
await addEndpoint(app, UNATTRIBUTED, shop.merchantId, { url: 'https://shop.example/hook' })
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
const statusOf = async (id: string) => (await findDepositById(app.db, id))?.status

/** A payment of a deposit without its code. */
async function codeless(amount: bigint, changes: object = {}) {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, amount)
  if (!deposit) return assert.fail('no deposit')
  const accountIban = await accountOf(deposit.collectingAccountId)
  const written = { senderName: 'AYSE YILMAZ', narrative: 'kitap parasi', accountIban }
  return { deposit, line: await journal.arrives('credit', amount, { ...written, ...changes }) }
}

const waits = (page: Page, line: string) => page.locator(`[data-item="${line}"]`)

test('a codeless transfer is matched by keyboard alone, in five keys; the next line opens by itself', async () => {
  const { deposit, line } = await codeless(84_000n)
  // Too little: it is held for its deposit.
  const [short] = await someDeposits(app, shop.merchantId, 1, 99_900n)
  const written = { narrative: short?.referenceCode ?? '', senderName: 'AYSE YILMAZ' }
  const accountIban = await accountOf(short?.collectingAccountId ?? null)
  const other = await journal.arrives('credit', 12_300n, { ...written, accountIban })
  const { page, problems } = await enter('ayse.yilmaz')
  await page.goto('/operator/matching')
  await waits(page, line).waitFor()
  await isSound(page, 'operator-matching')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/operator/matching')
  await page
    .getByText(`840,00 TL satıcının bakiyesine geçer, ${deposit.processId} tamamlanır, callback gönderilir`)
    .waitFor()
  const keys = ['m', 'Enter']
  for (const key of keys) await page.keyboard.press(key)
  await page.getByText('Eşleşti: yatırım tamamlandı').waitFor()
  assert.equal(await statusOf(deposit.id), 'completed')
  assert.match(page.url(), new RegExp(`/matching/${other}`), 'the next line is open')
  await page.getByRole('link', { name: '840,00 TL' }).waitFor()
  await page.keyboard.press('s')
  await page.keyboard.press('Enter')
  await page.getByText('Para askıda').waitFor()
  assert.deepEqual(await journal.lastDecision(other), ['suspense', 'by_hand', 'ayse.yilmaz'])
  assert.deepEqual(problems, [])
})

test('J and K move, Enter opens, ? shows all keys, and one switch turns them off', async () => {
  const lines = [await journal.arrives('debit', 4_001n), await journal.arrives('debit', 4_002n)]
  const { page, problems } = await enter('ayse.yilmaz')
  await page.goto(`/operator/matching/${lines[0]}?kind=debits`)
  await page.keyboard.press('j')
  const focused = () => page.evaluate<string | null>('document.activeElement.getAttribute("href")')
  assert.match((await focused()) ?? '', new RegExp(lines[1] ?? ''))
  await page.keyboard.press('k')
  assert.match((await focused()) ?? '', new RegExp(lines[0] ?? ''))
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`${lines[1]}.*kind=debits`))
  await page.keyboard.press('?')
  await page.getByText('eşleştirmede ilk adaya git').waitFor()
  await page.getByLabel('Tek harfli kısayolları kapat').check()
  await page.keyboard.press('k')
  assert.equal(await focused(), null, 'the focus stays')
  await page.reload()
  await page.keyboard.press('j')
  assert.equal(await focused(), null, 'also on the next page')
  for (const line of lines) await journal.post('bank_charge', { lineIds: [line] })
  assert.deepEqual(problems, [])
})

test('a bank charge is booked by one person, who has seen its bookings', async () => {
  const line = await journal.arrives('debit', 1_250n, { senderName: '', narrative: 'EFT UCRETI' })
  const { page, problems } = await enter('ayse.yilmaz')
  await page.goto(`/operator/matching/${line}`)
  await isSound(page, 'operator-matching-debit')
  await page.goto(`/operator/matching/${line}`)
  await page.getByRole('link', { name: 'Banka masrafı', exact: true }).click()
  await page
    .getByRole('cell', { name: /Banka masrafları/ })
    .first()
    .waitFor()
  await isSound(page, 'operator-matching-proposal')
  await page.getByLabel('Neden (en az 5 harf; kişisel bilgi yazmayın)').fill('EFT ücreti, dekont var')
  await page.keyboard.press('Enter')
  await page.getByText('Kayıt deftere geçti').waitFor()
  assert.deepEqual((await journal.stateOf(line)).slice(0, 2), ['matched', 'bank_charge'])
  await page.goto(`/operator/matching/${line}`)
  await page.getByText('Bu satır açıklandı').waitFor()
  await page.getByRole('link', { name: 'Kaydı geri al' }).click()
  await page.getByRole('button', { name: 'Deftere işle' }).waitFor()
  await isSound(page, 'operator-matching-alone')
  assert.deepEqual(problems, [])
})

test('a stranger is refunded: proposed on the desk, approved by another person, sent as a withdrawal', async () => {
  const iban = makeIban('0062', '12345678')
  const line = await journal.arrives('credit', 33_300n, { senderName: 'Yabancı Biri', narrative: 'yanlis hesap' })
  const [ayse, mehmet] = [await enter('ayse.yilmaz'), await enter('mehmet.kaya')]
  await ayse.page.goto(`/operator/matching/${line}`)
  await ayse.page.getByRole('link', { name: 'Açıklanamayan parayı gönderene iade', exact: true }).click()
  await ayse.page.getByLabel('IBAN (satırda yoksa veya başkaysa)').fill(iban)
  await ayse.page.keyboard.press('Enter')
  await ayse.page.getByText('TR').first().waitFor()
  await ayse.page.getByLabel('Neden (en az 5 harf; kişisel bilgi yazmayın)').fill('yanlış hesaba gönderilmiş')
  await ayse.page.getByLabel('IBAN (satırda yoksa veya başkaysa)').fill(iban.replace(/.{3}(?!$)/g, '$& '))
  await ayse.page.getByRole('button', { name: 'Önizle' }).click()
  await ayse.page.locator('input[name=why][value="yanlış hesaba gönderilmiş"]').waitFor()
  assert.ok(!ayse.page.url().includes(iban), 'no IBAN in an address')
  await ayse.page.getByRole('button', { name: 'Öner' }).click()
  await ayse.page.getByText('Öneri kaydedildi').waitFor()
  const entry = (await openAsProposed(app, 100)).find(({ target }) => target === `line:${line}`)
  await mehmet.page.goto('/operator/approvals')
  const card = mehmet.page.locator(`[data-item="${entry?.id}"]`)
  await card.getByText(iban.replace(/.{4}(?!$)/g, '$& ')).waitFor()
  await card.getByText('İade edilecek para (bizde)').waitFor()
  await card.getByRole('button', { name: 'Onayla' }).click()
  await mehmet.page.getByText('Onaylandı').waitFor()
  assert.deepEqual((await journal.stateOf(line)).slice(0, 2), ['matched', 'refund_unexplained'])
  assert.deepEqual([...ayse.problems, ...mehmet.problems], [])
})

test('a match over the amount of the merchant: one person proposes it with its effect, another approves it', async () => {
  await setMatching(app, UNATTRIBUTED, shop.merchantId, { approveFrom: 60_000n })
  const { deposit, line } = await codeless(61_000n)
  const [ayse, mehmet] = [await enter('ayse.yilmaz'), await enter('mehmet.kaya')]
  await ayse.page.goto(`/operator/matching/${line}`)
  const candidate = ayse.page.locator('.candidate', { hasText: deposit.id })
  await candidate.getByText(/610,00 TL satıcının bakiyesine geçer.*başka biri de onaylamalı/).waitFor()
  await isSound(ayse.page, 'operator-matching-two')
  await candidate.getByLabel('Neden (en az 5 harf; kişisel bilgi yazmayın)').fill('dekont müşteriden geldi')
  await candidate.getByRole('button', { name: 'Eşleştirmeyi öner' }).click()
  await ayse.page.getByText('eşleştirmeyi başka biri onaylamalı').waitFor()
  assert.equal((await journal.stateOf(line))[0], 'suspense')
  await ayse.page.goto(`/operator/matching/${line}`)
  await ayse.page.getByText('Elle eşleştirme (ayse.yilmaz)').waitFor()
  assert.equal(await ayse.page.getByRole('button', { name: /^Eşleştir/ }).count(), 0)
  await ayse.page.getByRole('link', { name: 'Onaylar sayfasında karar verin' }).click()
  const cardOn = (page: Page) => page.locator('article', { hasText: deposit.id })
  await cardOn(ayse.page).getByText('başka biri onaylamalı').waitFor()
  assert.equal(await cardOn(ayse.page).getByRole('button', { name: 'Onayla' }).count(), 0)
  await mehmet.page.goto('/operator/approvals')
  await cardOn(mehmet.page).getByText('610,00 TL').first().waitFor()
  await isSound(mehmet.page, 'operator-matching-two-approval')
  await cardOn(mehmet.page).getByRole('button', { name: 'Onayla' }).click()
  await mehmet.page.getByText('Onaylandı ve yürürlükte').waitFor()
  assert.equal(await statusOf(deposit.id), 'completed')
  assert.deepEqual(await journal.lastDecision(line), ['complete', 'by_hand', 'mehmet.kaya'])
  await setMatching(app, UNATTRIBUTED, shop.merchantId, { approveFrom: null })
  assert.deepEqual([...ayse.problems, ...mehmet.problems], [])
})

test('two people at one line: the second is told who decided what, and nothing is booked twice', async () => {
  const { deposit, line } = await codeless(55_500n)
  const [ayse, mehmet] = [await enter('ayse.yilmaz'), await enter('mehmet.kaya')]
  for (const { page } of [ayse, mehmet]) await page.goto(`/operator/matching/${line}`)
  await ayse.page.getByRole('button', { name: 'Eşleştir', exact: true }).first().click()
  await ayse.page.getByText('Eşleşti: yatırım tamamlandı').waitFor()
  await mehmet.page.getByRole('button', { name: 'Eşleştir', exact: true }).first().click()
  await mehmet.page.getByText('ayse.yilmaz bu satıra sizden önce karar verdi').waitFor()
  assert.equal((await findDepositById(app.db, deposit.id))?.receivedAmount, 55_500n)
  await journal.assertSound()
})

test('a form that is sent twice at once books once', async () => {
  const { deposit, line } = await codeless(66_600n)
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  const { text } = await person.request(`/matching/${line}`)
  const form = new RegExp(`action="[^"]*/${line}/match[^"]*">(.*?)</form>`, 's').exec(text)?.[1] ?? ''
  const fieldsOf = (markup: string) =>
    Object.fromEntries([...markup.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]))
  const sent = fieldsOf(form)
  const both = await Promise.all([1, 2].map(() => person.request(`/matching/${line}/match`, sent)))
  // The second is refused, or told that the first did it.
  const statuses = both.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.equal(statuses[0], 303)
  assert.ok([303, 409].includes(statuses[1] ?? 0))
  assert.equal((await findDepositById(app.db, deposit.id))?.receivedAmount, 66_600n)

  const debit = await journal.arrives('debit', 7_700n)
  const shown = await person.request(`/matching/${debit}?entry=bank_charge`)
  const its = /<section class="card proposal".*?<\/section>/s.exec(shown.text)?.[0] ?? ''
  const proposal = { ...fieldsOf(its), why: 'banka masrafı' }
  const twice = await Promise.all(
    [1, 2].map(() => person.request(`/matching/${debit}/propose?entry=bank_charge`, proposal)),
  )
  assert.deepEqual(
    twice.map(({ status }) => status).toSorted((a, b) => a - b),
    [303, 409],
  )
  assert.equal((await entriesAbout(app.db, debit)).length, 1)
})

test('what changed since the page was shown is not done: the deposit was paid meanwhile', async () => {
  const { deposit, line } = await codeless(77_700n)
  const accountIban = await accountOf(deposit.collectingAccountId)
  const second = await journal.arrives('credit', 77_700n, { accountIban, senderName: 'AYSE YILMAZ' })
  const { page } = await enter('ayse.yilmaz')
  await page.goto(`/operator/matching/${second}`)
  const other = await enter('mehmet.kaya')
  await other.page.goto(`/operator/matching/${line}`)
  await other.page.getByRole('button', { name: 'Eşleştir', exact: true }).first().click()
  await other.page.getByText('Eşleşti').first().waitFor()
  await page.getByRole('button', { name: 'Eşleştir', exact: true }).first().click()
  await page.getByText('siz baktıktan sonra değişti').waitFor()
  assert.equal((await journal.stateOf(second))[0], 'suspense')
})

test('tiles, search and timeline lead to the desk; English; without JavaScript', async () => {
  const { deposit, line } = await codeless(91_000n)
  const { page } = await openPage(browser, baseUrl, { javaScriptEnabled: false })
  await page.goto('/operator/login?lang=en')
  await page.getByLabel('Name').fill('ayse.yilmaz')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('link', { name: /Money in suspense/ }).click()
  await waits(page, line).getByRole('link').click()
  await page.getByText(`Credits 910,00 TL, completes order ${deposit.processId}`).waitFor()
  await page.getByRole('button', { name: 'Match', exact: true }).first().click()
  await page.getByText('Matched: the deposit is completed').waitFor()
  await page.goto(`/operator/transactions/${deposit.id}`)
  await page.getByRole('link', { name: line }).click()
  await page.getByText('This line is explained').waitFor()
  await page.goto('/operator/search?q=910,00')
  await page.getByRole('link', { name: line }).waitFor()
})

test('one debit of several payouts: its candidate opens the form with all of them, and one person books it', async () => {
  const payouts = openPayoutLines(service, await service.merchantWithMoney(500_000n))
  await service.fundAccounts(AMOUNT * 2)
  const ids = [await payouts.sent(), await payouts.sent()]
  const amount = BigInt(AMOUNT) * 2n
  const about = await payouts.lineAbout(ids[0] ?? '', { amount: amount + 850n, narrative: `TOPLU ${ids.join(' ')}` })
  const line = await journal.arrives('debit', 0n, about)
  const ayse = await enter('ayse.yilmaz')
  await ayse.page.goto(`/operator/matching/${line}`)
  for (const id of ids) await ayse.page.getByText(`bu satır ${id} çekiminin borcu değil`).waitFor()
  await ayse.page.getByRole('link', { name: 'Öneri hazırla' }).first().click()
  await ayse.page.getByRole('heading', { name: /birden çok çekim tek satırda/ }).waitFor()
  for (const id of ids) assert.match(await ayse.page.getByLabel(/Ödediği çekimlerin/).inputValue(), new RegExp(id))
  assert.equal(await ayse.page.locator('input[name=charge]').inputValue(), '8,50')
  await ayse.page.getByRole('cell', { name: '8,50 TL' }).first().waitFor()
  await isSound(ayse.page, 'operator-matching-several')
  await ayse.page.getByLabel('Neden (en az 5 harf; kişisel bilgi yazmayın)').fill('banka ikisini birlikte ödedi')
  await ayse.page.getByRole('button', { name: 'Deftere işle', exact: true }).click()
  await ayse.page.getByText('Kayıt deftere geçti').waitFor()
  assert.deepEqual((await journal.stateOf(line)).slice(0, 2), ['matched', 'payout_sent'])
  for (const id of ids) assert.equal((await linesOfPayout(app.db, id))[0]?.id, line)
  assert.deepEqual(ayse.problems, [])
})

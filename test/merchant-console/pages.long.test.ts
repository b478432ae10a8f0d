import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECTIONS } from '../../packages/server/src/edges/merchant-console/routes.ts'
import { fitsNarrow, isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { client } from '../harness/client.ts'
import { until } from '../harness/until.ts'
import { runCallbacksOnce, setCallbackUrl } from '../harness/callbacks.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { cheap, merchantUser, PASSWORD } from '../harness/logins.ts'
import { ingest, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startReceiver } from '../harness/receiver.ts'
import { startService } from '../harness/service.ts'

const VIEWS = SECTIONS.flatMap(({ views }) => views)

const service = await startService()
const { app, baseUrl } = service
const browser = await openBrowser()
const receiver = await startReceiver()

async function addShop(name: string, email: string) {
  const shop = await service.merchant({ name, funds: 9_000_000n })
  await setCallbackUrl(app, shop.merchantId, receiver.url)
  await merchantUser(cheap(app), shop.merchantId, email)
  return shop
}

async function enter(email: string, options = {}) {
  const opened = await openPage(browser, baseUrl, options)
  await opened.page.goto('/merchant')
  await opened.page.getByLabel('E-posta').fill(email)
  await opened.page.getByLabel('Parola').fill(PASSWORD)
  await opened.page.getByRole('button', { name: 'Giriş yap' }).click()
  await opened.page.getByRole('heading', { name: 'Özet', level: 1 }).waitFor()
  return opened
}

test('the overview follows what happens, and shows nothing of another merchant', async () => {
  const shop = await addShop('Canlı Kitabevi', 'live@murekkep.example')
  const other = await addShop('Başka Kitabevi', 'other@murekkep.example')
  const { page, problems } = await enter('live@murekkep.example')
  await page.getByText('Bugünkü yatırımlar').first().waitFor()
  await someDeposits(app, other.merchantId, 1, 77_700n)
  await someDeposits(app, shop.merchantId, 1, 84_000n)
  await page.getByText('840,00 TL').first().waitFor()
  assert.equal(await page.getByText('777,00 TL').count(), 0)
  await isSound(page, 'merchant-live-home')
  assert.deepEqual(problems, [])
})

test('an owner finds a payment, reads its timeline and resends its callback, without JavaScript', async () => {
  const shop = await addShop('Mürekkep Kitabevi', 'ece@murekkep.example')
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 84_000n)
  if (!deposit) return assert.fail('no deposit')
  await ingest(app, [await lineFor(app, deposit)])
  await matchAll(app)
  await shop.post('/v1/withdraw', withdrawBody())
  await runCallbacksOnce(app)
  const { page } = await enter('ece@murekkep.example', { javaScriptEnabled: false })
  await page.getByRole('link', { name: 'Yatırımlar' }).click()
  await page.getByLabel('Durum').selectOption('completed')
  await page.getByRole('button', { name: 'Göster' }).click()
  await page.getByRole('link', { name: deposit.id }).click()
  await page.getByRole('heading', { name: /Yatırım 840,00 TL/ }).waitFor()
  for (const text of [
    'Oluşturuldu',
    'Durum: bekliyor → tamamlandı',
    'Callback deposit.completed',
    'kabul edildi (200)',
  ])
    await page.getByText(text).first().waitFor()
  const before = receiver.all.length
  await page.getByRole('link', { name: 'Callback’ler' }).click()
  const row = page.locator('article').filter({ hasText: deposit.id })
  await row.getByRole('button', { name: 'Yeniden gönder' }).click()
  await page.getByText('Olay yeniden sıraya alındı').waitFor()
  await runCallbacksOnce(app)
  assert.equal(receiver.all.length, before + 1)
  assert.equal(receiver.all.at(-1)?.event.data.transactionId, deposit.id)
  await page.goto('/merchant?lang=en')
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
})

test('support finds a payment by name, amount, end of IBAN and processId, from any page, by keys or without JavaScript', async () => {
  const shop = await addShop('Çiçek Evi', 'owner@cicek.example')
  await merchantUser(cheap(app), shop.merchantId, 'destek@cicek.example', 'support')
  const customer = { id: 'm-20417', name: 'Mehmet Öztürk', username: 'mozturk' }
  const { body } = await shop.post('/v1/deposit', depositBody({ processId: 'SIP-20417', amount: 84_000, customer }))
  const id = String(body.data.transactionId)
  await shop.post('/v1/deposit', depositBody({ amount: 84_000 }))
  await shop.post('/v1/withdraw', withdrawBody({ processId: 'IAD-3', amount: 84_000, accountName: 'Mehmet Öztürk' }))
  const { page, problems } = await enter('destek@cicek.example')
  const search = async (key: string, text: string) => {
    await page.keyboard.press(key)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  for (const [key, text, count] of [
    ['/', 'mehmet ozturk', 2],
    ['Control+k', '840', 3],
    ['/', 'öztürk 840,00', 2],
    ['/', '1296', 1],
  ] as const) {
    await search(key, text)
    await page.getByText(`${count} sonuç`, { exact: true }).waitFor()
  }
  await page.goto('/merchant/search?q=1296')
  await isSound(page, 'merchant-search-iban')
  await page.goto('/merchant/search?q=840')
  await isSound(page, 'merchant-search-results')
  await search('/', 'kimse')
  await page.getByText('“kimse” için sonuç bulunamadı.').waitFor()
  await isSound(page, 'merchant-search-nothing')
  await page.goto('/merchant/balance')
  await search('/', 'sip-20417')
  await page.getByRole('heading', { name: /Yatırım 840,00 TL/ }).waitFor()
  assert.equal(new URL(page.url()).pathname, `/merchant/transactions/${id}`)
  const plain = await enter('destek@cicek.example', { javaScriptEnabled: false })
  await plain.page.setViewportSize({ width: 360, height: 800 })
  await plain.page.getByRole('searchbox', { name: 'Ara' }).fill('Mehmet 840')
  await plain.page.keyboard.press('Enter')
  await plain.page.getByRole('link', { name: id }).click()
  await plain.page.getByRole('heading', { name: /Yatırım 840,00 TL/ }).waitFor()
  assert.deepEqual(problems, [])
})

const SECTIONS_SHOWN = [
  ...['deposits', 'links', 'withdrawals', 'instructions', 'balance', 'callbacks', 'search'],
  ...['calls', 'developer', 'team', 'brand', 'own'],
]

test('a developer rotates a key and adds a rejected address; a second person approves it', async () => {
  const shop = await service.merchant({ name: 'Kırtasiye', allowedNetworks: ['203.0.113.7'], funds: 9_000_000n })
  for (const [name, role] of [
    ['dev', 'developer'],
    ['own', 'owner'],
  ] as const)
    await merchantUser(cheap(app), shop.merchantId, `${name}@kirtasiye.example`, role)
  await shop.post('/v1/withdraw', withdrawBody())
  await app.callLog.flush()
  const { page, problems } = await enter('dev@kirtasiye.example')
  await page.getByRole('link', { name: 'Geliştirici' }).click()
  await page.getByText('izinli bir IP adresinden API ile çekim oluşturabilir').waitFor()
  await page.getByRole('button', { name: 'Secret’ı yenile' }).click()
  await page.getByText('bir daha gösterilmez').waitFor()
  const apiSecret = (await page.locator('code', { hasText: 'vs_' }).textContent()) ?? ''
  const renewed = client(baseUrl, { ...shop, apiSecret })
  // The signature holds within a second, the age of cached keys; the address is not listed.
  await until(
    () => renewed.get('/v1/available-banks'),
    ({ status }) => status === 403,
  )
  assert.equal((await shop.get('/v1/available-banks')).status, 403, 'the old secret too')
  await page.goto('/merchant/developer')
  await page.getByText('eski', { exact: true }).waitFor()
  const row = page.locator('tr').filter({ hasText: '127.0.0.1' })
  await row.getByRole('button', { name: 'Listeye ekle' }).click()
  await page.getByText('Başka bir kişi onaylayınca yürürlüğe girer').waitFor()
  await isSound(page, 'merchant-developer-waits')
  const second = await enter('own@kirtasiye.example')
  await second.page.getByText('API secret’ı yenilendi: dev@kirtasiye.example').waitFor()
  await isSound(second.page, 'merchant-home-rotated')
  await second.page.getByRole('link', { name: 'Geliştirici' }).click()
  await second.page.getByRole('button', { name: 'Onayla' }).click()
  await second.page.getByText('Yürürlükte').waitFor()
  await until(
    () => renewed.get('/v1/available-banks'),
    ({ status }) => status === 200,
  )
  await app.callLog.flush()
  await second.page.goto('/merchant/calls')
  await second.page.getByRole('link', { name: /GET/ }).first().click()
  await second.page.getByText('openssl dgst -sha256').waitFor()
  await isSound(second.page, 'merchant-call')
  assert.deepEqual(problems, [])
})

test('staff make a payment link; finance enters withdrawals in a file and another person approves', async () => {
  const shop = await addShop('Nalbur', 'ada@nalbur.example')
  await merchantUser(cheap(app), shop.merchantId, 'can@nalbur.example', 'finance')
  const { page, problems } = await enter('ada@nalbur.example')
  await page.goto('/merchant/links')
  await page.getByLabel('Tutar').fill('840,00')
  await page.getByLabel('Müşteri', { exact: true }).fill('Veli Aslan')
  await page.getByRole('button', { name: 'Link oluştur' }).click()
  await page.getByRole('heading', { name: /Ödeme linki 840,00 TL/ }).waitFor()
  await isSound(page, 'merchant-link')
  const address = (await page.locator('code').first().textContent()) ?? ''
  await page.goto(address)
  await page.getByText('840,00').first().waitFor()
  await page.goto('/merchant/instructions')
  const upload = (text: string) =>
    page.getByLabel('CSV dosyası').setInputFiles({ name: 'odeme.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await upload('A1;Ay;TR00;1250\nA1;Veli Aslan;TR620006200029500006291296;0')
  await page.getByRole('button', { name: 'Önizle' }).click()
  await page.getByText('hiçbir şey oluşturulmadı').waitFor()
  await isSound(page, 'merchant-preview-wrong')
  await page.goto('/merchant/instructions')
  await upload('A1;Ayşe Çetin;TR620006200029500006291296;1.250,00\nA2;Veli Aslan;TR620006200029500006291296;840.50')
  await page.getByRole('button', { name: 'Önizle' }).click()
  await page.getByRole('button', { name: 'Onaya gönder' }).click()
  await page.getByText('Bu talimatı siz girdiniz').waitFor()
  const other = await enter('can@nalbur.example')
  await other.page.goto('/merchant/instructions')
  await other.page.getByRole('link', { name: 'odeme.csv' }).click()
  await isSound(other.page, 'merchant-instruction')
  await other.page.getByRole('button', { name: 'Onayla' }).click()
  await other.page.getByText('çekimler oluşturuldu').waitFor()
  await other.page.goto('/merchant/withdrawals')
  await other.page.getByText('Ayşe Çetin').waitFor()
  assert.deepEqual(problems, [])
})

test('every page is sound in both themes and on a small phone', async () => {
  await app.callLog.flush()
  const { page, problems } = await enter('ece@murekkep.example')
  await isSound(page, 'merchant-home')
  for (const section of SECTIONS_SHOWN) {
    await page.goto(`/merchant/${section}`)
    await isSound(page, `merchant-${section}`)
  }
  for (const section of ['deposits', 'withdrawals']) {
    await page.goto(`/merchant/${section}`)
    await page.locator('td a.id').first().click()
    await page.getByRole('heading', { name: 'Ne oldu' }).waitFor()
    await isSound(page, `merchant-${section}-one`)
  }
  await page.context().clearCookies()
  await page.goto('/merchant/login')
  await isSound(page, 'merchant-login')
  assert.deepEqual(problems, [])
})

const TEXTS = [
  '<script>document.title="ran"</script>',
  '"><img src=x onerror=document.title="ran">',
  '</title><svg/onload=document.title="ran">',
  '&lt;script&gt;&#60;b&#62;',
  '\u202Eters yazı\u202C \u0007 \u2028',
  'ﷺ𝕬𝖞𝖘̷̢ẹ 👩‍👩‍👧‍👦 Ünüvar-Şıkğ',
  `Çok${'uzun'.repeat(120)}`,
]

/** These are not pages. */
const FILES = /^\/balance\/(export|statement)$|\.svg$/

/** Longest name that the API takes. */
const cut = (text: string) => text.slice(0, 90).toWellFormed()

test('no text of a customer runs, leaves its place, or makes a page scroll sideways', async () => {
  const shop = await addShop('Naughty', 'naughty@shop.example')
  const ids: string[] = []
  for (const text of TEXTS) {
    const customer = { ...depositBody().customer, name: cut(text) }
    const deposit = await shop.post('/v1/deposit', depositBody({ customer, processId: cut(text) }))
    const withdrawal = await shop.post('/v1/withdraw', withdrawBody({ accountName: cut(text), processId: cut(text) }))
    ids.push(...[deposit, withdrawal].flatMap(({ body }) => (body.data?.transactionId as string | undefined) ?? []))
  }
  assert.ok(ids.length >= TEXTS.length, 'most of them are accepted')
  const { page, problems } = await enter('naughty@shop.example')
  await page.setViewportSize({ width: 320, height: 800 })
  const views = VIEWS.map(({ path }) => path).filter((path) => !path.includes(':') && !FILES.test(path))
  const searches = TEXTS.map((text) => `/search?q=${encodeURIComponent(cut(text))}`)
  for (const path of [...views, ...searches, ...ids.map((id) => `/transactions/${id}`)]) {
    await page.goto(`/merchant${path}`)
    assert.match(await page.title(), /Vezne/, path)
    assert.equal(await page.locator('img[src="x"], main svg, main script').count(), 0, path)
    assert.deepEqual(await fitsNarrow(page), [], path)
  }
  assert.deepEqual(problems, [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { matchByHand } from '../../packages/server/src/domain/matching/index.ts'
import { uploadedContent } from '../../packages/server/src/domain/uploads/index.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { addPerson, formWith, PASSWORD, visitor } from '../harness/operator-console.ts'
import { matchAll, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import type { Booking } from '../harness/statement-files.ts'
import { camt, mt, openFileAccount } from '../harness/statement-files.ts'
import { isSound } from '../e2e/is-sound.ts'

// Statement files in the operator console.
const service = await startService()
const { app, baseUrl } = service
const browser = await openBrowser()
await addPerson(service, 'ayse.yilmaz')
const DAY = '2026-11-13'

async function enter(options = {}) {
  const opened = await openPage(browser, baseUrl, options)
  await opened.page.goto('/operator/statements')
  await opened.page.getByLabel('Ad', { exact: true }).fill('ayse.yilmaz')
  await opened.page.getByLabel('Parola').fill(PASSWORD)
  await opened.page.getByRole('button', { name: 'Giriş yap' }).click()
  await opened.page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  await opened.page.getByRole('link', { name: 'Ekstreler' }).click()
  return opened
}

const buffer = (text: string) => Buffer.from(text)

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.getByLabel('Ekstre dosyaları').setInputFiles({ name, mimeType: 'text/plain', buffer: buffer(text) })
  await page.getByRole('button', { name: 'Yükle ve önizle' }).click()
}

const payments = (...amounts: number[]): Booking[] =>
  amounts.map((amount, at) => ({
    number: `N${at}`,
    amount,
    sender: `Müşteri ${at}`,
    text: `havale ${at}`,
    time: '10:00:00',
  }))

test('an import with preview, result and undo, in a browser', async () => {
  const { iban, lines } = await openFileAccount(app)
  const { page, problems } = await enter()
  await page.getByText('Henüz dosya yüklenmedi').waitFor()
  await isSound(page, 'operator-statements-empty')
  const text = camt('053', { iban, day: DAY, opening: 0, bookings: payments(125_000, 84_000, 2_050) })
  await choose(page, 'akbank-2026-11-13.xml', text)
  await page.getByRole('heading', { name: 'akbank-2026-11-13.xml' }).waitFor()
  assert.deepEqual(await lines(), [], 'a preview books nothing')
  await isSound(page, 'operator-statement-preview')
  await page.getByRole('button', { name: '3 yeni satırı aktar' }).click()
  await page.getByText('Dosya aktarıldı').waitFor()
  assert.equal((await lines()).length, 3)
  await matchAll(app)
  await page.reload()
  await page.getByText('askıda').waitFor()
  await isSound(page, 'operator-statement-file')
  await page.getByRole('link', { name: 'Aktarmayı geri al' }).click()
  await page.getByText('3 satır kayıtlardan çıkar').waitFor()
  await isSound(page, 'operator-statement-undo')
  await page.getByLabel('Gerekçe').fill('yanlış dönem indirilmiş')
  await page.getByRole('button', { name: '3 satırı geri al' }).click()
  await page.getByText('Aktarma geri alındı').waitFor()
  assert.deepEqual(new Set((await lines()).map(({ state, reason }) => `${state} ${reason}`)), new Set(['dismissed import_undone'])) // prettier-ignore
  await page.getByRole('link', { name: 'Ekstreler', exact: true }).first().click()
  await page.getByText('geri alındı').waitFor()
  await isSound(page, 'operator-statements')
  assert.deepEqual(problems, [])
})

test('a dropped file is uploaded as if it had been chosen', async () => {
  const { iban } = await openFileAccount(app)
  const { page, problems } = await enter()
  const text = mt('940', { iban, day: DAY, bookings: payments(500) })
  await page.evaluate(`{
    const files = new DataTransfer()
    files.items.add(new File([${JSON.stringify(text)}], 'dropped.sta'))
    const drop = new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true })
    document.querySelector('form[data-drop] input[type=file]').dispatchEvent(drop)
  }`)
  await page.getByRole('heading', { name: 'dropped.sta' }).waitFor()
  assert.deepEqual(problems, [])
})

test('a large file is sent in parts with its progress, and its import goes on while the page shows how far it is', async () => {
  const { iban, lines } = await openFileAccount(app)
  const { page, problems } = await enter()
  const text = 'havale '.repeat(60)
  const bookings = Array.from(
    { length: 3000 },
    (_, at) => ({ ...payments(100 + at)[0], number: `L${at}`, text }) as Booking,
  )
  const content = camt('053', { iban, day: DAY, opening: 0, bookings, id: 'LARGE' })
  assert.ok(Buffer.byteLength(content) > 2_000_000, `${content.length} bytes`)
  const parts: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/statements/upload')) parts.push(request.url())
  })
  await choose(page, 'large.xml', content)
  await page.getByRole('heading', { name: 'large.xml' }).waitFor()
  assert.equal(parts.length, Math.ceil(Buffer.byteLength(content) / 1024 / 1024))
  await page.getByRole('button', { name: '3000 yeni satırı aktar' }).click()
  await page.getByText(/Dosya aktarıldı|satırları kaydediliyor/).waitFor()
  await page.locator('.lead .state.good').waitFor({ timeout: 120_000 })
  assert.equal((await lines()).length, 3000)
  assert.deepEqual(problems, [])
})

test('parts: in their order, of one owner, and no more than the limit', async () => {
  const { person, csrf } = await uploading()
  const send = (fields: Record<string, string>, content: string | Buffer<ArrayBuffer> = 'x') =>
    person.request('/statements/upload', formWith({ csrf, ...fields }, 'a.xml', content))
  const first = JSON.parse((await send({ part: '0', parts: '3' })).text) as { upload: string }
  assert.equal((await send({ part: '2', parts: '3', upload: first.upload })).status, 409, 'not the next')
  assert.equal((await send({ part: '1', parts: '3' })).status, 409, 'of no file')
  assert.equal((await send({ part: '1', parts: '3', upload: 'f'.repeat(24) })).status, 409, 'of another')
  assert.equal((await send({ part: '1', parts: '3', upload: first.upload }, Buffer.alloc(1024 * 1024 + 1))).status, 409)
  assert.match((await send({ part: '0', parts: '51' })).text, /en çok 50 MB/)
  const wrong = ['', 'x', 'NaN', '-1', '0.5', '0x0', '1e0', ' 0', '3'].map((part) => ({ part, parts: '3' }))
  for (const sent of [...wrong, ...['', '0', '-3', '1.5', 'Infinity'].map((parts) => ({ part: '0', parts }))])
    assert.match((await send(sent)).text, /tam sayı olmalı/, JSON.stringify(sent))
  assert.match((await send({ part: '0' })).text, /tam sayı olmalı/)
  for (const part of ['1', '1']) assert.equal((await send({ part, parts: '3', upload: first.upload }, 'y')).status, 200)
  const { next } = JSON.parse((await send({ part: '2', parts: '3', upload: first.upload }, 'z')).text) as {
    next: string
  }
  const stored = await Array.fromAsync(uploadedContent(app.db, next.split('/').at(-1) ?? ''))
  assert.equal(Buffer.concat(stored).toString(), 'xyz')
  assert.equal((await send({ part: '1', parts: '3', upload: first.upload })).status, 409, 'it is complete')
})

test('without JavaScript: a file with a problem is imported only with a reason', async () => {
  const { iban, take, lines } = await openFileAccount(app)
  await take(camt('053', { iban, day: '2026-11-12', opening: 0, bookings: payments(1000) }))
  const { page } = await enter({ javaScriptEnabled: false })
  await choose(page, 'acilis.xml', camt('053', { iban, day: DAY, opening: 5000, bookings: payments(700) }))
  await page.getByText('Açılış = son kapanışımız').waitFor()
  await page.getByLabel('Sorunlara rağmen neden alınıyor?').fill('banka ara ekstreyi vermedi')
  await page.getByRole('button', { name: 'Sorunlarla birlikte aktar' }).click()
  await page.getByText('Dosya aktarıldı').waitFor()
  await page.getByText('banka ara ekstreyi vermedi').waitFor()
  assert.equal((await lines()).length, 2)
})

test('screens of a file with a problem, and of one that cannot be read', async () => {
  const { iban, take } = await openFileAccount(app)
  await take(camt('053', { iban, day: '2026-11-10', opening: 0, bookings: payments(1000) }))
  const { page, problems } = await enter()
  await choose(
    page,
    'acilis.xml',
    camt('053', { iban, day: DAY, opening: 5000, closing: 9000, bookings: payments(700) }),
  )
  await page.getByLabel('Sorunlara rağmen neden alınıyor?').waitFor()
  await isSound(page, 'operator-statement-problem')
  await page.goto('/operator/statements')
  await choose(
    page,
    'bozuk.xml',
    camt('053', { iban, day: DAY, opening: 0, bookings: payments(700) }).replace('7.00</Amt>', 'yedi</Amt>'),
  )
  await page.getByText('Bu dosya alınamaz').waitFor()
  await isSound(page, 'operator-statement-refused')
  assert.deepEqual(problems, [])
})

async function uploading(name = 'ayse.yilmaz') {
  const person = visitor(service)
  await person.logIn(name)
  const csrf = await person.csrf('/statements')
  const upload = async (name: string, content: string | Buffer<ArrayBuffer>) =>
    person.request('/statements/upload', formWith({ csrf }, name, content))
  const preview = async (name: string, content: string) => {
    const { location } = await upload(name, content)
    const path = (location ?? '').replace('/operator', '')
    const { text } = await person.request(path)
    return { path, text, seen: /name="seen" value="(\w+)"/.exec(text)?.[1] ?? '' }
  }
  return { person, csrf, upload, preview }
}

test('confirmed twice at once, and uploaded and confirmed again: imported once', async () => {
  const { iban, lines } = await openFileAccount(app)
  const { person, csrf, preview } = await uploading()
  const text = mt('940', { iban, day: DAY, bookings: payments(100, 200) })
  const { path, seen } = await preview('a.sta', text)
  const both = await Promise.all([1, 2].map(() => person.request(`${path}/import`, { csrf, seen })))
  assert.deepEqual(both.map(({ status }) => status), [303, 303]) // prettier-ignore
  assert.equal(new Set(both.map(({ location }) => location?.split('?')[0])).size, 1, 'both lead to one file')
  const again = await preview('b.sta', text)
  assert.match(again.text, /daha önce aktarılmış/)
  const { location } = await person.request(`${again.path}/import`, { csrf, seen: 'anything' })
  assert.match(location ?? '', /said=fileKnown/)
  assert.equal((await lines()).length, 2)
})

test('an upload is of the person: another of the same role neither sees nor confirms it, nor adds a part', async () => {
  const { iban, lines } = await openFileAccount(app)
  const { csrf, person, preview } = await uploading()
  const { path, seen } = await preview('a.sta', mt('940', { iban, day: DAY, bookings: payments(100) }))
  await addPerson(service, 'mehmet.kaya', undefined, 'ayse.yilmaz')
  const other = await uploading('mehmet.kaya')
  const shown = await other.person.request(path)
  assert.deepEqual([shown.status, /yalnızca yükleyene açıktır/.test(shown.text)], [404, true])
  assert.equal((await other.person.request(`${path}/import`, { csrf: other.csrf, seen })).status, 409)
  const part = formWith({ csrf, part: '0', parts: '2' }, 'a.xml', 'x')
  const { upload } = JSON.parse((await person.request('/statements/upload', part)).text) as { upload: string }
  const next = formWith({ csrf: other.csrf, part: '1', parts: '2', upload }, 'a.xml', 'y')
  assert.equal((await other.person.request('/statements/upload', next)).status, 409)
  assert.equal((await lines()).length, 0)
  assert.equal((await person.request(`${path}/import`, { csrf, seen })).status, 303)
})

test('what changed since the preview is not imported; nor what another preview showed', async () => {
  const { iban, take, lines } = await openFileAccount(app)
  const { person, csrf, preview } = await uploading()
  const { path, seen } = await preview(
    'a.xml',
    camt('053', { iban, day: DAY, opening: 0, bookings: payments(100, 200) }),
  )
  await take(camt('053', { iban, day: DAY, opening: 0, bookings: payments(100), id: 'S0' }))
  const refused = await person.request(`${path}/import`, { csrf, seen })
  assert.equal(refused.status, 409)
  assert.match(refused.text, /Önizlemeden sonra bir şey değişti/)
  assert.equal((await lines()).length, 1)
})

test('a line that was acted on: the undo says why it is refused, and nothing changes', async () => {
  const { iban, lines, take, id: accountId } = await openFileAccount(app)
  const shop = await service.merchant()
  const { file } = await take(camt('053', { iban, day: DAY, opening: 0, bookings: payments(45_000) }))
  await matchAll(app)
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 45_000n)
  const [line] = await lines()
  await matchByHand(app, UNATTRIBUTED, line?.id ?? '', deposit?.id ?? '', 'the customer confirmed it')
  const { person, csrf } = await uploading()
  const { text } = await person.request(`/statements/${file.id}/undo`)
  assert.match(text, /Geri alınamaz[\s\S]*ile eşleşmiş/)
  assert.doesNotMatch(text, /satırı geri al/)
  const refused = await person.request(`/statements/${file.id}/undo`, { csrf, why: 'yine de geri al' })
  assert.equal(refused.status, 409)
  assert.equal((await lines()).find((one) => one.collectingAccountId === accountId)?.state, 'matched')
})

test('a file over the limit, one that is no statement, and none at all: said on the page, nothing kept', async () => {
  const { upload, preview } = await uploading()
  const large = await upload('large.csv', Buffer.alloc(50 * 1024 * 1024 + 1, 'x'))
  assert.equal(large.status, 409)
  assert.match(large.text, /en çok 50 MB/)
  assert.match((await upload('', '')).text, /Dosya seçilmedi/)
  for (const [name, content] of [
    ['resim.png', '\u0089PNG\r\n\u001a\n'],
    ['boş.xml', ''],
    ['bomb.xml', '<!DOCTYPE x [<!ENTITY a "aaaa">]><Document>&a;</Document>'],
  ] as const)
    assert.match((await preview(name, content)).text, /Bu dosya alınamaz/, name)
})

test('an uploaded file that is not kept any more: a page to upload it again', async () => {
  const { person, csrf } = await uploading()
  const path = `/statements/uploads/${'f'.repeat(24)}`
  const shown = await person.request(path)
  assert.deepEqual([shown.status, /Yeniden yükleyin/.test(shown.text)], [404, true])
  assert.equal((await person.request(`${path}/import`, { csrf, seen: 'x' })).status, 409)
})

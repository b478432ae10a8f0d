import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import { openDownloads } from '../../packages/server/src/edges/web/console/table-download.ts'
import { exportList } from '../../packages/server/src/edges/web/console/transaction-export.ts'
import { en } from '../../packages/server/src/edges/operator-console/words-en.ts'
import { istanbul, istanbulTime } from '../../packages/server/src/kernel/istanbul.ts'
import { isSound } from '../e2e/is-sound.ts'
import { openBrowser, openPage } from '../harness/browser.ts'
import { accepted } from '../harness/envelope.ts'
import { depositBody } from '../harness/examples.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app, baseUrl } = service
for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await addPerson(service, name)
const shop = await service.merchant({ name: 'Mürekkep Kitabevi' })
const today = istanbul(app.clock.now()).day

async function enter(name: string) {
  const person = visitor(service)
  await person.logIn(name)
  return { ...person, token: await person.csrf() }
}

const linksIn = (page: string) =>
  [...page.matchAll(/href="\/operator\/transactions\?([^"]+)"/g)].map(([, query]) => query?.replaceAll('&#38;', '&'))
const rowsOf = (csv: string) =>
  csv
    .replace('\uFEFF', '')
    .replaceAll('"', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(';'))

test('a view keeps filter and columns, opens them again, and is replaced by its name', async () => {
  const { request, token } = await enter('ayse.yilmaz')
  const filter = `kind=withdrawal&status=failed&merchant=${shop.merchantId}&from=2026-01-01&to=2026-01-31&columns=amount,fee`
  const saved = await request(`/transactions/views?${filter}&evil=1`, { csrf: token, name: '  Ocak  ' })
  assert.equal(saved.status, 303)
  const page = await request(saved.location?.replace('/operator', '') ?? '')
  assert.match(page.text, /Görünüm kaydedildi/)
  assert.match(page.text, /aria-current="page"\s*>Ocak</)
  const [query = ''] = linksIn(page.text)
  assert.doesNotMatch(query, /evil/)
  const opened = await request(`/transactions?${query}`)
  assert.match(opened.text, /<option value="withdrawal" selected>/)
  assert.match(opened.text, /value="2026-01-31"/)
  assert.deepEqual(new URLSearchParams(query).get('columns'), 'amount,fee')
  await request('/transactions/views?last=7', { csrf: token, name: 'Ocak' })
  const again = linksIn((await request('/transactions')).text)
  assert.deepEqual(again, ['kind=deposit&last=7'], 'days until today')
})

test('a view is of one person: others see none of it and cannot delete it; its owner can', async () => {
  const [ayse, mehmet] = [await enter('ayse.yilmaz'), await enter('mehmet.kaya')]
  await ayse.request('/transactions/views', { csrf: ayse.token, name: 'Bugün' })
  const id = /\/transactions\/views\/([0-9a-f]{24})\/remove/.exec((await ayse.request('/transactions')).text)?.[1] ?? ''
  assert.doesNotMatch((await mehmet.request('/transactions')).text, /views\/[0-9a-f]{24}/)
  assert.equal((await mehmet.request(`/transactions/views/${id}/remove`, { csrf: mehmet.token })).status, 404)
  assert.match((await ayse.request('/transactions')).text, new RegExp(id))
  assert.equal((await ayse.request(`/transactions/views/${id}/remove`, { csrf: ayse.token })).status, 303)
  assert.doesNotMatch((await ayse.request('/transactions')).text, new RegExp(id))
})

test('a person keeps at most 20, also if all are saved at once; a name is needed', async () => {
  const { request, token } = await enter('mehmet.kaya')
  const save = (name: string) => request('/transactions/views?status=pending', { csrf: token, name })
  await Promise.all(Array.from({ length: 30 }, (_, at) => save(`view ${at}`)))
  for (let at = 0; at < 30; at++) await save(`more ${at}`)
  const refused = await save('one more')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /En çok 20 görünüm kaydedebilirsiniz/)
  assert.match(refused.text, /<option value="pending" selected>/, 'the list is still the one that was shown')
  assert.equal(linksIn(refused.text).length, 20)
  const [kept = ''] = />((?:view|more) \d+)</.exec(refused.text)?.slice(1) ?? []
  assert.equal((await save(kept)).status, 303, 'a known name is replaced')
  for (const name of ['', '   ', 'x'.repeat(61)]) assert.equal((await save(name)).status, 409)
})

test('the columns are those of the address; the id is always there', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  const { request } = await enter('ayse.yilmaz')
  const heads = async (query: string) => {
    const page = await request(`/transactions?${query}`)
    assert.match(page.text, new RegExp(deposit?.id ?? '-'))
    return [...page.text.matchAll(/<th scope="col"[^>]*>([^<]+)<\/th>/g)].map(([, head]) => head)
  }
  assert.deepEqual(await heads('columns=amount&columns=fee'), ['Tutar', 'Komisyon', 'İşlem no'])
  assert.deepEqual(await heads('columns=processId,updated'), ['Satıcının işlem no’su', 'Son değişiklik', 'İşlem no'])
  const usual = ['Müşteri', 'Tutar', 'Durum', 'Not', 'Satıcı', 'Oluşturma', 'İşlem no']
  for (const query of ['', 'columns=', 'columns=nonsense']) assert.deepEqual(await heads(query), usual)
})

test('the filtered list as CSV: masked names, Istanbul time, formulas neutralised, in pages', async () => {
  const other = await service.merchant({ name: '=HYPERLINK("http://evil.example")' })
  const customer = { ...depositBody().customer, name: 'Şule Çağan' }
  const { transactionId } = accepted(
    await other.post('/v1/deposit', depositBody({ customer, processId: '@SUM(A1:A9)', amount: 125_050 })),
    201,
  )
  const { request } = await enter('ayse.yilmaz')
  const columns = 'columns=name,amount,status,merchant,processId,created'
  const { text: csv, headers } = await request(`/transactions?merchant=${other.merchantId}&${columns}&format=csv`)
  assert.match(headers.get('content-disposition') ?? '', new RegExp(`filename="yatirimlar-${today}-${today}.csv"`))
  const [head, row, ...more] = rowsOf(csv)
  const processIdHead = 'Satıcının işlem no’su'
  const names = ['Müşteri', 'Tutar', 'Durum', 'Satıcı', processIdHead, 'Oluşturma', 'Para birimi', 'İşlem no']
  assert.deepEqual(head, names)
  assert.deepEqual(more, [])
  const [name, amount, status, merchant, processId, created, currency, id] = row ?? []
  assert.deepEqual([name, amount, status, currency, id], ['Ş••• Ç•••', '1250,50', 'bekliyor', 'TRY', transactionId])
  assert.match(merchant ?? '', /^'=HYPERLINK/)
  assert.equal(processId, "'@SUM(A1:A9)")
  assert.match(created ?? '', new RegExp(`^${today} \\d\\d:\\d\\d:\\d\\d$`))
  assert.ok((created ?? '') <= istanbulTime(app.clock.now()))
  await someDeposits(app, shop.merchantId, 1200)
  const all = rowsOf((await request(`/transactions?merchant=${shop.merchantId}&format=csv`)).text)
  const ids = all.slice(1).map((cells) => cells.at(-1) ?? '')
  assert.equal(new Set(ids).size, 1201)
  assert.deepEqual(ids, ids.toSorted().toReversed())
  assert.match((await request('/transactions?format=xlsx')).text, /^PK/)
  const none = await request('/transactions?kind=withdrawal&format=csv')
  assert.equal(rowsOf(none.text).length, 1, 'an empty list has its head')
})

test('a file that was cut says so in its last row', async () => {
  const filter = { kind: 'deposit' as const, merchantId: shop.merchantId, from: today, to: today, limit: 50 }
  const columns = [{ name: 'id', kind: 'text' as const, cell: ({ id }: { id: string }) => id }]
  const linesOf = async (maxRows: number) => {
    const shown = await exportList(app, en, openDownloads(), { filter, columns, format: 'csv', maxRows })
    if (!('download' in shown)) return assert.fail('no file')
    return rowsOf(await text(shown.download.body as Readable)).flat()
  }
  const cut = await linesOf(700)
  assert.equal(cut.length, 702)
  assert.match(cut.at(-1) ?? '', /^CUT: only the newest 700 rows/)
  const whole = await linesOf(5000)
  assert.match(whole.at(-1) ?? '', /^[0-9a-f]{24}$/)
})

test('at most two files of a console at a time; a third is told to wait', async () => {
  const downloads = openDownloads()
  const filter = { kind: 'deposit' as const, merchantId: null, from: today, to: today, limit: 50 }
  const columns = [{ name: 'id', kind: 'text' as const, cell: () => 'x'.repeat(1000) }]
  const ask = () => exportList(app, en, downloads, { filter, columns, format: 'csv' })
  const [first, second, third] = [await ask(), await ask(), await ask()]
  assert.ok('page' in third && third.status === 503)
  for (const one of [first, second]) if ('download' in one) await text(one.download.body as Readable)
  const next = await ask()
  assert.ok('download' in next)
  await text(next.download.body as Readable)
})

test('views, columns and files in the browser', async () => {
  await someDeposits(app, shop.merchantId, 3)
  const { page, problems } = await openPage(await openBrowser(), baseUrl)
  await page.goto('/operator')
  await page.getByLabel('Ad', { exact: true }).fill('ayse.yilmaz')
  await page.getByLabel('Parola').fill(PASSWORD)
  await page.getByRole('button', { name: 'Giriş yap' }).click()
  await page.getByRole('link', { name: 'İşlemler' }).click()
  await page.getByText('Sütunlar', { exact: true }).click()
  await page.getByLabel('Komisyon').check()
  await page.locator('select[name=status]').selectOption('pending')
  await page.getByRole('button', { name: 'Göster' }).click()
  await page.getByRole('columnheader', { name: 'Komisyon' }).waitFor()
  await page.getByText('Bu görünümü kaydet').click()
  await page.getByLabel('Görünümün adı').fill('Bekleyen yatırımlar')
  await page.getByRole('button', { name: 'Kaydet' }).click()
  await page.getByText('Görünüm kaydedildi').waitFor()
  await page.getByText('Bu görünümü kaydet').click()
  await page.getByText('Sütunlar', { exact: true }).click()
  await isSound(page, 'operator-transactions-views')
  // A phone has cards instead of columns.
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/operator/transactions?lang=en')
  await page.getByRole('link', { name: 'Bekleyen yatırımlar' }).click()
  await page.getByRole('columnheader', { name: 'Fee' }).waitFor()
  await isSound(page, 'operator-transactions-views-en')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download csv' }).click()
  assert.match((await download).suggestedFilename(), /^deposits-.*\.csv$/)
  assert.deepEqual(problems, [])
})

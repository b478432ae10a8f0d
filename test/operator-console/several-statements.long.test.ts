import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser, openPage } from '../harness/browser.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { startService } from '../harness/service.ts'
import type { Booking } from '../harness/statement-files.ts'
import { camt, mt, openFileAccount } from '../harness/statement-files.ts'
import { isSound } from '../e2e/is-sound.ts'

// Several statement files in one upload of the operator console.
const service = await startService()
const { app, baseUrl } = service
const browser = await openBrowser()
await addPerson(service, 'ayse.yilmaz')

type File = { name: string; text: string }

const payments = (prefix: string, ...amounts: number[]): Booking[] =>
  amounts.map((amount, at) => ({
    ...{ number: `${prefix}${at}`, amount, sender: `Müşteri ${at}`, text: `havale ${at}`, time: '10:00:00' },
  }))

async function enter(options = {}) {
  const opened = await openPage(browser, baseUrl, options)
  await opened.page.goto('/operator/statements')
  await opened.page.getByLabel('Ad', { exact: true }).fill('ayse.yilmaz')
  await opened.page.getByLabel('Parola').fill(PASSWORD)
  await opened.page.getByRole('button', { name: 'Giriş yap' }).click()
  await opened.page.getByRole('heading', { name: 'Bugün', level: 1 }).waitFor()
  await opened.page.getByRole('link', { name: 'Ekstreler' }).click()
  const choose = async (files: File[]) => {
    const sent = files.map(({ name, text }) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) }))
    await opened.page.getByLabel('Ekstre dosyaları').setInputFiles(sent)
    await opened.page.getByRole('button', { name: 'Yükle ve önizle' }).click()
  }
  return { ...opened, choose }
}

/** Three days of one account, the newest first, another bank, one after a gap, one that is known, and no statement. */
async function seven() {
  const [a, b, c, d] = [
    await openFileAccount(app),
    await openFileAccount(app),
    await openFileAccount(app),
    await openFileAccount(app),
  ]
  const day = (of: string, opening: number, amount: number) =>
    camt('053', { iban: a.iban, day: of, opening, bookings: payments(of, amount), id: `A${of}` })
  await c.take(camt('053', { iban: c.iban, day: '2026-11-10', opening: 0, bookings: payments('c', 1000) }))
  const known = { iban: d.iban, day: '2026-11-13', opening: 0, bookings: payments('d', 500, 600) }
  await d.take(camt('053', { ...known, id: 'D1' }))
  const files: File[] = [
    { name: 'a-13.xml', text: day('2026-11-13', 300, 400) },
    { name: 'a-12.xml', text: day('2026-11-12', 100, 200) },
    { name: 'a-11.xml', text: day('2026-11-11', 0, 100) },
    { name: 'b.sta', text: mt('940', { iban: b.iban, day: '2026-11-13', bookings: payments('b', 700, 800) }) },
    {
      name: 'c-13.xml',
      text: camt('053', { iban: c.iban, day: '2026-11-13', opening: 5000, bookings: payments('k', 9) }),
    },
    { name: 'd-again.xml', text: camt('053', { ...known, id: 'D2' }) },
    { name: 'notlar.txt', text: 'bu bir ekstre değil' },
  ]
  return { a, b, c, d, files }
}

test('seven files: one click imports the clean ones; a known one needs nothing, a problem its own reason', async () => {
  const { a, b, c, d, files } = await seven()
  const { page, choose, problems } = await enter()
  await choose(files)
  await page.getByRole('heading', { name: '7 ekstre dosyası' }).waitFor()
  const row = (name: string) => page.locator('tbody tr', { hasText: name })
  for (const name of ['a-11.xml', 'a-12.xml', 'a-13.xml', 'b.sta'])
    assert.match(await row(name).innerText(), /hazır/, `${name}: a day follows on the day of another file`)
  const known = row('d-again.xml').locator('.state')
  assert.match(await known.innerText(), /yeni bir şey yok: daha önce aktarılmış/)
  assert.equal((await known.getAttribute('class'))?.trim(), 'state', 'grey')
  assert.match(await row('notlar.txt').innerText(), /alınamaz/)
  assert.deepEqual([await a.lines(), await b.lines()], [[], []], 'a preview books nothing')
  await isSound(page, 'operator-statement-files')
  await page.getByRole('button', { name: '4 dosyayı aktar (5 yeni satır)' }).click()
  await page.getByText('Dosyalar aktarıldı').waitFor()
  assert.deepEqual([(await a.lines()).length, (await b.lines()).length, (await c.lines()).length], [3, 2, 1])
  assert.match(
    await row('a-12.xml').innerText(),
    new RegExp(`…${a.iban.slice(-4)}\\s+12\\.11\\.2026\\s+1\\s+1\\s+0\\s+aktarıldı`),
  )
  const card = page.locator('article.card', { hasText: 'c-13.xml' })
  await card.getByLabel('Sorunlara rağmen neden alınıyor?').fill('banka ara ekstreyi vermedi')
  await card.getByRole('button', { name: 'Sorunlarla birlikte aktar' }).click()
  await page.getByText('Dosyalar aktarıldı').waitFor()
  assert.match(await row('c-13.xml').innerText(), /aktarıldı/)
  assert.deepEqual([(await c.lines()).length, (await d.lines()).length], [2, 2])
  assert.equal(await page.getByRole('button', { name: /dosyayı aktar/ }).count(), 0)
  await isSound(page, 'operator-statement-files-done')
  await row('a-12.xml').getByRole('link').click()
  await page.getByRole('link', { name: 'Aktarmayı geri al' }).waitFor()
  assert.deepEqual(problems, [])
})

test('without JavaScript: a plain form with several files', async () => {
  const [one, two] = [await openFileAccount(app), await openFileAccount(app)]
  const { page, choose } = await enter({ javaScriptEnabled: false })
  await choose([
    { name: '1.xml', text: camt('053', { iban: one.iban, day: '2026-11-13', opening: 0, bookings: payments('x', 1) }) },
    { name: '2.xml', text: camt('053', { iban: two.iban, day: '2026-11-13', opening: 0, bookings: payments('y', 2) }) },
  ])
  await page.getByRole('button', { name: '2 dosyayı aktar (2 yeni satır)' }).click()
  await page.getByText('Dosyalar aktarıldı').waitFor()
  assert.deepEqual([(await one.lines()).length, (await two.lines()).length], [1, 1])
})

test('dropped together, with a large one among them: sent in parts, one preview', async () => {
  const [one, two] = [await openFileAccount(app), await openFileAccount(app)]
  const { page, problems } = await enter()
  const large = payments('p', ...Array.from({ length: 1500 }, (_, at) => 100 + at)).map((booking) => ({
    ...booking,
    text: 'havale '.repeat(80),
  }))
  const texts = [
    camt('053', { iban: one.iban, day: '2026-11-13', opening: 0, bookings: large }),
    camt('053', { iban: two.iban, day: '2026-11-13', opening: 0, bookings: payments('q', 5) }),
  ]
  assert.ok(Buffer.byteLength(texts[0] ?? '') > 1024 * 1024)
  await page.evaluate(`{
    const files = new DataTransfer()
    for (const [at, text] of ${JSON.stringify(texts)}.entries()) files.items.add(new File([text], 'f' + at + '.xml'))
    const drop = new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true })
    document.querySelector('form[data-drop] input[type=file]').dispatchEvent(drop)
  }`)
  await page.getByRole('heading', { name: '2 ekstre dosyası' }).waitFor()
  await page.getByRole('button', { name: '2 dosyayı aktar (1501 yeni satır)' }).waitFor()
  assert.deepEqual(problems, [])
})

async function uploading() {
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  const csrf = await person.csrf('/statements')
  const send = (
    files: { name: string; content: string | Buffer<ArrayBuffer> }[],
    fields: Record<string, string> = {},
  ) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ csrf, ...fields })) form.append(name, value)
    for (const { name, content } of files) form.append('file', new Blob([content]), name)
    return person.request('/statements/upload', form)
  }
  return { person, csrf, send }
}

test('too many files: said on the page', async () => {
  const { send } = await uploading()
  const many = await send(Array.from({ length: 21 }, (_, at) => ({ name: `${at}.xml`, content: 'x' })))
  assert.deepEqual([many.status, /en çok 20 dosya/.test(many.text)], [409, true])
})

test('parts of several files: no more files and bytes than in one form', async () => {
  const { send } = await uploading()
  const ids: string[] = []
  for (let at = 0; at < 20; at++) {
    const { text } = await send([{ name: `${at}.xml`, content: 'x' }], {
      ...{ part: '0', parts: '1' },
      ...(ids.length > 0 && { with: ids.join(',') }),
    })
    ids.push((JSON.parse(text) as { upload: string }).upload)
  }
  const more = await send([{ name: 'more.xml', content: 'x' }], { part: '0', parts: '1', with: ids.join(',') })
  assert.deepEqual([more.status, /en çok 20 dosya/.test(more.text)], [409, true])
  const large = await send([{ name: 'l.xml', content: 'x' }], { part: '0', parts: '51', with: ids[0] ?? '' })
  assert.match(large.text, /en çok 50 MB/)
  const gone = await send([{ name: 'l.xml', content: 'x' }], { part: '0', parts: '1', with: 'f'.repeat(24) })
  assert.equal(gone.status, 409)
})

test('the same file twice; confirmed twice; changed since the preview; not kept any more', async () => {
  const one = await openFileAccount(app)
  const { person, csrf, send } = await uploading()
  const text = camt('053', { iban: one.iban, day: '2026-11-13', opening: 0, bookings: payments('s', 1, 2) })
  const { location } = await send(['a.xml', 'b.xml'].map((name) => ({ name, content: text })))
  const path = (location ?? '').replace('/operator', '')
  const shown = (await person.request(path)).text
  assert.match(shown, /a\.xml ile aynı dosya/)
  const fields = Object.fromEntries([...shown.matchAll(/name="(seen-\w+)" value="(\w+)"/g)].map(([, n, v]) => [n, v]))
  const confirm = (seen: object) =>
    person.request(path.replace('uploads?', 'uploads/import?'), { csrf, ...(seen as Record<string, string>) })
  assert.equal((await confirm(Object.fromEntries(Object.keys(fields).map((name) => [name, 'other'])))).status, 409)
  assert.equal((await one.lines()).length, 0)
  const both = await Promise.all([confirm(fields), confirm(fields)])
  assert.deepEqual(both.map(({ status }) => status), [303, 303]) // prettier-ignore
  assert.equal((await one.lines()).length, 2)
  const gone = await person.request(`/statements/uploads?of=${'f'.repeat(24)}`)
  assert.deepEqual([gone.status, /Yeniden yükleyin/.test(gone.text)], [404, true])
})

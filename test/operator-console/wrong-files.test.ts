import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPerson, formWith, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'
import { camt, openFileAccount } from '../harness/statement-files.ts'

// Uploads that are no statements, that were imported meanwhile, or that lack lines that we have.
const service = await startService()
const { app } = service
await addPerson(service, 'ayse.yilmaz')
const person = visitor(service)
await person.logIn('ayse.yilmaz')
const csrf = await person.csrf()

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
const CUT = camt('053', { iban: 'TR330006100519786457841326', day: '2026-11-13', bookings: [] }).slice(0, -40)

async function upload(...files: [name: string, content: string | Buffer<ArrayBuffer>][]): Promise<string> {
  const [[name, content] = assert.fail('no file'), ...others] = files
  const form = formWith({ csrf }, name, content)
  for (const [other, text] of others) form.append('file', new Blob([text]), other)
  return ((await person.request('/statements/upload', form)).location ?? '').replace('/operator', '')
}
const shown = async (path: string) => visibleText((await person.request(path)).text)

test('an image and a cut XML: what they are, and no advice to choose a layout', async () => {
  const alone = await shown(await upload(['resim.png', PNG]))
  assert.match(alone, /metin olmayan bir dosya/)
  assert.doesNotMatch(alone, /tablo|düzenini seçin/)
  const both = await shown(await upload(['resim.png', PNG], ['yarim.xml', CUT]))
  assert.match(both, /Ekstreyi bankadan yeniden indirip yükleyin/)
  assert.doesNotMatch(both, /düzenini seçin/)
  const table = await shown(await upload(['a.csv', 'a;b;c;d;e\n1;2;3;4;5\n1;2;3;4;5\n']))
  assert.match(table, /banka düzenini seçin/)
})

test('a file that was imported meanwhile is not called not imported', async () => {
  const account = await openFileAccount(app)
  const text = camt('053', {
    iban: account.iban,
    day: '2026-11-13',
    opening: 0,
    bookings: [{ number: 'A1', amount: 5 }],
  })
  const path = await upload(['a.xml', text])
  assert.match(await shown(path), /Henüz hiçbir şey aktarılmadı/)
  await account.take(text)
  const after = await shown(path)
  assert.match(after, /Bu dosya daha önce aktarılmış/)
  assert.doesNotMatch(after, /Henüz hiçbir şey aktarılmadı/)
})

test('several files: a file that lacks lines that we have is not only ready', async () => {
  const account = await openFileAccount(app)
  const bookings = ['B1', 'B2'].map((number) => ({ number, amount: 700, time: '10:00:00' }))
  const of = { iban: account.iban, day: '2026-11-12', opening: 0 }
  await account.take(camt('052', { ...of, bookings }))
  const other = await openFileAccount(app)
  const page = await shown(
    await upload(
      ['final.xml', camt('053', { ...of, bookings: bookings.slice(1) })],
      ['other.xml', camt('053', { iban: other.iban, day: '2026-11-12', opening: 0, bookings })],
    ),
  )
  assert.match(page, /hazır · 1 not: Ekstrede olmayan satırlar/)
})

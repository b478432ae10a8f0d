import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cheap, merchantUser, PASSWORD } from '../harness/logins.ts'
import { formWith, visitor } from '../harness/operator-console.ts'
import { hiddenIn, visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'

// What the people of a merchant are told of their withdrawal instructions.
const service = await startService()
const shop = await service.merchant()
await merchantUser(cheap(service.app), shop.merchantId, 'owner@mine.example')
const person = visitor(service, 'merchant')
await person.logIn('owner@mine.example', PASSWORD)
const shown = async (path: string) => visibleText((await person.request(path)).text)
const IBAN = 'TR330006100519786457841326'

async function upload(text: string): Promise<string> {
  const csrf = await person.csrf('/instructions')
  const form = formWith({ csrf, currency: 'TRY' }, 'a.csv', text)
  return ((await person.request('/instructions/file', form)).location ?? '').replace('/merchant', '')
}

test('a wrong line of a file is named with what was written', async () => {
  const page = await shown(
    await upload(`processId;name;iban;amount\nW1;Ayşe Yılmaz;TR00 0001;350\nW1;Ali;${IBAN};1,00\n`),
  )
  assert.match(page, /IBAN TR00 0001 geçersiz: 26 karakter olmalı, 8 karakter var/)
  assert.match(page, /Tutar 350 geçersiz\. Kuruşuyla yazın: 1\.250,00/)
  assert.match(page, /W1 dosyada iki kez var/)
})

test('the first page says how many instructions wait; roles are in the language of the page', async () => {
  assert.doesNotMatch(await shown(''), /talimatı var/)
  const path = await upload(`processId;name;iban;amount\nW2;Ayşe Yılmaz;${IBAN};1,00\n`)
  const csrf = await person.csrf('/instructions')
  const { location } = await person.request(`${path.split('?')[0]}/propose`, { csrf, currency: 'TRY' })
  assert.match(await shown((location ?? '').replace('/merchant', '')), /\(sahip veya finans rolü\)/)
  assert.match(await shown(''), /Onay bekleyen 1 çekim talimatı var/)
  assert.match((await person.request('')).text, /href="\/merchant\/instructions">Onay bekleyen/)
})

test('whole lira are taken in forms, and nothing that may mean two amounts', async () => {
  const form = async (amount: string) => {
    const { text } = await person.request('/instructions')
    const fields = Object.fromEntries(hiddenIn(text, '/merchant/instructions'))
    return person.request('/instructions', { ...fields, currency: 'TRY', name: 'Ayşe Yılmaz', iban: IBAN, amount })
  }
  const { location } = await form('350')
  assert.match(await shown((location ?? '').replace('/merchant', '')), /350,00 TL/)
  for (const amount of ['1.250', '1,250', '350,5']) assert.match((await form(amount)).text, /Tutar geçersiz/, amount)
  assert.match(await shown('/instructions'), /İşlem no’nuz \(processId\)/)
})

test('who uploaded a file is who proposes it: another person cannot, so that the uploader never approves the own file', async () => {
  await merchantUser(cheap(service.app), shop.merchantId, 'finance@mine.example', 'finance')
  const other = visitor(service, 'merchant')
  await other.logIn('finance@mine.example', PASSWORD)
  const path = await upload(`processId;name;iban;amount\nW3;Ayşe Yılmaz;${IBAN};1,00\n`)
  assert.equal((await other.request(path)).status, 404)
  const sent = { csrf: await other.csrf('/instructions'), currency: 'TRY' }
  assert.equal((await other.request(`${path.split('?')[0]}/propose`, sent)).status, 404)
})

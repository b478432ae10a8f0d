import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cheap, merchantUser, PASSWORD } from '../harness/logins.ts'
import { visitor } from '../harness/operator-console.ts'
import { hiddenIn, visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'

// What pages of a merchant say beside their figures.
const service = await startService()
const shop = await service.merchant()
const NAMES = ['owner@mine.example', 'second@mine.example']
for (const name of NAMES) await merchantUser(cheap(service.app), shop.merchantId, name)
const person = visitor(service, 'merchant')

test('a wrong password names the e-mail, not a name', async () => {
  const { text } = await person.logIn('owner@mine.example', 'not the password')
  assert.match(visibleText(text), /E-posta veya parola yanlış/)
})

test('the first page says that a change of addresses waits for a second person', async () => {
  await person.logIn('owner@mine.example', PASSWORD)
  const home = async () => (await person.request('')).text
  assert.doesNotMatch(await home(), /bekleyen \d+ değişiklik/)
  const csrf = await person.csrf('/developer')
  await person.request('/developer/addresses/allow', { csrf, network: '198.51.100.7' })
  assert.match(await home(), /href="\/merchant\/developer">İkinci kişinin onayını bekleyen 1 değişiklik/)
})

test('the page of a new secret says until when the old one works', async () => {
  const { text } = await person.request('/developer')
  const fields = Object.fromEntries(hiddenIn(text, '/merchant/developer/keys/rotate'))
  const rotated = await person.request('/developer/keys/rotate', { ...fields, overlap: '24' })
  assert.match(visibleText(rotated.text), /Eski secret şu ana kadar geçerli \d\d\.\d\d\.\d{4} \d\d:\d\d/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { passkeyRegistration } from '../../packages/server/src/domain/identity/index.ts'
import { softwarePasskey } from '../harness/authenticator.ts'
import { cheap, merchantUser, PASSWORD as OF_USER } from '../harness/logins.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { attributeIn, visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'

const PUBLIC = 'https://pay.example'
const live = await startService({ mode: 'live', publicUrl: PUBLIC })
for (const name of ['adm.bir', 'adm.iki']) await addPerson(live, name, ['admin'], 'ayse.yilmaz')
const { merchantId } = await live.merchant()
for (const role of ['owner', 'finance', 'support'])
  await merchantUser(cheap(live.app), merchantId, `${role}@shop.example`, role)

const sender = (person: ReturnType<typeof visitor>, csrf: string) => (path: string, fields: Record<string, string>) =>
  person.request(path, { csrf, ...fields })

async function setUpPasskey(person: ReturnType<typeof visitor>): Promise<void> {
  const { text } = await person.request('/login')
  const options = JSON.parse(attributeIn(text, 'data-options')) as Awaited<ReturnType<typeof passkeyRegistration>>
  const passkey = JSON.stringify(softwarePasskey({ origin: PUBLIC }).create(options))
  await person.request('/login/set-up/passkey', { csrf: await person.csrf('/login'), label: 'anahtar', passkey })
}

async function admin(name: string) {
  const person = visitor(live)
  await person.logIn(name)
  await setUpPasskey(person)
  return { ...person, send: sender(person, await person.csrf('/people')) }
}

async function user(role: string) {
  const person = visitor(live, 'merchant')
  const { location } = await person.logIn(`${role}@shop.example`, OF_USER)
  assert.equal(location, role === 'support' ? '/merchant' : '/merchant/login')
  if (role !== 'support') await setUpPasskey(person)
  return { ...person, send: sender(person, await person.csrf('/team')) }
}

const [one, two] = [await admin('adm.bir'), await admin('adm.iki')]
const owner = await user('owner')
const PAGE = `/merchants/${merchantId}`
const tokenIn = (text: string) => /invitation\/([\w-]+)/.exec(text)?.[1] ?? assert.fail(visibleText(text))
const codeIn = (text: string) => /<code>(\w{4}-\w{4})<\/code>/.exec(text)?.[1] ?? assert.fail(visibleText(text))
/** The form of the code on Team, beside this address. */
const askedFor = (text: string, email: string) =>
  new RegExp(`${email}(?:(?!<li>)[^])*?action="/merchant(/team/invitations/\\w+/code)"`).exec(text)?.[1]
const choose = (token: string, code: string) =>
  visitor(live, 'merchant').request('/invitation', { token, password: PASSWORD, code })

test('live: the link of one admin, the code of another or of an owner', async () => {
  const email = 'new@shop.example'
  const invited = await one.send(`${PAGE}/invite`, { email, role: 'finance' })
  assert.match(visibleText(invited.text), /bir de kod girer\. Kodu, operatörün başka bir yöneticisi veya satıcının/)
  const token = tokenIn(invited.text)
  const form = await visitor(live, 'merchant').request(`/invitation/${token}`)
  assert.match(visibleText(form.text), /Davet kodu[^]*sahip veya finans rolündeki biri ya da operatör/)
  const wrong = await choose(token, 'aaaa-aaaa')
  assert.match(visibleText(wrong.text), /Kod yanlış\. Kodu, bağlantıyı gönderenden başka bir yönetici ya da satıcının/)
  const own = visibleText((await one.request(PAGE)).text)
  assert.match(own, /new@shop\.example finans · davet eden: adm\.bir[^]*kod bekliyor/)
  assert.doesNotMatch(own, /Davet kodunu göster/, 'not for who saw the link')
  assert.equal((await one.send(`${PAGE}/code`, { email })).status, 409)
  for (const unknown of ['a\0b@shop.example', 'x'.repeat(5000), ''])
    assert.equal((await two.send(`${PAGE}/code`, { email: unknown })).status, 409)
  assert.match(visibleText((await two.request(PAGE)).text), /kod bekliyor[^]*Davet kodunu göster/)
  const first = codeIn((await two.send(`${PAGE}/code`, { email })).text)
  const team = (await owner.request('/team')).text
  assert.match(visibleText(team), /new@shop\.example finans · davet eden: operatör[^]*kodu verildi/)
  assert.doesNotMatch(team, /adm\.bir/, 'nothing of the staff')
  const code = codeIn((await owner.send(askedFor(team, email) ?? '', {})).text)
  assert.match(visibleText((await choose(token, first)).text), /Kod yanlış/)
  assert.equal((await choose(token, code)).location, '/merchant/login')
  assert.doesNotMatch((await owner.request('/team')).text, /Davet edilenler/)
})

test('live: the link of an owner, the code of finance', async () => {
  const [finance, support] = [await user('finance'), await user('support')]
  const email = 'dev@shop.example'
  const invited = await owner.send('/team', { email, role: 'developer' })
  assert.match(visibleText(invited.text), /Kodu, sahip veya finans rolündeki başka bir kullanıcı Ekip sayfasında alır/)
  assert.equal(askedFor((await owner.request('/team')).text, email), undefined)
  assert.match(visibleText((await support.request('/team')).text), /kod bekliyor/)
  const path = askedFor((await finance.request('/team')).text, email) ?? assert.fail('no form')
  assert.equal((await owner.send(path, {})).status, 409)
  assert.equal((await two.send(`${PAGE}/code`, { email })).status, 409, 'the staff does not decide who is in the team')
  assert.equal((await support.send(path, {})).status, 403)
  const code = codeIn((await finance.send(path, {})).text)
  assert.equal((await choose(tokenIn(invited.text), code)).location, '/merchant/login')
})

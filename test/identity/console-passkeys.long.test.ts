import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import type { passkeyProof, passkeyRegistration } from '../../packages/server/src/domain/identity/index.ts'
import { SECTIONS } from '../../packages/server/src/edges/operator-console/routes.ts'
import { softwarePasskey } from '../harness/authenticator.ts'
import { authenticator, cheap, merchantUser, PASSWORD as MERCHANT_PASSWORD } from '../harness/logins.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { attributeIn, refusalIn, visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'

// As behind a proxy that serves the consoles under a path of its own: only the public address counts.
const ORIGIN = 'https://pay.example'
const publicUrl = `${ORIGIN}/vezne`
const service = await startService({ publicUrl })
const { app } = service
const shop = await service.merchant()
await addPerson(service, 'ayse.yilmaz')

type Person = ReturnType<typeof visitor>
type Passkey = ReturnType<typeof softwarePasskey>
type Creation = Awaited<ReturnType<typeof passkeyRegistration>>
type Request = Awaited<ReturnType<typeof passkeyProof>>

const optionsIn = (text: string) => JSON.parse(attributeIn(text, 'data-options')) as Creation & Request

/** On one's own page: returns the passkey, and the codes that came with it. */
async function addPasskey(person: Person, label: string, passkey = softwarePasskey({ origin: ORIGIN })) {
  const page = await person.request('/own/passkeys/new', { csrf: await person.csrf('/own') })
  assert.equal(page.status, 200)
  const response = JSON.stringify(passkey.create(optionsIn(page.text)))
  const done = await person.request('/own/passkeys', { csrf: await person.csrf('/own'), label, passkey: response })
  return { passkey, done }
}

async function operatorWithPasskey(name: string) {
  await addPerson(service, name, ['viewer'], 'ayse.yilmaz')
  const person = visitor(service)
  assert.equal((await person.logIn(name)).location, '/vezne/operator')
  return { person, ...(await addPasskey(person, 'telefon')) }
}

/** After the password: the page of the second step, and how to send a response. */
async function secondStep(name: string) {
  const person = visitor(service)
  assert.equal((await person.logIn(name)).location, '/vezne/operator/login')
  const csrf = await person.csrf('/login')
  const options = async () => optionsIn((await person.request('/login')).text)
  const send = (response: unknown) =>
    person.request('/login/passkey', {
      csrf,
      passkey: typeof response === 'string' ? response : JSON.stringify(response),
    })
  return { person, options, send, csrf }
}

test('live: without a second factor nothing opens but setting one up, with an app or a passkey', async () => {
  const live = await startService({ mode: 'live', publicUrl })
  await addPerson(live, 'bora.boz', undefined, 'ayse.yilmaz')
  const person = visitor(live)
  assert.equal((await person.logIn('bora.boz')).location, '/vezne/operator/login')
  const { text } = await person.request('/login')
  const csrf = attributeIn(text.slice(text.indexOf('name="csrf"')), 'value')
  for (const { views, forms } of SECTIONS) {
    for (const { path } of views)
      assert.equal((await person.request(path.replace(':id', 'f'.repeat(24)))).location, '/vezne/operator/login', path)
    for (const { path } of forms)
      assert.equal((await person.request(path.replace(':id', 'f'.repeat(24)), { csrf })).status, 303, path)
  }
  assert.match(text, /otpauth|class="qr|<svg/, 'an app')
  const passkey = softwarePasskey({ origin: ORIGIN })
  const options = optionsIn(text)
  assert.equal(options.rp.id, 'pay.example')
  const given = { csrf, label: 'anahtar', passkey: JSON.stringify(passkey.create(options)) }
  const done = await person.request('/login/set-up/passkey', given)
  assert.equal(done.text.match(/<li><code>/g)?.length, 10, 'recovery codes')
  assert.equal((await person.request('')).status, 200)
  const own = await person.request('/own')
  assert.match(own.text, /anahtar/)
  assert.match(own.text, /Son ikinci adım kaldırılamaz/)
  const last = { csrf: await person.csrf('/own'), id: passkey.id }
  const removed = await person.request('/own/passkeys/remove', last)
  assert.deepEqual([removed.status, /Başka ikinci adımınız yok/.test(refusalIn(removed.text))], [409, true])
})

test('a passkey is the second step of a login, and a recovery code without it', async () => {
  const { passkey, done } = await operatorWithPasskey('cem.can')
  const code = /<li><code>([^<]+)/.exec(done.text)?.[1] ?? ''
  const { person, send, ...step } = await secondStep('cem.can')
  const options = await step.options()
  assert.deepEqual([options.rpId, options.allowCredentials?.map(({ id }) => id)], ['pay.example', [passkey.id]])
  assert.equal((await send(passkey.get(options, { verified: false }))).location, '/vezne/operator')
  assert.equal((await person.request('')).status, 200)
  assert.match((await person.request('/own')).text, /<b>telefon<\/b>[^]*Son kullanım: <time/)
  const other = await secondStep('cem.can')
  const entered = await other.person.request('/login/code', { csrf: other.csrf, code })
  assert.equal(entered.location, '/vezne/operator')
})

test('a passkey is a login without a password if the device verified its user, in its own console only', async () => {
  const { passkey } = await operatorWithPasskey('can.cetin')
  const person = visitor(service)
  assert.match((await person.request('/login')).text, /href="\/vezne\/operator\/login\/by-passkey"/)
  const options = async (who = person) => optionsIn((await who.request('/login/by-passkey')).text)
  const send = (response: unknown, who = person) =>
    who.request('/login/by-passkey', { passkey: JSON.stringify(response) })
  const refused = await send(passkey.get(await options(), { verified: false }))
  assert.deepEqual([refused.status, /doğrulanamadı/.test(refusalIn(refused.text))], [409, true], 'not verified')
  const merchant = visitor(service, 'merchant')
  assert.equal((await send(passkey.get(await options(merchant)), merchant)).status, 409, 'of the other console')
  assert.equal((await person.request('')).location, '/vezne/operator/login')
  const response = passkey.get(await options())
  assert.equal((await send(response)).location, '/vezne/operator')
  assert.equal((await person.request('')).status, 200)
  assert.equal((await send(response, visitor(service))).status, 409, 'replayed')
})

test('after a change of the password the page says that passkeys still log in; the audit has it all, with its address', async () => {
  const { person, passkey } = await operatorWithPasskey('pelin.pak')
  const change = { csrf: await person.csrf('/own'), current: PASSWORD, next: 'sekiz turuncu kayık limanda' }
  const changed = await person.request('/own/password', change)
  assert.equal(changed.location, '/vezne/operator/own?said=password_changed_passkeys')
  const { text } = await person.request('/own?said=password_changed_passkeys')
  assert.match(text, /Parola değişti[^<]*Geçiş anahtarlarınız hâlâ girişte geçer/)
  assert.match(text, /yeni parolayla da girişte geçer[^<]*<a href="#passkeys">/)
  const alone = visitor(service)
  const options = optionsIn((await alone.request('/login/by-passkey')).text)
  const entered = await alone.request('/login/by-passkey', { passkey: JSON.stringify(passkey.get(options)) })
  assert.equal(entered.location, '/vezne/operator')
  const entries = await listAudit(app.db, { actor: 'pelin.pak' }, 9)
  // The invitation was accepted before this test, and not in a console.
  const ofTest = entries.filter(({ action }) => action !== 'login.accept_invitation')
  const seen = ofTest.map(({ action, origin }) => [action, origin['edge'], origin['address']])
  const acts = ['login.by_passkey', 'login.change_password', 'login.add_passkey']
  assert.deepEqual(
    seen,
    acts.map((act) => [act, 'console', '127.0.0.1']),
  )
  const admin = visitor(service)
  await admin.logIn('ayse.yilmaz')
  const shown = visibleText((await admin.request('/audit?actor=pelin.pak&action=login.by_passkey')).text)
  assert.match(shown, /pelin\.pak.*Yalnızca geçiş anahtarıyla girdi.*geçiş anahtarının adı: telefon/)
  assert.doesNotMatch(shown, /#\d+ pelin\.pak[^#]*Parolasını değiştirdi/)
})

test('the second step of one who has only a passkey asks for it first, then for a recovery code', async () => {
  await operatorWithPasskey('derya.dal')
  const { person } = await secondStep('derya.dal')
  const { text } = await person.request('/login')
  assert.ok(text.indexOf('data-passkey') < text.indexOf('name="code"'))
  assert.doesNotMatch(text, /uygulama/)
})

test('refused: of another origin, replayed, of another person, for something else, too old, or no passkey at all', async () => {
  const { passkey } = await operatorWithPasskey('deniz.duman')
  const { passkey: stranger } = await operatorWithPasskey('ece.er')
  const used = await secondStep('deniz.duman')
  const replayed = passkey.get(await used.options())
  assert.equal((await used.send(replayed)).location, '/vezne/operator')
  const forged: [string, (options: Request) => unknown][] = [
    ['of another origin', (options) => passkey.get(options, { at: 'https://pay.example.evil.example' })],
    ['of the same host without TLS', (options) => passkey.get(options, { at: 'http://pay.example' })],
    ['replayed', () => replayed],
    ['of another person', (options) => stranger.get(options)],
    ['of another host', (options) => passkey.get({ ...options, rpId: 'evil.example' })],
    ['with a challenge of their own', (options) => passkey.get({ ...options, challenge: 'A'.repeat(43) })],
    ...['', '{', 'null', '[]', '"x"', '{"id":1}'].map((text): [string, () => string] => [text, () => text]),
  ]
  const { person, options, send } = await secondStep('deniz.duman')
  for (const [what, respond] of forged) {
    const refused = await send(respond(await options()))
    assert.deepEqual([refused.status, /doğrulanamadı/.test(refusalIn(refused.text))], [409, true], what)
    assert.equal((await person.request('')).location, '/vezne/operator/login', what)
  }
  const old = await options()
  await travelTo(app, 301)
  assert.equal((await send(passkey.get(old))).status, 409, 'after five minutes')
  await travelTo(app, 0)
  const response = JSON.stringify(passkey.get(await options()))
  const { status } = await person.request('/login/passkey', { csrf: 'x'.repeat(43), passkey: response })
  assert.deepEqual([status, (await person.request('')).status], [409, 303], 'without the token of the form')
  assert.equal((await send(passkey.get(await options()))).location, '/vezne/operator', 'as it should be')
})

test('one’s own page: passkeys are added, renamed and removed after a fresh proof, and only one’s own', async () => {
  const { person, passkey } = await operatorWithPasskey('filiz.fer')
  const { passkey: theirs } = await operatorWithPasskey('gizem.gul')
  const second = await addPasskey(person, 'anahtar <b>')
  assert.equal(second.done.location, '/vezne/operator/own?said=passkey_added')
  const post = async (act: string, fields: Record<string, string>) =>
    person.request(`/own/passkeys/${act}`, { ...fields, csrf: await person.csrf('/own') })
  assert.match((await post('rename', { id: passkey.id, label: 'cüzdan' })).location ?? '', /passkey_renamed/)
  assert.equal((await post('rename', { id: passkey.id, label: ' ' })).status, 409)
  for (const act of ['rename', 'remove'])
    assert.match(refusalIn((await post(act, { id: theirs.id, label: 'x' })).text), /Böyle bir geçiş anahtarı yok/)
  const { text } = await person.request('/own')
  assert.match(text, /cüzdan/)
  assert.match(text, /anahtar &#60;b&#62;/)
  await travelTo(app, 11 * 60)
  const asked = await post('remove', { id: passkey.id })
  assert.match(asked.text, /Parolanızı yeniden girin/)
  const fields = { id: passkey.id, 'proof-password': PASSWORD }
  assert.match((await post('remove', fields)).location ?? '', /passkey_removed/)
  assert.doesNotMatch((await person.request('/own')).text, /cüzdan/)
  await travelTo(app, 0)
})

test('a passkey proves again who is there; that of another person does not', async () => {
  const { person, passkey } = await operatorWithPasskey('halil.han')
  const { passkey: theirs } = await operatorWithPasskey('inci.ince')
  await travelTo(app, 11 * 60)
  const ask = async (fields: Record<string, string> = {}) =>
    person.request('/own/app', { ...fields, csrf: await person.csrf('/own') })
  const prove = async (by: Passkey) => {
    const options = optionsIn((await ask()).text)
    return ask({ 'proof-passkey': JSON.stringify(by.get(options)) })
  }
  assert.match(refusalIn((await prove(theirs)).text), /doğrulanamadı/)
  assert.match((await prove(passkey)).text, /İkinci adımı kurun/, 'the form goes on')
  assert.match((await ask()).text, /İkinci adımı kurun/, 'and the next one asks for nothing')
  await travelTo(app, 0)
})

for (const audience of ['operator', 'merchant'] as const)
  test(`${audience}: an app is set up on one’s own page; the next login takes its code, and other sessions end`, async () => {
    const name = audience === 'operator' ? 'jale.jon' : 'jale@shop.example'
    if (audience === 'operator') await addPerson(service, name, ['viewer'], 'ayse.yilmaz')
    else await merchantUser(cheap(app), shop.merchantId, name, 'support')
    const password = audience === 'operator' ? PASSWORD : MERCHANT_PASSWORD
    const [person, other] = [visitor(service, audience), visitor(service, audience)]
    for (const one of [person, other]) await one.logIn(name, password)
    const { text } = await person.request('/own/app', { csrf: await person.csrf('/own') })
    const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? '').replaceAll(' ', '')
    const codes = authenticator(secret)
    const confirm = async (code: string) =>
      person.request('/own/app/confirm', { csrf: await person.csrf('/own'), code })
    assert.match(refusalIn((await confirm('000000')).text), /Bu kod yanlış/)
    const done = await confirm(codes(app))
    assert.equal(done.text.match(/<li><code>/g)?.length, 10, 'recovery codes')
    assert.equal((await person.request('')).status, 200, 'the session goes on')
    assert.ok(done.text.includes(await person.csrf('/own')), 'with forms of its new token')
    assert.equal((await other.request('')).status, 303, 'the other one has ended')
    assert.match((await person.request('/own')).text, /Açık: girişte/)
    const again = visitor(service, audience)
    assert.equal((await again.logIn(name, password)).location, `/vezne/${audience}/login`)
    const entered = await again.request('/login/code', { csrf: await again.csrf('/login'), code: codes(app, 1) })
    assert.equal(entered.location, `/vezne/${audience}`)
    const fresh = await again.request('/own/codes', { csrf: await again.csrf('/own') })
    assert.equal(fresh.text.match(/<li><code>/g)?.length, 10, 'new codes')
  })

test('an address without a name takes no passkeys, and says so', async () => {
  const plain = await startService()
  await addPerson(plain, 'kaan.kar')
  const person = visitor(plain)
  await person.logIn('kaan.kar')
  assert.match((await person.request('/own')).text, /Bu adreste geçiş anahtarı kullanılamaz/)
  const refused = await person.request('/own/passkeys/new', { csrf: await person.csrf('/own') })
  assert.equal(refused.status, 409)
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { passkeyRegistration } from '../../packages/server/src/domain/identity/index.ts'
import { acceptInvitation } from '../../packages/server/src/domain/identity/index.ts'
import { addOperator, DECIDING, listOperators } from '../../packages/server/src/domain/people/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { softwarePasskey } from '../harness/authenticator.ts'
import { cheap } from '../harness/cheap-passwords.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { merchantUser } from '../harness/logins.ts'
import { addPerson, PASSWORD, visitor } from '../harness/operator-console.ts'
import { attributeIn, hiddenIn, visibleText } from '../harness/page-text.ts'
import { setMode } from '../harness/roles.ts'
import { startService } from '../harness/service.ts'

const PUBLIC = 'https://pay.example'
const ONE = 'adm.bir'
const TWO = 'adm.iki'

/** A live console, with ayse.yilmaz and two more admins. */
async function liveConsole() {
  const live = await startService({ mode: 'live', publicUrl: PUBLIC })
  const enter = async (name: string) => {
    const person = visitor(live)
    await person.logIn(name)
    const { text } = await person.request('/login')
    const options = JSON.parse(attributeIn(text, 'data-options')) as Awaited<ReturnType<typeof passkeyRegistration>>
    const passkey = JSON.stringify(softwarePasskey({ origin: PUBLIC }).create(options))
    await person.request('/login/set-up/passkey', { csrf: await person.csrf('/login'), label: 'anahtar', passkey })
    const csrf = await person.csrf('/people')
    return { ...person, send: (path: string, fields = {}) => person.request(path, { csrf, ...fields }) }
  }
  for (const name of [ONE, TWO]) await addPerson(live, name, ['admin'], 'ayse.yilmaz')
  const rolesOf = async (name: string) => (await listOperators(live.app.db)).find((one) => one.name === name)?.roles
  const [one, two] = [await enter(ONE), await enter(TWO)]
  /** What the other admin sees of the newest proposal; approved with what is on the page. */
  const approve = async (by: typeof one) => {
    const { text } = await by.request('/approvals')
    const [, path = ''] = /action="[^"]*(\/proposals\/\w+\/approve)"/.exec(text) ?? []
    const done = await by.send(path, Object.fromEntries(hiddenIn(text, `/operator${path}`)))
    return { card: visibleText(text), done }
  }
  /** With the link that one admin sees, and the code that the other does. */
  const accept = async (name: string, text: string, by: typeof one) => {
    const token = /invitation\/([\w-]+)/.exec(text)?.[1] ?? assert.fail(visibleText(text))
    const shown = await by.send(`/people/${name}/code`)
    const code = /<code>(\w{4}-\w{4})<\/code>/.exec(shown.text)?.[1] ?? assert.fail(visibleText(shown.text))
    return acceptInvitation(cheap(live.app), { token, password: PASSWORD, code })
  }
  return { live, one, two, rolesOf, approve, accept, enter }
}

test('live: one admin proposes a person, roles and the reset of a login; the other sees them and approves', async () => {
  const { live, one, two, rolesOf, approve, accept, enter } = await liveConsole()
  assert.match(visibleText((await one.request('/people')).text), /ikinci bir yönetici Onaylar sayfasında onaylar/)
  const why = 'yeni vezne görevlisi'
  const added = await one.send('/people/add', { name: 'kasa.bir', role: 'cashier', why })
  assert.match(added.location ?? '', /said=proposalMade/, visibleText(added.text))
  assert.equal(await rolesOf('kasa.bir'), undefined)
  assert.equal((await one.send('/people/kasa.bir/invite')).status, 404)
  const own = visibleText((await one.request('/approvals')).text)
  assert.doesNotMatch(own, /Onayla /, 'not by who proposed it')
  const first = await approve(two)
  assert.match(first.card, /Yeni kişi · kasa\.bir[^]*\+ vezne görevlisi[^]*Öneren adm\.bir: yeni vezne görevlisi/)
  assert.match(first.done.location ?? '', /said=proposalApplied/, visibleText(first.done.text))
  assert.deepEqual(await rolesOf('kasa.bir'), ['cashier'])
  assert.match(visibleText((await one.request('/people')).text), /henüz girişi olmayanlar:.* kasa\.bir \(/)
  const invited = (await one.send('/people/kasa.bir/invite')).text
  assert.match(visibleText(invited), /kodu başka bir yönetici kişinin sayfasında alır/)
  assert.match(visibleText((await one.request('/people/kasa.bir')).text), /Bağlantıyı siz gördüğünüz için/)
  const byOneself = await one.send('/people/kasa.bir/code')
  assert.equal(byOneself.status, 409)
  assert.match(
    visibleText(byOneself.text),
    /kasa\.bir için kodu siz veremezsiniz\. Kodu, bağlantıyı gönderenden başka bir yönetici verir/,
  )
  assert.match(
    visibleText((await two.request('/people/kasa.bir')).text),
    /Daveti adm\.bir oluşturdu[^]*Davet kodunu göster/,
  )
  const token = /invitation\/([\w-]+)/.exec(invited)?.[1] ?? ''
  const form = await visitor(live).request(`/invitation/${token}`)
  assert.match(visibleText(form.text), /Davet kodu/)
  const wrong = await visitor(live).request('/invitation', { token, password: PASSWORD, code: 'aaaa-aaaa' })
  assert.match(visibleText(wrong.text), /Kod yanlış/)
  await accept('kasa.bir', invited, two)
  const cashier = await enter('kasa.bir')
  assert.equal((await cashier.request('')).status, 200)

  const again = await one.send('/people/kasa.bir/invite')
  assert.equal(again.status, 409)
  assert.match(visibleText(again.text), /Önce iki yönetici girişi sıfırlar/)
  const given = await one.send('/people/kasa.bir/roles', { seen: 'cashier', role: 'approver', why })
  assert.match(given.location ?? '', /said=proposalMade/, visibleText(given.text))
  const roles = await approve(two)
  assert.match(roles.card, /Kişinin rolleri · kasa\.bir[^]*− vezne görevlisi \+ onaylayan/)
  assert.deepEqual(await rolesOf('kasa.bir'), ['approver'])

  const page = visibleText((await one.request('/people/kasa.bir')).text)
  assert.match(page, /Girişi sıfırla/)
  assert.doesNotMatch(page, /davet et/i)
  const reset = await one.send('/people/kasa.bir/reset', { why: 'telefonunu kaybetti' })
  assert.match(reset.location ?? '', /said=proposalMade/, visibleText(reset.text))
  assert.equal((await cashier.request('')).status, 200, 'nothing ends before the approval')
  const ended = await approve(two)
  assert.match(ended.card, /Girişi sıfırlama · kasa\.bir[^]*Giriş[^]*→ yok[^]*telefonunu kaybetti/)
  assert.equal((await cashier.request('')).status, 303)
  assert.match(visibleText((await one.request('/people/kasa.bir')).text), /Davet et/)
  await accept('kasa.bir', (await one.send('/people/kasa.bir/invite')).text, two)
  const taken = await one.send('/people/kasa.bir/roles', { seen: 'approver', role: 'viewer', why })
  assert.match(taken.location ?? '', /said=roles_changed/, 'one admin takes roles away')
})

test('live: one admin alone does not end with another login that decides, whatever is tried', async () => {
  const { live, one, rolesOf } = await liveConsole()
  await addPerson(live, 'appr.bir', ['approver'], 'ayse.yilmaz')
  const csrf = await one.csrf('/people')
  for (const name of ['appr.bir', TWO])
    for (const path of ['invite', 'reset', 'roles']) {
      const fields = new URLSearchParams({ csrf, seen: (await rolesOf(name))?.join(' ') ?? '', why: 'kayıp telefon' })
      for (const role of ['admin', 'approver', 'cashier']) fields.append('role', role)
      const { status, location, text } = await one.request(`/people/${name}/${path}`, fields)
      const isHeld = status === 409 || /said=proposalMade/.test(location ?? '')
      assert.ok(isHeld, `${path} of ${name}: ${status} ${visibleText(text)}`)
    }
  assert.deepEqual(await rolesOf('appr.bir'), ['approver'])
  assert.equal((await visitor(live).logIn('appr.bir')).status, 303, 'the password is as it was')
})

test('live, on the command line: the same command by a second admin approves it', async () => {
  const other = await startService()
  for (const name of ['ada.aksoy', 'bora.boz']) await addOperator(other.app, UNATTRIBUTED, name, DECIDING)
  const data = mkdtempSync(join(tmpdir(), 'vezne-people-'))
  await setMode(other.databaseUrl, 'live')
  const { run, stop } = openCommandLine({
    ...{ VEZNE_DATA: data, DATABASE_URL: other.databaseUrl, VEZNE_MODE: 'live', VEZNE_PUBLIC_URL: PUBLIC },
    VEZNE_MASTER_KEY: other.app.config.masterKey.toString('hex'),
  })
  after(() => {
    stop()
    rmSync(data, { recursive: true, force: true })
  })
  const as = (name: string, ...command: string[]) => run([...command, '--as', name])
  const byTwo = async (done: RegExp, ...command: string[]) => {
    const first = await as('ada.aksoy', ...command)
    assert.match(first.output, /Proposed as \w+\. Nothing is changed until another person/, first.errors)
    const second = await as('bora.boz', ...command)
    assert.match(second.output, done, second.errors)
  }
  await byTwo(/kasa\.bir is added, with the roles cashier/, 'operator', 'add', 'kasa.bir', '--role', 'cashier')
  await byTwo(/has the roles approver/, 'operator', 'roles', 'kasa.bir', '--role', 'approver')
  const viewer = await as('ada.aksoy', 'operator', 'roles', 'kasa.bir', '--role', 'viewer')
  assert.match(viewer.output, /kasa\.bir has the roles viewer/, viewer.errors)
  const none = await as('ada.aksoy', 'operator', 'reset', 'kasa.bir')
  assert.match(none.errors, /kasa\.bir has no login yet\. Invite the person/)
  const proposed = await as('ada.aksoy', 'operator', 'add', 'kasa.iki', '--role', 'cashier', '--why', 'hired')
  const id = /Proposed as (\w+)/.exec(proposed.output)?.[1] ?? assert.fail(proposed.errors)
  const shown = await run(['proposal', 'show', id])
  const seen = /--seen (\w+)/.exec(shown.output)?.[1] ?? assert.fail(shown.output)
  const approved = await as('bora.boz', 'proposal', 'approve', id, '--seen', seen)
  assert.match(approved.output, /Invite the person: vezne operator invite kasa\.iki/, approved.errors)

  const { merchantId } = await other.merchant()
  await merchantUser(cheap(other.app), merchantId, 'owner@shop.example')
  const invited = await as('ada.aksoy', 'merchant', 'invite', merchantId, 'fin@shop.example', '--role', 'finance')
  assert.match(invited.output, /needs a code, which another admin gives: vezne merchant code \w+ fin@/, invited.errors)
  const own = await as('ada.aksoy', 'merchant', 'code', merchantId, 'fin@shop.example')
  assert.match(own.errors, /You cannot give the code of fin@shop\.example\. The code is given by an admin other/)
  const code = await as('bora.boz', 'merchant', 'code', merchantId, 'Fin@shop.example')
  assert.match(code.output, /enters this code with the new password[^]*\n {2}\w{4}-\w{4}\n/, code.errors)
})

import assert from 'node:assert/strict'
import sharp from 'sharp'
import { test } from 'node:test'
import { proposalsOfMerchant, rejectProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { makeLink } from '../../packages/server/src/domain/deposits/index.ts'
import { disableLogin, listLogins, listSessions } from '../../packages/server/src/domain/identity/index.ts'
import { listCalls } from '../../packages/server/src/domain/merchants/index.ts'
import {
  addOperator,
  DECIDING,
  MERCHANT_RIGHTS,
  MERCHANT_ROLES,
} from '../../packages/server/src/domain/people/index.ts'
import { listEndpoints, listEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { SECTIONS } from '../../packages/server/src/edges/merchant-console/routes.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { runCallbacksOnce, setCallbackUrl } from '../harness/callbacks.ts'
import { accepted } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { merchantSubjects } from '../harness/merchant-subjects.ts'
import { cheap, merchantUser, PASSWORD } from '../harness/logins.ts'
import { formWith, visitor } from '../harness/operator-console.ts'
import { ingest, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startReceiver } from '../harness/receiver.ts'
import { startService } from '../harness/service.ts'
import { fund, registerAccount } from '../harness/settlements.ts'

const VIEWS = SECTIONS.flatMap(({ views }) => views)
const FORMS = SECTIONS.flatMap(({ forms }) => forms)

const service = await startService()
const { app } = service
const receiver = await startReceiver()
const NONE = 'f'.repeat(24)
const STAFF = operatorActor('ayse.yilmaz')
for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await addOperator(app, UNATTRIBUTED, name, DECIDING)

/** What people type into a form; hidden fields are read from its page. */
const TYPED: Record<string, Record<string, string>> = {
  '/developer/keys/revoke': { sure: 'yes' },
  '/developer/endpoints': { url: `${receiver.url}/added` },
  '/developer/endpoints/:id/disable': { reason: 'moves' },
  '/developer/endpoints/:id/url': { url: `${receiver.url}/moved` },
  '/developer/proposals/:id/reject': { why: 'not ours' },
  '/developer/addresses/allow': { network: '203.0.113.7' },
  '/developer/addresses/remove': { network: '203.0.113.7' },
  '/brand': { name: 'Mine', accent: '#0e5a6b' },
  '/brand/support': { phone: '+90 212 555 00 00', email: 'help@mine.example', address: 'Kadıköy' },
  '/team': { email: 'new@mine.example', role: 'support' },
  '/team/users/:id/role': { role: 'finance' },
  '/own/password': { current: PASSWORD, next: PASSWORD },
  '/links': { amount: '840,00', name: 'Veli Aslan' },
  '/instructions/:id/reject': { why: 'not what we owe' },
  '/instructions': { amount: '840,00', name: 'Veli Aslan', iban: 'TR620006200029500006291296' },
  '/transactions/:id/refund': { amount: '1,00', iban: 'TR620006200029500006291296', name: 'Veli Aslan' },
}
const LOGO = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#0e5a6b' } })
  .png()
  .toBuffer()
/** Forms with a file. */
const FILES: Record<string, (sent: Record<string, string>) => FormData> = {
  '/instructions/file': (sent) => formWith(sent, 'payments.csv', csv(mine.domain)),
  '/brand/logo': (sent) => formWith(sent, 'logo.png', Buffer.from(LOGO)),
  '/brand/logo-dark': (sent) => formWith(sent, 'logo.png', Buffer.from(LOGO)),
}
/** Forms that are answered by a page, which shows a secret once. */
const SHOWN = new Set([
  ...['/team', '/team/invitations/:id/code', '/own/app'],
  ...['/developer/keys/rotate', '/developer/endpoints/:id/rotate'],
])
/** Refused to everyone here: they take a code, a second factor or a host name. test/identity/console-passkeys.long.test.ts sends them. */
const REFUSED = new Set([
  ...['/own/app/confirm', '/own/codes'],
  ...['/own/passkeys/new', '/own/passkeys', '/own/passkeys/rename', '/own/passkeys/remove'],
])

const { csv, addInstruction, addUpload, addUser, addProposal, addInvitation } = merchantSubjects(app, STAFF)

/** A new one of this user. */
async function sessionOf(name: string): Promise<string> {
  const before = await listSessions(cheap(app), { name })
  await enter(name)
  const now = await listSessions(cheap(app), { name })
  return now.find(({ id }) => before.every((one) => one.id !== id))?.id ?? assert.fail('no session')
}

/** A merchant with a login of each role, a deposit, a withdrawal and an event. */
async function addShop(domain: string, name: string) {
  const shop = await service.merchant({ name, funds: 5_000_000n })
  await setCallbackUrl(app, shop.merchantId, `${receiver.url}/${domain}`)
  await registerAccount(app, ['ayse.yilmaz', 'mehmet.kaya'], shop.merchantId)
  for (const role of MERCHANT_ROLES) await merchantUser(cheap(app), shop.merchantId, `${role}@${domain}`, role)
  const [paid] = await someDeposits(app, shop.merchantId, 1, 84_000n)
  if (!paid) return assert.fail('no deposit')
  await ingest(app, [await lineFor(app, paid, { narrative: `${paid.referenceCode} bank text` })])
  await matchAll(app)
  const customer = { ...depositBody().customer, name: `Customer of ${domain}` }
  const { transactionId: deposit } = accepted(await shop.post('/v1/deposit', depositBody({ customer })), 201)
  const body = withdrawBody({ accountName: `Recipient of ${domain}` })
  const { transactionId: withdrawal } = accepted(await shop.post('/v1/withdraw', body), 201)
  await runCallbacksOnce(app)
  const [event] = await listEvents(app.db, shop.merchantId, { limit: 1 })
  const [endpoint] = await listEndpoints(app.db, shop.merchantId)
  const link = app.ids.next()
  await makeLink(app, UNATTRIBUTED, shop.merchantId, {
    ...{ id: link, amount: 100n, currency: 'TRY', note: '' },
    customer: { name: `Link of ${domain}`, id: '' },
  })
  const instruction = await addInstruction(shop.merchantId, domain)
  const upload = await addUpload(shop.merchantId, domain, `owner@${domain}`)
  const change = await addProposal(shop.merchantId)
  await app.callLog.flush()
  const [call] = await listCalls(app.db, shop.merchantId, { failed: false, before: undefined, limit: 1 })
  const user = await addUser(shop.merchantId, domain)
  const session = await sessionOf(`support@${domain}`)
  const invitation = await addInvitation(shop.merchantId, domain)
  const ids = {
    ...{ instruction, upload, change, user, session, invitation, call: call?.id ?? '' },
    ...{ paid: paid.id, deposit: String(deposit), withdrawal: String(withdrawal), event: event?.id ?? '' },
    ...{ endpoint: endpoint?.id ?? '', link },
  }
  return { ...shop, domain, ...ids }
}

const [mine, theirs] = [await addShop('mine.example', 'Mine'), await addShop('theirs.example', 'Theirs')]
function idsOf(path: string, shop: typeof mine): string[] {
  const { paid, deposit, withdrawal, event, endpoint, link, instruction, upload, change } = shop
  if (path.startsWith('/developer/proposals')) return [change]
  if (path.startsWith('/calls')) return [shop.call]
  if (path.startsWith('/own/sessions')) return [shop.session]
  if (path.startsWith('/team/invitations')) return [shop.invitation]
  if (path.startsWith('/team')) return [path.includes('sessions') ? shop.session : shop.user]
  if (path.startsWith('/instructions/preview')) return [upload]
  if (path.startsWith('/instructions')) return [instruction]
  if (path.startsWith('/callbacks')) return [event]
  if (path.startsWith('/developer/endpoints')) return [endpoint]
  return path.startsWith('/links') ? [link] : [paid, deposit, withdrawal]
}
const at = (path: string, id = idsOf(path, mine)[0] ?? '') => path.replace(':id', id)
const hasId = ({ path }: { path: string }) => path.includes(':id')

async function enter(name: string) {
  const person = visitor(service, 'merchant')
  assert.equal((await person.logIn(name, PASSWORD)).location, '/merchant')
  return person
}

/** Of each kind and subject one change waits at a time. */
async function forget(): Promise<void> {
  for (const { id, state } of await proposalsOfMerchant(app, app.db, mine.merchantId, 50))
    if (state === 'open') await rejectProposal(app, STAFF, id, 'for the next one')
}

/** What a form is about: a new one for a decision that is taken once. */
async function subjectOf(path: string, role: string): Promise<string | undefined> {
  if (path.startsWith('/team/users')) return addUser(mine.merchantId, mine.domain)
  if (path.startsWith('/team/invitations')) return addInvitation(mine.merchantId, mine.domain)
  if (/^\/(team|own)\/sessions/.test(path)) return sessionOf(`${role}@${mine.domain}`)
  await forget()
  if (path.startsWith('/developer/proposals')) return addProposal(mine.merchantId)
  if (path.startsWith('/instructions/preview')) return addUpload(mine.merchantId, mine.domain, `${role}@${mine.domain}`)
  if (path.startsWith('/instructions/:id')) return addInstruction(mine.merchantId, mine.domain)
  return idsOf(path, mine)[0]
}

/** Hidden fields of the form on its page, as a browser sends them. */
async function hiddenFields(person: Awaited<ReturnType<typeof enter>>, page: string, path: string) {
  const { text } = await person.request(page)
  const form = text.split('<form ').find((one) => one.includes(`action="/merchant${path}"`)) ?? ''
  const inputs = (form.split('</form>')[0] ?? '').matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]))
}

const refusalIn = (text: string) => /class="say bad"[^>]*>([^<]*)/.exec(text)?.[1] ?? ''

test('without a session every view and form leads to the login, and shows nothing', async () => {
  const { request } = visitor(service, 'merchant')
  for (const { path } of VIEWS) assert.equal((await request(at(path))).location, '/merchant/login', path)
  for (const { path } of FORMS) assert.equal((await request(at(path), {})).location, '/merchant/login', path)
})

for (const role of MERCHANT_ROLES) {
  test(`${role}: looks at the views and sends the forms of its rights only`, async () => {
    // A settlement takes all of it.
    await fund(app, mine.merchantId, 5_000_000n)
    const person = await enter(`${role}@mine.example`)
    for (const { path, action } of VIEWS) {
      const may = !action || MERCHANT_RIGHTS[action]?.includes(role)
      const shownId = path.startsWith('/instructions/preview') ? await subjectOf(path, role) : undefined
      assert.equal((await person.request(at(path, shownId))).status, may ? 200 : 403, path)
      if (FORMS.some((form) => form.path === path)) continue
      assert.equal((await person.request(at(path), { csrf: await person.csrf() })).status, 404, `${path} takes no form`)
    }
    for (const { path, action, back } of FORMS) {
      const may = !action || (MERCHANT_RIGHTS[action]?.includes(role) ?? false)
      const id = await subjectOf(path, role)
      const fields = { ...(await hiddenFields(person, at(back, id), at(path, id))), ...TYPED[path] }
      const sent = { ...fields, csrf: await person.csrf() }
      const { status, text } = await person.request(at(path, id), FILES[path]?.(sent) ?? sent)
      const done = REFUSED.has(path) ? 409 : SHOWN.has(path) ? 200 : 303
      assert.equal(status, may ? done : 403, `${path} ${refusalIn(text)}`)
      const isView = VIEWS.some((view) => view.path === path)
      if (!isView) assert.equal((await person.request(at(path))).status, 404, `${path} is no page`)
    }
  })

  /** Without the moment that would be printed, and the address that was asked for, to which a refusal links back. */
  const shown = (text: string, asked: string) =>
    text.replace(/(class="print-only printed">.* · )<time.*?<\/time>/, '$1').replaceAll(`/${asked}">`, '/asked">')

  test(`${role}: an id of another merchant is as unknown as one that does not exist`, async () => {
    const person = await enter(`${role}@mine.example`)
    const csrf = await person.csrf()
    const calls = receiver.all.length
    for (const { path } of [...VIEWS, ...FORMS].filter(hasId)) {
      const fields = FORMS.some((form) => form.path === path) ? { csrf } : undefined
      const none = await person.request(at(path, NONE), fields)
      for (const id of idsOf(path, theirs)) {
        const other = await person.request(at(path, id), fields)
        assert.deepEqual([other.status, shown(other.text, id)], [none.status, shown(none.text, NONE)], `${path} ${id}`)
        assert.ok([403, 404].includes(other.status))
      }
    }
    await runCallbacksOnce(app)
    const sent = receiver.all.slice(calls).map((one) => one.path)
    assert.ok(!sent.includes('/theirs.example'), 'nothing was resent for the other merchant')
  })
}

test('no view shows anything of another merchant, whatever the address asks for', async () => {
  const person = await enter('owner@mine.example')
  const asked = `?merchant=${theirs.merchantId}&merchantId=${theirs.merchantId}`
  const words = [
    theirs.domain,
    theirs.merchantId,
    theirs.deposit,
    theirs.withdrawal,
    theirs.paid,
    theirs.event,
    theirs.endpoint,
    theirs.link,
  ]
  for (const { path } of VIEWS) {
    const { status, text } = await person.request(at(path) + asked)
    assert.equal(status, 200)
    assert.deepEqual(
      words.filter((word) => text.includes(word)),
      [],
      path,
    )
  }
  assert.match((await person.request('/deposits')).text, /Customer of mine\.example/, 'in full')
  assert.match((await person.request('/withdrawals')).text, /Recipient of mine\.example/, 'in full')
})

test('a session of one console opens nothing in the other', async () => {
  const person = await enter('owner@mine.example')
  const token = person.jar.get('vezne-merchant') ?? assert.fail('no cookie')
  const staff = visitor(service)
  staff.jar.set('vezne-operator', token)
  assert.equal((await staff.request('')).location, '/operator/login')
  assert.equal((await staff.request('/live/home')).text, 'event: end\ndata:\n\n')
})

test('one transaction: nothing of the bank, the ledger and the staff', async () => {
  const person = await enter('owner@mine.example')
  const { text } = await person.request(`/transactions/${mine.paid}`)
  assert.match(text, /Durum: bekliyor → tamamlandı/)
  assert.match(text, /kabul edildi \(200\)/, 'the attempt of its callback')
  const internal = [/bank text/, /merchant_available|bank_cash|suspense/, /matcher/, /Defter/, /Banka satırı/]
  for (const pattern of internal) assert.doesNotMatch(text, pattern)
  for (const { iban, title } of await app.banks.accounts()) {
    assert.ok(
      !text.includes(iban) && !text.includes(`•• ${iban.slice(-4)}`) && !text.includes(title),
      'no collecting account',
    )
  }
})

test('a form without the token of the session, with that of another, or from another site changes nothing', async () => {
  const [ada, other] = [await enter('owner@mine.example'), await enter('owner@mine.example')]
  const [own, foreign] = [await ada.csrf(), await other.csrf()]
  for (const { path } of FORMS) {
    const to = at(path)
    assert.equal((await ada.request(to, {})).status, 403, `${path} without`)
    assert.equal((await ada.request(to, { csrf: foreign })).status, 403, `${path} of another session`)
    const elsewhere = { 'sec-fetch-site': 'cross-site' }
    assert.equal((await ada.request(to, { csrf: own }, elsewhere)).status, 403, `${path} from elsewhere`)
  }
})

test('disabling a login ends its session at once; pages are not cached and not framed', async () => {
  await merchantUser(cheap(app), mine.merchantId, 'leaves@mine.example', 'support')
  const person = await enter('leaves@mine.example')
  const { headers } = await person.request('')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/)
  const login = (await listLogins(app.db, { audience: 'merchant' })).find(({ name }) => name === 'leaves@mine.example')
  await disableLogin(app, UNATTRIBUTED, login?.id ?? '')
  assert.equal((await person.request('')).location, '/merchant/login')
})

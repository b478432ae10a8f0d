import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disableOperator, mayTake, ROLES } from '../../packages/server/src/domain/people/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { SECTIONS as MERCHANT_SECTIONS } from '../../packages/server/src/edges/merchant-console/routes.ts'
import { SECTIONS } from '../../packages/server/src/edges/operator-console/routes.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { consoleSubjects, merchantPaths } from '../harness/console-subjects.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { addPerson, formWith, visitor } from '../harness/operator-console.ts'
import { ingest, matchAll, unknownPayment } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const VIEWS = SECTIONS.flatMap(({ views }) => views)
const FORMS = SECTIONS.flatMap(({ forms }) => forms)

const service = await startService()
const { app } = service
await addPerson(service, 'ayse.yilmaz')
const shop = await service.merchant({ funds: 5_000_000n })
const { transactionId: ID } = accepted(await shop.post('/v1/withdraw', withdrawBody()), 201)
await ingest(app, [await unknownPayment(app)])
await matchAll(app)
const [LINE] = await listLines(app.db, 'suspense', 1)
const PEOPLE = ['ayse.yilmaz', ...ROLES.map((role) => `only.${role}`)]
const subject = await consoleSubjects(app, ID as string, undefined, PEOPLE)
const ofMerchant = await merchantPaths(app, shop.merchantId)
/** The id of what the page is about. */
const at = (path: string, person?: string) => {
  if (path.startsWith('/matching')) return path.replace(':id', LINE?.id as string)
  return subject(ofMerchant(path), person)
}

test('without a session every view and form leads to the login, and shows nothing', async () => {
  const { request } = visitor(service)
  for (const { path } of VIEWS) assert.deepEqual(pick(await request(at(path))), [303, '/operator/login'], path)
  for (const { path } of FORMS) assert.deepEqual(pick(await request(at(path), {})), [303, '/operator/login'], path)
})

const pick = ({ status, location }: { status: number; location: string | null }) => [status, location]

test('the stream of a live page ends at once without a session', async () => {
  const names = new Set(VIEWS.flatMap(({ live }) => live?.name ?? []))
  assert.deepEqual([...names].toSorted(), ['approvals', 'files', 'home', 'orders', 'payouts', 'queue'])
  for (const name of names) {
    const { status, text } = await visitor(service).request(`/live/${name}`)
    assert.deepEqual([status, text], [200, 'event: end\ndata:\n\n'], name)
  }
})

test('each view and each form is for the roles of its action; a view without one is for every role', async () => {
  for (const role of ROLES) {
    await addPerson(service, `only.${role}`, [role], 'ayse.yilmaz')
    const person = visitor(service)
    await person.logIn(`only.${role}`)
    for (const { path, action } of VIEWS) {
      const { status } = await person.request(at(path, `only.${role}`))
      assert.equal(status, !action || mayTake([role], action) ? 200 : 403, `${role} ${path}`)
    }
    const csrf = await person.csrf()
    for (const { path, action } of FORMS) {
      const { status } = await person.request(at(path, `only.${role}`), { csrf })
      assert.equal(status === 403, action !== undefined && !mayTake([role], action), `${role} ${path}: ${status}`)
    }
  }
})

test('a NUL in any filter is no error', async () => {
  const names = [
    'q',
    'before',
    'after',
    'from',
    'to',
    'day',
    'kind',
    'state',
    'status',
    'bank',
    'iban',
    'account',
    'merchant',
    'actor',
  ]
  const more = [
    'action',
    'subject',
    'currency',
    'connection',
    'name',
    'result',
    'only',
    'last',
    'columns',
    'format',
    'said',
  ]
  const ada = visitor(service)
  await ada.logIn('ayse.yilmaz')
  for (const { path } of VIEWS)
    for (const value of ['%00', 'a%00b']) {
      const { status } = await ada.request(
        `${at(path)}?${[...names, ...more].map((name) => `${name}=${value}`).join('&')}`,
      )
      assert.ok(status < 500, `${path}: ${status}`)
    }
})

test('a form without the token of the session, with that of another, or from another site changes nothing', async () => {
  const [ada, other] = [visitor(service), visitor(service)]
  for (const person of [ada, other]) await person.logIn('ayse.yilmaz')
  const [own, foreign] = [await ada.csrf(), await other.csrf()]
  assert.notEqual(own, foreign)
  for (const { path } of FORMS) {
    assert.equal((await ada.request(at(path), {})).status, 403, `${path} without`)
    assert.equal((await ada.request(at(path), { csrf: foreign })).status, 403, `${path} of another session`)
    const elsewhere = { 'sec-fetch-site': 'cross-site' }
    assert.equal((await ada.request(at(path), { csrf: own }, elsewhere)).status, 403, `${path} from elsewhere`)
  }
})

test('a form with a file: the token comes before the file, is that of the session, and the file of no other role is kept', async () => {
  const uploads = FORMS.filter(({ upload }) => upload)
  assert.ok(uploads.length > 0)
  const [ada, other] = [visitor(service), visitor(service)]
  for (const person of [ada, other]) await person.logIn('ayse.yilmaz')
  const [own, foreign] = [await ada.csrf(), await other.csrf()]
  const late = formWith({}, 'a.xml', 'x')
  late.append('csrf', own)
  const wrong: [string, FormData, Record<string, string>][] = [
    ['without', formWith({}, 'a.xml', 'x'), {}],
    ['after the file', late, {}],
    ['of another session', formWith({ csrf: foreign }, 'a.xml', 'x'), {}],
    ['from elsewhere', formWith({ csrf: own }, 'a.xml', 'x'), { 'sec-fetch-site': 'cross-site' }],
  ]
  const before = await countUploads()
  for (const { path, action } of uploads) {
    for (const [what, form, headers] of wrong)
      assert.equal((await ada.request(at(path), form, headers)).status, 403, `${path} ${what}`)
    for (const role of ROLES.filter((one) => action !== undefined && !mayTake([one], action))) {
      const person = visitor(service)
      await person.logIn(`only.${role}`)
      const form = formWith({ csrf: await person.csrf() }, 'a.xml', 'x')
      assert.equal((await person.request(at(path), form)).status, 403, `${path} ${role}`)
    }
    const stranger = await visitor(service).request(at(path), formWith({ csrf: own }, 'a.xml', 'x'))
    assert.deepEqual(pick(stranger), [303, '/operator/login'])
  }
  assert.equal(await countUploads(), before)
  // A file does not help on a form that takes none: its token is not read.
  const plain = FORMS.find(({ upload }) => !upload)
  assert.equal((await ada.request(at(plain?.path ?? ''), formWith({ csrf: own }, 'a.xml', 'x'))).status, 403)
})

const countUploads = async () => (await app.db.query(sql`select 1 from uploads`)).length

test('a wrong password and an unknown name are told the same; the next address is the same', async () => {
  const { logIn } = visitor(service)
  const [wrong, unknown] = [
    await logIn('ayse.yilmaz', 'wrong wrong wrong'),
    await logIn('no.body', 'wrong wrong wrong'),
  ]
  assert.equal(wrong.status, 409)
  assert.equal(wrong.text, unknown.text)
})

test('too many attempts with one name, or requests of one address: 429 with the time to wait', async () => {
  const { logIn } = visitor(service)
  let last = await logIn('guessed.name', 'wrong wrong wrong')
  while (last.status === 409) last = await logIn('guessed.name', 'wrong wrong wrong')
  assert.equal(last.status, 429)
  assert.ok(Number(last.headers.get('retry-after')) > 0)
  const small = visitor(await startService({ checkoutRequestsPerSecond: 1 }))
  const answers = await Promise.all(Array.from({ length: 20 }, () => small.request('/login')))
  assert.ok(answers.some(({ status }) => status === 200))
  const refused = answers.find(({ status }) => status === 429)
  assert.match(refused?.text ?? '', /Çok fazla istek/)
  assert.ok(Number(refused?.headers.get('retry-after')) > 0)
})

test('logging out, and disabling a person, end the session at once', async () => {
  await addPerson(service, 'cem.can', ['viewer'], 'ayse.yilmaz')
  const [first, second] = [visitor(service), visitor(service)]
  for (const person of [first, second]) await person.logIn('cem.can')
  assert.equal((await first.request('')).status, 200)
  await first.request('/logout', { csrf: await first.csrf() })
  assert.equal((await first.request('')).status, 303)
  assert.equal((await second.request('')).status, 200)
  await disableOperator(app, operatorActor('ayse.yilmaz'), 'cem.can')
  assert.equal((await second.request('')).status, 303)
})

test('pages are not cached, not framed, and load nothing from elsewhere', async () => {
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  for (const { path } of VIEWS) {
    const { headers } = await person.request(at(path))
    assert.equal(headers.get('cache-control'), 'no-store', path)
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/)
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
  }
})

test('an id that is none, and one that does not exist: not found', async () => {
  const person = visitor(service)
  await person.logIn('ayse.yilmaz')
  for (const section of ['transactions', 'matching'])
    assert.equal((await person.request(`/${section}/${'f'.repeat(24)}`)).status, 404)
  assert.equal((await person.request('/transactions/..%2f..%2fv1')).status, 404)
  assert.equal((await person.request('/nothing')).status, 404)
})

test('live: a second factor is set up at the first login, and decisions ask for the password again', async () => {
  const live = await startService({ mode: 'live', publicUrl: 'http://127.0.0.1' })
  await addPerson(live, 'bora.boz', undefined, 'ayse.yilmaz')
  const person = visitor(live)
  assert.deepEqual(pick(await person.logIn('bora.boz')), [303, '/operator/login'])
  assert.equal((await person.request('')).status, 303, 'the password alone opens nothing')
  const { text } = await person.request('/login')
  assert.match(text, /İkinci adımı kurun/)
})

test('what a form says has one text in each language, and no other section uses its name', () => {
  for (const sections of [SECTIONS, MERCHANT_SECTIONS]) {
    const names = sections.flatMap(({ said }) => Object.keys(said.tr))
    assert.deepEqual(names, [...new Set(names)])
    for (const { said } of sections) assert.deepEqual(Object.keys(said.en), Object.keys(said.tr))
  }
})

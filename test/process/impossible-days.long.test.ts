import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { SECTIONS as MERCHANT } from '../../packages/server/src/edges/merchant-console/routes.ts'
import { SECTIONS as OPERATOR } from '../../packages/server/src/edges/operator-console/routes.ts'
import { ready, vezne } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { consoleSubjects, merchantPaths } from '../harness/console-subjects.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { cheap, merchantUser, PASSWORD } from '../harness/logins.ts'
import { addPerson, formWith, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'
import { camt, openFileAccount } from '../harness/statement-files.ts'

// Days and months that no calendar here has, in every address, form and file that takes one. The service is another process: one
// that never answers must fail a test, by the limit of every test, not stop it.
const MONTHS = [
  ...['0000-01', '0000-12', '0001-01', '1900-01', '2000-12', '2001-01'],
  ...['2099-12', '2100-01', '9998-12', '9999-12', '99999-01', '+010000-01', '-000001-01'],
]
const daysOf = (month: string) => [`${month}-01`, `${month}-31`]
const DAYS = MONTHS.flatMap(daysOf)

const service = await startService()
const { app } = service
const child = vezne(['serve'], {
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
  VEZNE_DATA: '/nonexistent',
  VEZNE_CHECKOUT_REQUESTS_PER_SECOND: '1000000',
})
// A process that is busy for ever does not hear a polite signal.
after(() => child.process.kill('SIGKILL'))
const other = { app, baseUrl: await ready(child) }

await addPerson(service, 'ayse.yilmaz')
const shop = await service.merchant({ funds: 5_000_000n })
await merchantUser(cheap(app), shop.merchantId, 'support@shop.example', 'support')
const { transactionId } = accepted(await shop.post('/v1/withdraw', withdrawBody()), 201)
const id = String(transactionId)
const [subject, ofMerchant] = [await consoleSubjects(app, id), await merchantPaths(app, shop.merchantId)]
const account = await openFileAccount(app)

const staff = visitor(other)
await staff.logIn('ayse.yilmaz')
const user = visitor(other, 'merchant')
await user.logIn('support@shop.example', PASSWORD)
const csrf = await staff.csrf()

/** What was asked last: named when a test is ended without an answer. */
let asking = ''
beforeEach(({ signal }) => {
  signal.addEventListener('abort', () => process.stderr.write(`asked last: ${asking}\n`))
})

type Asked = Parameters<typeof staff.request>

async function answers(person: typeof staff, ...asked: Asked): Promise<Awaited<ReturnType<typeof staff.request>>> {
  const what = `${asked[0]} ${asked[1] instanceof FormData ? '' : JSON.stringify(asked[1] ?? '')}`
  asking = what
  const answer = await person.request(...asked)
  assert.ok(answer.status < 500 && answer.status !== 429, `${what}: ${answer.status}`)
  assert.doesNotMatch(answer.location ?? '', /login/, what)
  return answer
}

/** Apart, because one may answer before the next is read. */
const NAMES = [
  ['month', 'to', 'until'],
  ['from', 'before', 'since', 'after'],
]
const CONSOLES = [
  ...[{ name: 'operator', sections: OPERATOR, person: staff, at: (path: string) => subject(ofMerchant(path)) }],
  ...[{ name: 'merchant', sections: MERCHANT, person: user, at: (path: string) => path.replace(':id', id) }],
]

for (const { name, sections, person, at } of CONSOLES) {
  test(`${name} console: every view answers, whatever day or month its address has`, async () => {
    const views = sections.flatMap(({ views }) => views.map(({ path }) => path))
    for (const path of views)
      for (const month of MONTHS) {
        const [first, last] = daysOf(month).map(encodeURIComponent)
        const of = (name: string) => (name === 'month' ? encodeURIComponent(month) : name === 'to' ? last : first)
        for (const names of NAMES)
          await answers(person, `${at(path)}?kind=balances&${names.map((one) => `${one}=${of(one)}`).join('&')}`)
        if (path.includes(':day')) await answers(person, at(path.replace(':day', first ?? '')))
      }
  })
}

test('a day in an address leads to its page, and one out of range does not', async () => {
  for (const day of DAYS) await answers(staff, `/books?day=${encodeURIComponent(day)}`)
  assert.equal((await answers(staff, '/books/2001-01-01')).status, 200)
  assert.equal((await answers(staff, '/books/2000-12-31')).status, 404)
  assert.equal((await answers(staff, '/books/2100-01-01')).status, 404)
})

test('a month out of range is this month', async () => {
  const shown = async (month: string) =>
    /name="month" value="([^"]*)"/.exec((await answers(user, `/balance?month=${month}`)).text)?.[1]
  const now = await shown('')
  for (const month of ['0000-01', '2000-12', '2100-01', '9999-12']) assert.equal(await shown(month), now)
  assert.equal(await shown('2001-01'), '2001-01')
})

test('forms: every day and time out of range is refused in words', async () => {
  const line = { account: account.iban, direction: 'credit', amount: '1.250,00', name: 'Veli Can', text: 'odeme' }
  const forms = OPERATOR.flatMap(({ forms }) => forms.map(({ path }) => path)).filter((path) => path.includes(':day'))
  for (const day of DAYS) {
    for (const path of forms)
      await answers(staff, path.replace(':day', encodeURIComponent(day)), { csrf, why: 'five or more' })
    const fees = { csrf, from: `${day}T00:00`, depositBps: '1', withdrawBps: '1', why: 'five or more' }
    const { status } = await answers(staff, `/merchants/${shop.merchantId}/fees`, fees)
    if (!/^20(01|99)-/.test(day)) assert.equal(status, 409, `fees from ${day}`)
  }
  for (const day of DAYS.filter((one) => !one.startsWith('2001-01'))) {
    const { status, text } = await answers(staff, '/statements/enter/preview?lang=tr', { csrf, ...line, day })
    assert.equal(status, 409, day)
    assert.match(visibleText(text), /2001’den önce veya ileri tarihli olamaz/)
  }
})

const csv = (day: string) => {
  const row = `${day.split('-').toReversed().join('.')};GELEN;;100,00;100,00;D1`
  return `IBAN;${account.iban}\nTarih;Açıklama;Borç;Alacak;Bakiye;Dekont No\n${row}\n`
}

async function upload(name: string, content: string, options = ''): Promise<string> {
  const { location } = await answers(staff, '/statements/upload', formWith({ csrf }, name, content))
  return visibleText((await answers(staff, (location ?? assert.fail(name)).replace('/operator', '') + options)).text)
}

test('statement files: a period out of range is refused in words', async () => {
  const of = { iban: account.iban, opening: 0 }
  await account.take(camt('053', { ...of, day: '2026-11-13', bookings: [] }))
  for (const day of [
    '0000-01-01',
    '0001-01-01',
    '1900-01-01',
    '2000-12-31',
    '2100-01-01',
    '9998-12-31',
    '9999-12-31',
  ]) {
    const empty = await upload(`${day}.xml`, camt('053', { ...of, day, bookings: [] }))
    assert.match(empty, /2001.*2099/, day)
    const one = { number: day, amount: 100, day }
    const line = await upload(`${day}-1.xml`, camt('053', { ...of, day: '2026-11-14', bookings: [one] }))
    assert.match(line, /2001.*2099/, day)
    assert.match(await upload(`${day}.csv`, csv(day), '?profile=ziraat'), /2001.*2099|geçerli bir tarih değil/, day)
  }
  // The time in Istanbul is in the year 10000.
  const late = camt('053', { ...of, day: '2026-11-14', bookings: [{ amount: 1, day: '9999-12-31', time: '23:30:00' }] })
  await upload('late.xml', late.replaceAll('+03:00', '-12:00'))
})

test('/v1: times before and after all others', async () => {
  const { call } = client(other.baseUrl, shop)
  for (const day of DAYS)
    for (const name of ['from', 'to']) {
      const target = `/v1/transactions?${name}=${encodeURIComponent(`${day}T00:00:00Z`)}`
      asking = target
      const { status } = await call(target)
      assert.ok(status < 500, `${target}: ${status}`)
      const since = { since: `${day}T00:00:00Z` }
      asking = JSON.stringify(since)
      const resent = await call('/v1/events/resend', { body: since })
      assert.ok(resent.status < 500, `${JSON.stringify(since)}: ${resent.status}`)
    }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { hiddenIn, visibleText } from '../harness/page-text.ts'
import { ingest, matchAll, unknownPayment } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const journal = await openJournal(app)
await giveLogin(service, 'ayse.yilmaz')
const person = visitor(service)
await person.logIn('ayse.yilmaz')

const hoursAgo = (hours: number) => ({ bookedAt: new Date(app.clock.now().getTime() - hours * 3_600_000) })

test('the list of the desk has what was booked first on top, and the tile says the age of that line', async () => {
  const arrives = async (direction: 'credit' | 'debit', hours: number) =>
    journal.arrives(direction, BigInt(1_000 + hours), hoursAgo(hours))
  const [a, b, c, d] = [
    await arrives('debit', 24),
    await arrives('credit', 36),
    await arrives('debit', 32),
    await arrives('credit', 2),
  ]
  const listed = async (path: string) =>
    [...(await person.request(path)).text.matchAll(/<li data-item="([0-9a-f]{24})"/g)].map(([, id]) => id)
  assert.deepEqual(await listed('/matching'), [b, c, a, d])
  assert.deepEqual(await listed('/matching?kind=debits'), [c, a])
  assert.deepEqual(await listed(`/matching?after=${c}`), [a, d], 'the next page')
  const home = visibleText((await person.request('')).text)
  assert.match(home, /Askıdaki para 2 [^A-Z]*TL en eskisi 36 sa/)
  const queue = visibleText((await person.request('/matching?kind=suspense')).text)
  assert.match(queue, /36 sa .* 2 sa/)
})

/** Returns the page that follows. */
async function proposeInPage(line: string, given: Record<string, string>): Promise<string> {
  const fields = { csrf: await person.csrf(), ...given }
  const { text } = await person.request(`/matching/${line}/preview`, fields)
  const seen = Object.fromEntries(hiddenIn(text, `/operator/matching/${line}/propose`))
  return (await person.request(`/matching/${line}/propose`, { ...seen, ...fields })).location ?? ''
}

test('after a proposal the next line is one that no one has proposed about; the list says how many wait', async () => {
  const words = async (path: string) => visibleText((await person.request(path)).text)
  assert.match(await words('/matching'), /Eşleştirme .*4 satır bekliyor/)
  assert.match(await words('/matching?kind=debits'), /2 satır bekliyor/)
  const narrative = 'VIRMAN'
  const [first, other, next] = [
    await journal.arrives('debit', 9_000n, { narrative, ...hoursAgo(50) }),
    await journal.arrives('credit', 9_000n, {
      ...{ accountIban: journal.there.iban, senderIban: journal.here.iban, narrative },
      ...hoursAgo(49),
    }),
    await journal.arrives('debit', 777n, hoursAgo(48)),
  ]
  const location = await proposeInPage(first, { entry: 'own_transfer', lines: other, why: 'kendi aktarımımız' })
  assert.match(location, new RegExp(`/matching/${next}\\?`))
  assert.match(
    (await person.request('/matching')).text,
    new RegExp(`<span class="id">${next}</span>`),
    'opens by itself',
  )
})

test('the next line is also found behind a page of lines that have proposals', async () => {
  const first = await journal.arrives('debit', 300n, hoursAgo(100))
  const proposed: string[] = []
  for (let place = 0; place < 26; place++) proposed.push(await journal.arrives('debit', 301n, hoursAgo(99)))
  for (const id of proposed) await journal.propose('bank_charge', { lineIds: [id] })
  const next = await journal.arrives('debit', 302n, hoursAgo(98))
  const location = await proposeInPage(first, { entry: 'bank_charge', why: 'masraf' })
  assert.match(location, new RegExp(`/matching/${next}\\?`))
})

test('more than a hundred that wait are not counted', async () => {
  const now = app.clock.now()
  const lines = await Promise.all(
    Array.from({ length: 101 }, (_, place) => unknownPayment(app, { amount: BigInt(500 + place), bookedAt: now })),
  )
  await ingest(app, lines)
  await matchAll(app)
  assert.match(visibleText((await person.request('/matching?kind=suspense')).text), /100\+ satır bekliyor/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setRoles } from '../../packages/server/src/domain/people/index.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { startBooks } from '../harness/books.ts'
import { addPerson, visitor } from '../harness/operator-console.ts'
import { refusalIn, visibleText } from '../harness/page-text.ts'

// Whose proposal about a day counts, and what the page of the day offers.
const books = await startBooks()
const { app } = books
const shop = await books.merchant()
const NAMES = ['burak.kasa', 'zeynep.kasa', 'murat.onay', 'elif.onay'] as const
type Name = (typeof NAMES)[number]
for (const name of NAMES) await addPerson(books, name)

async function closableDay(): Promise<string> {
  const day = books.today()
  await books.deposit(shop.merchantId, 500_000n)
  await books.giveBalances(day)
  await books.later(1)
  return day
}

/** Business time moves by days, and with it the end of a session. */
async function pageOf(name: Name, day: string) {
  const person = visitor(books)
  await person.logIn(name)
  const { text } = await person.request(`/books/${day}`)
  const field = (its: string) => new RegExp(`name="${its}" value="([^"]+)"`).exec(text)?.[1] ?? ''
  const request = async (act: 'propose' | 'close' | 'reopen' | 'reject', fields: Record<string, string> = {}) => {
    const figures = { csrf: field('csrf'), seen: field('seen'), figures: field('figures') }
    return person.request(`/books/${day}/${act}`, { ...figures, ...fields })
  }
  const send = async (...sent: Parameters<typeof request>) =>
    assert.equal((await request(...sent)).status, 303, sent[0])
  const offers = (['propose', 'close', 'reopen', 'reject', 'withdraw'] as const).filter((act) =>
    text.includes(`/books/${day}/${act}"`),
  )
  return { words: visibleText(text), offers, send, request }
}

const has = (name: Name, roles: string[]) => setRoles(app, operatorActor('murat.onay'), name, roles)
const LAPSED = /burak\.kasa önermişti, ama artık yetkili değil; önerisi sayılmaz\. Yeniden önerilmeli\./

test('a proposal of a person who lost the right: the page says so, and a new one replaces it', async () => {
  const day = await closableDay()
  await (await pageOf('burak.kasa', day)).send('propose')
  await has('burak.kasa', ['viewer'])
  const seen = await pageOf('murat.onay', day)
  assert.match(seen.words, LAPSED)
  assert.deepEqual(seen.offers, ['propose', 'reject'])
  await seen.send('propose')
  const { offers, send } = await pageOf('zeynep.kasa', day)
  assert.deepEqual(offers, ['close', 'reject'])
  await send('close')
  await has('burak.kasa', ['cashier', 'approver'])
})

test('two equal proposals: either person closes it; if the newer one lost the right, the other counts', async () => {
  const day = await closableDay()
  const pages = await Promise.all((['zeynep.kasa', 'burak.kasa'] as const).map((name) => pageOf(name, day)))
  for (const page of pages) await page.send('propose')
  assert.deepEqual((await pageOf('burak.kasa', day)).offers, ['close', 'withdraw'], 'that of zeynep.kasa')
  assert.deepEqual((await pageOf('zeynep.kasa', day)).offers, ['close', 'reject'], 'that of burak.kasa')
  await has('burak.kasa', ['viewer'])
  const { words, offers, send } = await pageOf('murat.onay', day)
  assert.match(words, /zeynep\.kasa bu rakamlarla kapatmayı önerdi/)
  assert.deepEqual(offers, ['close', 'reject'])
  await send('close')
  await has('burak.kasa', ['cashier', 'approver'])
  await (await pageOf('burak.kasa', day)).send('reopen', { why: 'bir satır eksik' })
  await has('burak.kasa', ['viewer'])
  assert.match((await pageOf('murat.onay', day)).words, LAPSED)
})

test('who closes a day second is told who closed it, and when; days are written as in Turkey', async () => {
  const day = await closableDay()
  await (await pageOf('zeynep.kasa', day)).send('propose')
  const [first, late] = await Promise.all((['murat.onay', 'elif.onay'] as const).map((name) => pageOf(name, day)))
  await first?.send('close')
  const lost = await late?.request('close')
  assert.equal(lost?.status, 409)
  const when = '\\d\\d\\.\\d\\d\\.\\d{4} \\d\\d:\\d\\d'
  assert.match(
    refusalIn(lost?.text ?? ''),
    new RegExp(`murat\\.onay sizden önce karar verdi: gün kapatıldı \\(${when}\\)`),
  )
  const early = books.today()
  const tooSoon = await (await pageOf('elif.onay', early)).request('propose')
  const written = early.split('-').toReversed().join('.')
  assert.match(refusalIn(tooSoon.text), new RegExp(`${written} henüz bitmedi`))
})

test('a proposal that was copied in SQL in the name of another: the page says so, and it can only be rejected', async () => {
  const day = await closableDay()
  await (await pageOf('elif.onay', day)).send('propose')
  const id = app.ids.next()
  await app.db.query(sql`
    insert into book_decisions (id, day, action, operator, figures_hash, figures, reason, decided_at)
    select ${id}, day, action, 'zeynep.kasa', figures_hash, figures, reason, decided_at + interval '1 millisecond'
    from book_decisions where day = ${day}::date`)
  const { words, offers, request } = await pageOf('murat.onay', day)
  assert.match(words, /zeynep\.kasa: Vezne’de kaydı yok/)
  assert.deepEqual(offers, ['reject'])
  assert.equal((await request('reject', { why: 'no one proposed it' })).status, 303)
  assert.deepEqual((await pageOf('murat.onay', day)).offers, ['propose'])
})

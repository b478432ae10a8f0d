import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { startBooks } from '../harness/books.ts'
import { closeDay } from '../harness/day-proposals.ts'
import { addPerson, visitor } from '../harness/operator-console.ts'
import { refusalIn, visibleText } from '../harness/page-text.ts'

// What the page of a day and the approvals offer, and who is told what.
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
  const request = async (act: 'close' | 'reopen', fields: Record<string, string> = {}) =>
    person.request(`/books/${day}/${act}`, { csrf: field('csrf'), seen: field('seen'), ...fields })
  const said = async (...sent: Parameters<typeof request>) =>
    /said=(\w+)/.exec((await request(...sent)).location ?? '')?.[1]
  const offers = (['close', 'reopen'] as const).filter((act) => text.includes(`/books/${day}/${act}"`))
  const approvals = async () => {
    const cards = (await person.request('/approvals')).text.split('<article').map((card) => `<body><article${card}`)
    return cards.find((card) => card.includes(`/books/${day}"`)) ?? ''
  }
  return { words: visibleText(text), offers, said, request, approvals }
}

test('a day is proposed on its page, which then shows who did; the second person has a card with the figures', async () => {
  const day = await closableDay()
  const first = await pageOf('burak.kasa', day)
  assert.deepEqual(first.offers, ['close'])
  assert.equal(await first.said('close'), 'dayProposed')
  const second = await pageOf('murat.onay', day)
  assert.deepEqual(second.offers, [])
  assert.match(second.words, /Gün kapanışı · Öneren burak\.kasa/)
  const card = await second.approvals()
  const { hash } = await books.prove(day)
  assert.match(visibleText(card), new RegExp(`Rakamların parmak izi ${hash}.*Giren 5\\.000,00 TL`))
  assert.match(card, /\/approve"/)
  assert.doesNotMatch(await (await pageOf('burak.kasa', day)).approvals(), /\/approve"/)
  await closeDay(app, operatorActor('murat.onay'), day)
  const closed = await pageOf('elif.onay', day)
  assert.match(closed.words, /murat\.onay kapattı · öneren burak\.kasa/)
  assert.deepEqual(closed.offers, ['reopen'])
  assert.equal(await closed.said('reopen', { why: 'bir satır eksik' }), 'reopenProposed')
  assert.match((await pageOf('murat.onay', day)).words, /Öneren elif\.onay: bir satır eksik/)
  assert.equal(await (await pageOf('murat.onay', day)).said('reopen', { why: 'bir satır eksik' }), 'dayReopened')
  assert.deepEqual((await pageOf('murat.onay', day)).offers, ['close'])
  await books.close(day)
})

test('who closes a day second is told who closed it, and when; days are written as in Turkey', async () => {
  const day = await closableDay()
  const pages = await Promise.all((['zeynep.kasa', 'murat.onay', 'elif.onay'] as const).map((one) => pageOf(one, day)))
  const [first, second, late] = pages
  assert.deepEqual([await first?.said('close'), await second?.said('close')], ['dayProposed', 'dayClosed'])
  const lost = await late?.request('close')
  assert.equal(lost?.status, 409)
  const when = '\\d\\d\\.\\d\\d\\.\\d{4} \\d\\d:\\d\\d'
  assert.match(
    refusalIn(lost?.text ?? ''),
    new RegExp(`murat\\.onay sizden önce karar verdi: gün kapatıldı \\(${when}\\)`),
  )
  const early = books.today()
  const { hash: seen } = await books.prove(early)
  const tooSoon = await (await pageOf('elif.onay', early)).request('close', { seen })
  const written = early.split('-').toReversed().join('.')
  assert.match(refusalIn(tooSoon.text), new RegExp(`${written} henüz bitmedi`))
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { closeDay, daysToClose, rejectDay } from '../../packages/server/src/domain/books/index.ts'
import { AYSE, MEHMET, startBooks } from '../harness/books.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { laterBy } from '../harness/crash.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'

// Two people propose the same figures of a day.
const books = await startBooks()
const { app } = books
for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await giveLogin(books, name)
const { run, stop } = openCommandLine({
  DATABASE_URL: books.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)
const shop = await books.merchant()
const day = books.today()
await books.deposit(shop.merchantId, 500_000n)
await books.giveBalances(day)
await books.later(1)

async function approvals(name: string): Promise<string> {
  const one = visitor(books)
  await one.logIn(name)
  return visibleText((await one.request('/approvals')).text)
}

test('at the same moment: both are named on one card, and the second is told of the first', async () => {
  const results = await Promise.all([closeDay(app, AYSE, day, {}), closeDay(app, MEHMET, day, {})])
  const told = results.map(({ equal = [] }) => equal.join())
  assert.deepEqual(told.filter(Boolean).length, 1, told.join(' | '))
  const { proposals } = await daysToClose(app)
  assert.equal(proposals.length, 1)
  const names = proposals.flatMap((one) => [one, ...one.equal]).map(({ operator }) => operator)
  assert.deepEqual(names.toSorted(), ['ayse.yilmaz', 'mehmet.kaya'])
  for (const name of ['ayse.yilmaz', 'mehmet.kaya']) {
    const text = await approvals(name)
    assert.match(text, /Öneren (ayse\.yilmaz mehmet\.kaya|mehmet\.kaya ayse\.yilmaz)/)
    assert.doesNotMatch(text, /Siz önerdiniz; başka biri kapatmalı/, 'either may close it')
  }
})

test('a rejection ends both; the console and the command line tell who proposes second', async () => {
  await rejectDay(laterBy(app, 1), MEHMET, day, 'a refund is missing')
  assert.deepEqual((await daysToClose(app)).proposals, [])
  const { proof } = await closeDay(laterBy(app, 2), AYSE, day, {})
  assert.match(await approvals('ayse.yilmaz'), /Siz önerdiniz; başka biri kapatmalı/)
  const { output } = await run(['books', 'close', day, '--as', 'mehmet.kaya'])
  assert.match(output, /ayse\.yilmaz has just proposed the same figures: you can close the day, too\./)
  const one = visitor(books)
  await one.logIn('mehmet.kaya')
  const sent = await one.request(`/books/${day}/propose`, { csrf: await one.csrf(`/books/${day}`), seen: proof.hash })
  assert.match(sent.location ?? '', /said=dayProposedToo/)
  assert.equal((await closeDay(laterBy(app, 3), MEHMET, day, { figures: proof.hash })).state, 'closed')
})

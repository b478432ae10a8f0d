import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bookDebits } from '../../packages/server/src/domain/books/index.ts'
import { startBooks } from '../harness/books.ts'
import { openCommandLineOf } from '../harness/command-line.ts'

const books = await startBooks()
const vezne = openCommandLineOf(books)
const day = await books.later(1)
const shop = await books.merchant()
await books.deposit(shop.merchantId, 500_000n)
await books.payout(shop, 40_000)
await books.take(
  await books.lineOf({ amount: 7_000n }),
  await books.lineOf({ amount: 250n, direction: 'debit', narrative: 'MASRAF' }),
)
while ((await bookDebits(books.app)) > 0);
await books.giveBalances(day)
await books.later(1)

async function says(...args: string[]): Promise<string> {
  const { code, output, errors } = await vezne(['books', ...args])
  assert.equal(code, 0, `${args.join(' ')}: ${errors}`)
  return output
}

const refused = async (...args: string[]) => {
  const { code, errors } = await vezne(['books', ...args])
  assert.notEqual(code, 0, args.join(' '))
  return errors
}

const figuresOf = (text: string) => /[Ff]igures (\w{12})/.exec(text)?.[1] ?? assert.fail(text)

test('books day: what the bank says, the differences with their reasons, the ledger that equals the cash, and what waits', async () => {
  const text = await says('day', day)
  assert.match(text, new RegExp(`^${day}, open\\. Figures \\w{12}`))
  assert.match(text, /400,00 TL +\w{24} +the payout is completed, and no debit shows it yet/)
  assert.match(text, /unexplained debits +-2,50 TL/)
  const [, owed, cash] = / together +(\S+ TL)\n +cash +(.+)/.exec(text) ?? []
  assert.equal(cash, owed)
  assert.match(text, /In suspense now: 1 \(70,00 TL\), the oldest \d days? old/)
  assert.match(text, /Debits that wait for a person now: 1 \(2,50 TL\), the oldest \d days? old/)
  assert.match(
    text,
    /Everything is explained, but 1 debit \(2,50 TL\) waits for a person: npx vezne line list --state needs_review/,
  )
  assert.match(await refused('day', '2026-02-30'), /must be a day such as/)
  const json = JSON.parse((await vezne(['books', 'day', day, '--json'])).output) as { hash: string }
  assert.equal(json.hash, figuresOf(text))
})

test('books close: proposed by one, closed by another with the same figures', async () => {
  const proposed = await says('close', day, '--as', 'ayse.yilmaz')
  const id = /Proposed as (\w{24})/.exec(proposed)?.[1] ?? assert.fail(proposed)
  assert.match(await says('close', day, '--as', 'ayse.yilmaz'), new RegExp(`Proposed as ${id}`))
  const { output } = await vezne(['proposal', 'show', id])
  assert.ok(output.includes(figuresOf(await says('day', day))), output)
  const closed = await says('close', day, '--as', 'mehmet.kaya')
  assert.match(closed, new RegExp(`${day} is closed`))
  assert.match(closed, /1 debit \(2,50 TL\) waits for a person/)
  assert.match(await says('day', day), new RegExp(`^${day}, closed\\.`))
  assert.match(await refused('close', day, '--as', 'ayse.yilmaz'), /is already closed/)
  assert.match(await refused('close', books.today(), '--as', 'ayse.yilmaz'), /is not over/)
})

test('books reopen: two people say so; books history has both', async () => {
  const reopen = ['reopen', day, '--why', 'a charge was booked wrong', '--as']
  assert.match(await says(...reopen, 'mehmet.kaya'), /Proposed as \w{24}/)
  assert.match(await says(...reopen, 'ayse.yilmaz'), /is open again/)
  assert.match(await says('day', day), new RegExp(`^${day}, open\\.`))
  assert.match(await refused(...reopen, 'mehmet.kaya'), /No day is closed/)
  const rows = (await says('history')).split('\n').map((row) => /(closed|reopened) +(\S+) +(\S+)/.exec(row)?.slice(1))
  assert.deepEqual(rows.filter(Boolean), [
    ['reopened', 'mehmet.kaya', 'ayse.yilmaz'],
    ['closed', 'ayse.yilmaz', 'mehmet.kaya'],
  ])
})

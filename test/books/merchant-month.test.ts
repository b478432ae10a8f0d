import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merchantMonth, merchantStatement } from '../../packages/server/src/domain/books/index.ts'
import { addDays } from '../../packages/server/src/kernel/istanbul.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { AYSE, MEHMET, startBooks } from '../harness/books.ts'
import { reopenDay } from '../harness/day-proposals.ts'

const books = await startBooks()
const { app } = books
const shop = await books.merchant()

// The days of the test are in one month.
while (books.today().slice(8) !== '02') await books.later(1)
const first = books.today()
const month = first.slice(0, 7)

async function read(day: string | null = null) {
  return merchantMonth(app, shop.merchantId, { month, day, limit: 10, now: app.clock.now() })
}

/** As the statement has it, which reads every entry. */
async function asStatement() {
  const { currencies } = await merchantStatement(app, shop.merchantId, month)
  return currencies.map(({ balance, days }) => {
    return { balance, days: days.map(({ day, amount, fee, closing }) => ({ day, amount, fee, closing })) }
  })
}

async function close(day: string): Promise<void> {
  await books.close(day, 'a day of the test')
}

async function storedDays(): Promise<string[]> {
  const rows = await app.db.query<{ day: string }>(sql`
    select distinct to_char(d.day, 'YYYY-MM-DD') as day from book_decisions d join book_movements m on m.decision_id = d.id order by day`)
  return rows.map(({ day }) => day)
}

test('a month without entries is empty', async () => {
  assert.deepEqual((await read()).currencies, [])
})

test('open days are read from the ledger', async () => {
  await books.deposit(shop.merchantId, 500_000n)
  await books.deposit(shop.merchantId, 30_000n)
  await books.later(1)
  await books.deposit(shop.merchantId, 70_000n)
  const { currencies } = await read()
  assert.deepEqual(currencies, await asStatement())
  assert.deepEqual(currencies[0]?.days.map(({ day, closing }) => [day, closing]), [[first, 530_000n], [addDays(first, 1), 600_000n]]) // prettier-ignore
})

test('closed days are read from what was stored when they were closed', async () => {
  await close(first)
  assert.deepEqual(await storedDays(), [first])
  assert.deepEqual((await read()).currencies, await asStatement())
  await books.later(1)
  await close(addDays(first, 1))
  await books.deposit(shop.merchantId, 1_000n)
  assert.deepEqual((await read()).currencies, await asStatement())
  await assert.rejects(
    app.db.transaction((tx) => tx.query(sql`update book_movements set net = 0`)),
    /append-only|500|service/i,
  )
})

test('a day that was reopened is read from the ledger again', async () => {
  const last = addDays(first, 1)
  await reopenDay(app, AYSE, last, 'a line was missing')
  await reopenDay(app, MEHMET, last, 'a line was missing')
  assert.deepEqual((await read()).currencies, await asStatement())
})

test('entries are those of the day, and no more than asked for', async () => {
  const { entries } = await read(first)
  assert.deepEqual(new Set(entries.map(({ net }) => net)), new Set([30_000n, 500_000n]))
  assert.ok(entries.every(({ day }) => day === first))
  const one = await merchantMonth(app, shop.merchantId, { month, day: first, limit: 1, now: app.clock.now() })
  assert.equal(one.entries.length, 1)
  assert.deepEqual((await read('2020-01-01')).entries, [])
})

test('a month that is over ends with what it ended with', async () => {
  const before = (await read()).currencies[0]?.balance.closing
  while (books.today().slice(0, 7) === month) await books.later(7)
  await books.deposit(shop.merchantId, 9_000n)
  assert.deepEqual((await read()).currencies, await asStatement())
  assert.equal((await read()).currencies[0]?.balance.closing, before)
})

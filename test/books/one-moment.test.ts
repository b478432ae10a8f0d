import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportTable, merchantStatement, proveDay } from '../../packages/server/src/domain/books/index.ts'
import type { Cell } from '../../packages/server/src/platform/files/table-cells.ts'
import type { Db, Queryable, Tx } from '../../packages/server/src/platform/postgres/db.ts'
import { startBooks } from '../harness/books.ts'

const books = await startBooks()
const shop = await books.merchant({ name: 'Kitap Evi' })
await books.deposit(shop.merchantId, 500_000n)
const today = books.today()
const MAX_DEPOSITS = 20

/** A database on which a deposit is credited after each of the first queries of a reader for data. */
function busy(db: Db): { db: Db; deposits: () => number } {
  let deposits = 0
  const after = <Reader extends Queryable>(reader: Reader): Reader => ({
    ...reader,
    query: async (statement) => {
      const rows = await reader.query<never>(statement)
      // Settings of the transaction, among them how long it may wait.
      if (deposits === MAX_DEPOSITS || /set transaction|set_config/.test(statement.text)) return rows
      await books.deposit(shop.merchantId, 1000n)
      deposits++
      return rows
    },
  })
  const transaction: Db['transaction'] = (work) => db.transaction((tx) => work(after<Tx>(tx)))
  return { db: { ...db, report: after(db.report), transaction }, deposits: () => deposits }
}

test('balances are of one moment: opening and movements make closing while money moves', async () => {
  const { db, deposits } = busy(books.app.db)
  const all: Cell[][] = []
  await exportTable({ db }, 'balances', { from: today, to: today, merchantId: shop.merchantId }, async (rows) => {
    all.push(...rows)
  })
  const [opening, ...rest] = (all[0]?.slice(3) ?? []) as bigint[]
  const closing = rest.pop()
  assert.ok(deposits() > 2)
  assert.equal(rest.reduce((sum, amount) => sum + amount, opening ?? 0n), closing) // prettier-ignore
})

test('the statement of a month is of one moment: its last day ends with the closing balance', async () => {
  const { db, deposits } = busy(books.app.db)
  const { currencies } = await merchantStatement({ db }, shop.merchantId, today.slice(0, 7))
  assert.ok(deposits() > 2)
  assert.equal(currencies[0]?.days.at(-1)?.closing, currencies[0]?.balance.closing)
  const {
    opening,
    deposits: paid,
    withdrawals,
    returns,
    other,
    fees,
    closing,
  } = currencies[0]?.balance ?? assert.fail()
  assert.equal(opening + paid + withdrawals + returns + other + fees, closing)
})

test('the proof of a day is of one moment: what is booked meanwhile is no difference', async () => {
  await books.giveBalances(today)
  const next = await books.later(1)
  const { db, deposits } = busy(books.app.db)
  const { accounts } = await proveDay(db, next)
  assert.ok(deposits() > 2)
  assert.deepEqual(
    accounts.flatMap(({ differences }) => differences),
    [],
  )
})

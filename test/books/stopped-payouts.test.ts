import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkBooks } from '../../packages/server/src/domain/books/index.ts'
import { dispatchWithdrawals, findPayout, submitPayouts } from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { startBooks } from '../harness/books.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { withdrawBody } from '../harness/examples.ts'
import { until } from '../harness/until.ts'

const books = await startBooks({ booksStopAmount: 1_000n })
const { app } = books
const vezne = openCommandLineOf(books)

const day = await books.later(1)
const shop = await books.merchant()
const { collectingAccountId } = await books.deposit(shop.merchantId, 500_000n)
const stopsOf = async () =>
  (await app.banks.accounts()).filter(({ stoppedBy }) => stoppedBy !== null).map(({ id }) => id)

async function metrics(): Promise<string> {
  return (await fetch(`${books.baseUrl}/metrics`)).text()
}

/** The check looks again after ten minutes. */
async function checkAgain(): Promise<void> {
  await app.db.transaction((tx) => tx.query(sql`update book_checks set checked_at = '2026-01-01'`))
  await checkBooks(app)
}

test('a difference below the amount is shown and stops nothing', async () => {
  await books.giveBalances(day, 1_000n)
  await books.later(1)
  await checkBooks(app)
  assert.deepEqual(await stopsOf(), [])
  assert.match(await metrics(), /vezne_books_unexplained_amount\{account="TR\d+"\} 1000\n/)
  const { output, code } = await vezne(['doctor'])
  assert.equal(code, 1)
  assert.match(output, /FAIL {2}books of .*: not explained: 10,00 TL on TR/)
})

test('beyond the amount no payout leaves from the account, until it is explained', async () => {
  await books.giveBalances(day, 1_001n)
  await checkAgain()
  await until(stopsOf, (ids) => ids.length === 1 && ids[0] === collectingAccountId)
  const { body } = await shop.post('/v1/withdraw', withdrawBody({ amount: 40_000 }))
  const id = body.data.transactionId as string
  await dispatchWithdrawals(app)
  assert.equal(await findPayout(app.db, id), undefined)
  assert.match((await vezne(['withdrawal', 'show', id])).output, /books_differ/)
  assert.match((await vezne(['account', 'list'])).output, /active, payouts stopped: books_differ/)
  await books.giveBalances(day)
  await checkAgain()
  await until(stopsOf, (ids) => ids.length === 0)
  await books.later(1)
  await dispatchWithdrawals(app)
  await submitPayouts(app)
  assert.equal((await findPayout(app.db, id))?.state, 'sent')
})

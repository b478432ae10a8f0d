import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideCorrection } from '../../packages/server/src/domain/matching/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { AYSE, startBooks } from '../harness/books.ts'
import { lineFor, someDeposits } from '../harness/payments.ts'

const books = await startBooks()
const { app } = books
const shop = await books.merchant()
const AMOUNT = 67_000n

/** The bank's balances of a day on the account of the line: all lines count on their day, the re-dated one on the later day. */
async function giveBalances(iban: string, day: string, { opening, closing }: Record<'opening' | 'closing', bigint>) {
  await books.giveBalances(day)
  await app.db.transaction((tx) =>
    tx.query(sql`
      update statements set opening_balance = ${opening}, closing_balance = ${closing} where from_day = ${day}::date
        and collecting_account_id = (select id from collecting_accounts where iban = ${iban})`),
  )
}

const first = await books.later(1)
const [deposit] = await someDeposits(app, shop.merchantId, 1, AMOUNT)
const line = await lineFor(app, deposit ?? assert.fail('no deposit'))
await books.take(line)
const second = await books.later(1)
const moved: BankLine = { ...line, bookedAt: app.clock.now(), valueDate: istanbul(app.clock.now()).day }
await books.take(moved)

async function proofOf(day: string) {
  const found = (await books.prove(day)).accounts.find(({ iban }) => iban === line.accountIban)
  const differences = found?.differences.map(({ kind, amount, otherDay }) => [kind, amount, otherDay])
  return { differences, unexplained: found?.unexplained }
}

test('a booking that the bank moved to the next day is explained on the first one, and closed without a reason', async () => {
  const [repeat] = await listLines(app.db, 'needs_review', null)
  assert.equal(repeat?.reason, 'suspected_correction')
  await decideCorrection(app, AYSE, repeat?.id ?? '', 'same_money')
  await giveBalances(line.accountIban, first, { opening: 0n, closing: 0n })
  await giveBalances(line.accountIban, second, { opening: 0n, closing: AMOUNT })
  assert.deepEqual(await proofOf(first), {
    differences: [['booked_on_other_day', -AMOUNT, second]],
    unexplained: 0n,
  })
  assert.deepEqual(await proofOf(second), { differences: [], unexplained: 0n })
  await books.later(1)
  assert.equal((await books.close(first)).state, 'applied')
  assert.deepEqual(await proofOf(second), { differences: [], unexplained: 0n })
  assert.equal((await books.close(second)).state, 'applied')
})

test('opening, lines and what the bank moved give the closing on both days: nothing is missing', async () => {
  for (const [day, moved] of [
    [first, -AMOUNT],
    [second, AMOUNT],
  ] as const) {
    const found = (await books.prove(day)).accounts.find(({ iban }) => iban === line.accountIban)
    assert.deepEqual([found?.moved, found?.missingLines], [moved, 0n])
  }
})

test('a balance that is carried over the later day has the booking there', async () => {
  await giveBalances(line.accountIban, first, { opening: 0n, closing: 0n })
  await app.db.transaction((tx) =>
    tx.query(sql`
      update statements set opening_balance = null, closing_balance = null where from_day = ${second}::date`),
  )
  assert.deepEqual(await proofOf(second), { differences: [], unexplained: 0n })
})

test("a payout's debit that the bank moved to the next day is explained too", async () => {
  const day = await books.later(1)
  const id = await books.payout(shop, 10_000)
  const debit = await books.debitOf(id)
  await books.take(debit)
  const next = await books.later(1)
  await books.take({ ...debit, bookedAt: app.clock.now(), valueDate: next })
  const [repeat] = await listLines(app.db, 'needs_review', null)
  assert.equal(repeat?.reason, 'payout_line_twice')
  await decideCorrection(app, AYSE, repeat?.id ?? '', 'same_money')
  const found = (await books.prove(day)).accounts.flatMap(({ differences }) => differences)
  const its = found.filter(({ subject }) => subject === id)
  assert.deepEqual(
    its.map(({ kind, amount, otherDay }) => [kind, amount, otherDay]),
    [['payout_without_debit', 10_000n, next]],
  )
})

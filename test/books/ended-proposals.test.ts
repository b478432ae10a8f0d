import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  closeDay,
  daysToClose,
  listDays,
  rejectDay,
  reopenDay,
  withdrawDay,
} from '../../packages/server/src/domain/books/index.ts'
import { closedUntil } from '../../packages/server/src/domain/ledger/index.ts'
import { AYSE, MEHMET, startBooks } from '../harness/books.ts'
import { laterBy } from '../harness/crash.ts'
import { refusal } from '../harness/refusals.ts'

const books = await startBooks()
const { app } = books
const day = await books.later(1)
const shop = await books.merchant()
await books.deposit(shop.merchantId, 500_000n)
await books.giveBalances(day)
await books.later(1)

const WHY = 'a refund is missing'
const state = async () => (await listDays(app, 1, day)).days[0]?.state

test('who proposed to close a day takes it back, and no one can close it then', async () => {
  await assert.rejects(withdrawDay(app, AYSE, day, WHY), { why: 'day_without_proposal' })
  const { proof } = await closeDay(app, AYSE, day, {})
  await assert.rejects(
    withdrawDay(app, MEHMET, day, WHY),
    refusal('books_proposal_of_another', { proposedBy: 'ayse.yilmaz' }),
  )
  await assert.rejects(withdrawDay(app, AYSE, day, ' '), { why: 'reason_missing' })
  await withdrawDay(laterBy(app, 1), AYSE, day, WHY)
  assert.equal(await state(), 'open')
  assert.deepEqual((await daysToClose(app)).proposals, [])
  await assert.rejects(closeDay(app, MEHMET, day, { figures: proof.hash }), { why: 'day_close_not_proposed' })
})

test('another person rejects it, also the proposals before it', async () => {
  const { proof } = await closeDay(laterBy(app, 2), AYSE, day, {})
  await closeDay(laterBy(app, 3), AYSE, day, {})
  await rejectDay(laterBy(app, 4), MEHMET, day, WHY)
  assert.equal(await state(), 'open')
  await assert.rejects(closeDay(app, MEHMET, day, { figures: proof.hash }), { why: 'day_close_not_proposed' })
})

test('a proposal to reopen a day ends in the same ways; the day stays closed', async () => {
  const { proof } = await closeDay(laterBy(app, 5), AYSE, day, {})
  await closeDay(laterBy(app, 6), MEHMET, day, { figures: proof.hash })
  await reopenDay(laterBy(app, 7), AYSE, day, WHY)
  assert.equal(await state(), 'reopening')
  await withdrawDay(laterBy(app, 8), AYSE, day, WHY)
  assert.equal(await state(), 'closed')
  await reopenDay(laterBy(app, 9), AYSE, day, WHY)
  await rejectDay(laterBy(app, 10), MEHMET, day, WHY)
  assert.equal(await state(), 'closed')
  assert.equal((await reopenDay(laterBy(app, 11), MEHMET, day, WHY)).state, 'proposed')
  assert.equal(await closedUntil(app.db), day)
})

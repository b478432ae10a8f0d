import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closedBy, daysToClose, listDays } from '../../packages/server/src/domain/books/index.ts'
import { rejectProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { closedUntil } from '../../packages/server/src/domain/ledger/index.ts'
import { AYSE, MEHMET, startBooks } from '../harness/books.ts'
import { closeDay, reopenDay } from '../harness/day-proposals.ts'

const books = await startBooks()
const { app } = books
const day = await books.later(1)
const shop = await books.merchant()
await books.deposit(shop.merchantId, 500_000n)
await books.giveBalances(day)
// No feed was read here: a statement is late after two business days.
await books.later(7)

const WHY = 'a refund is missing'
const state = async () => (await listDays(app, 1, day)).days[0]?.state
const isToClose = async () => (await daysToClose(app)).open.includes(day)

async function proposed(asked: ReturnType<typeof closeDay> | ReturnType<typeof reopenDay>): Promise<string> {
  const found = await asked
  return found.state === 'open' ? found.proposal.id : assert.fail(found.state)
}

test('a day whose proposal was taken back or rejected is to close again', async () => {
  for (const actor of [AYSE, MEHMET]) {
    const id = await proposed(closeDay(app, AYSE, day))
    assert.deepEqual([await state(), await isToClose()], ['proposed', false])
    await rejectProposal(app, actor, id, WHY)
    assert.deepEqual([await state(), await isToClose()], ['open', true])
  }
})

test('of two people who propose the same at once, the second closes the day; both are named', async () => {
  const asked = await Promise.all([closeDay(app, AYSE, day), closeDay(app, MEHMET, day)])
  assert.deepEqual(asked.map((one) => one.state).toSorted(), ['applied', 'open'])
  assert.deepEqual([await state(), await closedUntil(app.db)], ['closed', day])
  const [found] = await closedBy(app.db, [{ fromDay: day, toDay: day }])
  assert.deepEqual(found?.people.toSorted(), ['ayse.yilmaz', 'mehmet.kaya'])
})

test('a proposal to reopen a day ends in the same ways; the day stays closed', async () => {
  for (const actor of [AYSE, MEHMET]) {
    const id = await proposed(reopenDay(app, AYSE, day, WHY))
    assert.equal(await state(), 'reopening')
    await rejectProposal(app, actor, id, WHY)
    assert.equal(await state(), 'closed')
  }
  assert.equal(await closedUntil(app.db), day)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchByHand } from '../../packages/server/src/domain/matching/index.ts'
import { dismissLine, restoreLine } from '../harness/line-proposals.ts'
import { closedUntil, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { addDays, startOfDay } from '../../packages/server/src/kernel/istanbul.ts'
import { AYSE, MEHMET, startBooks } from '../harness/books.ts'
import { someDeposits } from '../harness/payments.ts'

const books = await startBooks()
const { app } = books
const DAYS = 8
const STEPS = 6

/** The same numbers in every run (mulberry32). */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

test("random days: while the bank's balance is the sum of its lines, nothing is ever unexplained", async () => {
  const below = numbersFrom(4)
  const shop = await books.merchant()
  const unpaid: string[] = []
  const first = await books.later(1)
  await books.deposit(shop.merchantId, 9_000_000n)
  const amount = () => BigInt(1_000 + below(50_000))
  const inState = async (state: string) => {
    const lines = await listLines(app.db, state, null)
    return lines[below(Math.max(lines.length, 1))]
  }
  /** Some time on one of the last three days, closed or not. */
  const booked = () => new Date(startOfDay(addDays(books.today(), -below(3))).getTime() + (8 + below(4)) * 3_600_000)

  const steps: (() => Promise<unknown>)[] = [
    () => books.deposit(shop.merchantId, 100_000n + amount()),
    async () => unpaid.push(await books.payout(shop, Number(amount()))),
    async () => {
      const id = unpaid.shift()
      if (id !== undefined) await books.take(await books.debitOf(id))
    },
    async () => books.take(await books.lineOf({ amount: amount(), bookedAt: booked() })),
    async () => books.take(await books.lineOf({ amount: amount(), direction: 'debit', bookedAt: booked() })),
    async () => {
      const line = await inState(below(2) === 0 ? 'suspense' : 'needs_review')
      if (line) for (const actor of [AYSE, MEHMET]) await dismissLine(app, actor, line.id, 'shown twice by the bank')
    },
    async () => {
      const line = await inState('dismissed')
      if (line) for (const actor of [AYSE, MEHMET]) await restoreLine(app, actor, line.id)
      await books.take()
    },
    async () => {
      const line = await inState('suspense')
      if (!line) return
      const [deposit] = await someDeposits(app, shop.merchantId, 1, 100_000n)
      await matchByHand(app, AYSE, line.id, deposit?.id ?? '', 'the customer confirmed it', line.amount).catch(
        () => undefined,
      )
    },
  ]
  for (let count = 0; count < DAYS; count++) {
    for (let step = 0; step < STEPS; step++) await steps[below(steps.length)]?.()
    const today = books.today()
    for (let back = 0; back < 4; back++) await books.giveBalances(addDays(today, -back))
    for (let back = 0; back < 4; back++) {
      const { accounts } = await books.prove(addDays(today, -back))
      const wrong = accounts.filter(({ unexplained }) => unexplained !== 0n)
      assert.deepEqual(wrong, [], `day ${count}, ${back} back`)
    }
    await books.later(1)
    // One day in three stays open until the next evening.
    if (count === 0) await books.close(first)
    else if (below(3) > 0) await closeNext()
  }
  assert.deepEqual(await findDrift(app.db), [])

  async function closeNext() {
    const closed = (await closedUntil(app.db)) ?? first
    await books.close(addDays(closed, 1))
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkBooks, reportDay } from '../../packages/server/src/domain/books/index.ts'
import { todaysWork } from '../../packages/server/src/domain/overview/index.ts'
import { describeDay } from '../../packages/server/src/edges/cli/operator/books-day.ts'
import { addDays } from '../../packages/server/src/kernel/istanbul.ts'
import { startBooks } from '../harness/books.ts'

const books = await startBooks()
const { app } = books
const ACCEPTED = -67_000n

async function proofOf(day: string, more: bigint) {
  await books.giveBalances(day, more)
  const { accounts } = await books.prove(day)
  const differences = accounts.flatMap((one) => one.differences.map(({ kind, amount }) => [kind, amount]))
  return { differences, unexplained: accounts.reduce((sum, one) => sum + one.unexplained, 0n) }
}

async function wordsOf(day: string): Promise<string> {
  return describeDay(await reportDay(app, day), app.clock.now()).join('\n')
}

async function nextDay(): Promise<string> {
  const day = await books.later(1)
  await books.take(await books.lineOf({ amount: 10n }))
  return day
}

const first = await nextDay()
await books.giveBalances(first, ACCEPTED)
const second = await nextDay()
await books.close(first, 'the bank looks into it, case 12')

test('what was accepted without a line stays accepted while the balances differ by it', async () => {
  assert.deepEqual(await proofOf(second, ACCEPTED), { differences: [['accepted', ACCEPTED]], unexplained: 0n })
  assert.doesNotMatch(await wordsOf(second), /has ended|does not show/)
})

test('another difference is not hidden by it: what leaves more unexplained is shown, and the other possibility named', async () => {
  assert.deepEqual(await proofOf(second, -68_000n), { differences: [['unexplained', -68_000n]], unexplained: 68_000n })
  const possible = `accepted -670,00 TL of ${first} may still be in it: then -10,00 TL is new, else -680,00 TL`
  assert.ok((await wordsOf(second)).includes(possible), await wordsOf(second))
  assert.deepEqual(await proofOf(second, 10_000n), {
    differences: [
      ['accepted', ACCEPTED],
      ['unexplained', 77_000n],
    ],
    unexplained: 77_000n,
  })
  assert.equal((await proofOf(second, -66_000n)).unexplained, 66_000n)
})

test('it ends when the balances agree: it is said once, not asked for again, and not accepted any more', async () => {
  assert.deepEqual(await proofOf(second, 0n), { differences: [], unexplained: 0n })
  assert.ok((await wordsOf(second)).includes(`The accepted -670,00 TL of ${first} has ended`), await wordsOf(second))
  const third = await nextDay()
  assert.equal((await books.close(second)).state, 'applied')
  assert.deepEqual(await proofOf(third, 0n), { differences: [], unexplained: 0n })
  assert.doesNotMatch(await wordsOf(third), /has ended/)
  assert.equal((await proofOf(third, ACCEPTED)).unexplained, -ACCEPTED)
})

test('accepted again with another amount, that amount is carried on', async () => {
  const third = addDays(second, 1)
  await books.giveBalances(third, -5n)
  const fourth = await nextDay()
  await books.close(third, 'rounding of the bank')
  await books.giveBalances(fourth, 7n)
  const fifth = await nextDay()
  await books.close(fourth, 'rounding of the bank')
  assert.deepEqual(await proofOf(fifth, 7n), { differences: [['accepted', 7n]], unexplained: 0n })
})

test('the first page counts the accounts that differ by it', async () => {
  await books.later(1)
  await checkBooks(app)
  const tile = (await todaysWork(app)).find(({ name }) => name === 'accepted_differences')
  assert.deepEqual([tile?.group, tile?.count, tile?.amounts], ['ageing', 1, [{ currency: 'TRY', amount: 7n }]])
})

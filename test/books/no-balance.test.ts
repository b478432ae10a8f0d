import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUsed, reportDay } from '../../packages/server/src/domain/books/index.ts'
import { describeDay } from '../../packages/server/src/edges/cli/operator/books-day.ts'
import { AYSE, startBooks } from '../harness/books.ts'
import { closeDay } from '../harness/day-proposals.ts'
import { camt, openFileAccount } from '../harness/statement-files.ts'
import { refusalSaying } from '../harness/refusals.ts'

const books = await startBooks()
const { app } = books
const shop = await books.merchant()
const [account] = await app.banks.accounts()

async function stateOf(day: string) {
  const found = (await books.prove(day)).accounts.find((one) => one.collectingAccountId === account?.id)
  return { closing: found?.closing, unexplained: found?.unexplained, proven: found?.proven }
}

const first = await books.later(1)
await books.deposit(shop.merchantId, 500_000n)
await books.take(await books.lineOf({ amount: 1_000n }))
const second = await books.later(1)

test('a day of accounts whose bank never gave a balance is closed without a reason', async () => {
  assert.deepEqual(await stateOf(first), { closing: null, unexplained: 0n, proven: true })
  assert.equal((await books.close(first)).state, 'applied')
})

test('a missing balance: the day is not proven, until the opening of a later day shows it', async () => {
  await books.giveBalances(second)
  const third = await books.later(1)
  await books.take(await books.lineOf({ amount: 2_000n }))
  const fourth = await books.later(1)
  assert.equal((await books.close(second)).state, 'applied')
  assert.deepEqual(await stateOf(third), { closing: null, unexplained: 0n, proven: false })
  await assert.rejects(closeDay(app, AYSE, third), refusalSaying('day_not_proven', /Not proven: .* --why TEXT/))
  await books.giveBalances(fourth)
  assert.deepEqual(await stateOf(third), { closing: null, unexplained: 0n, proven: true })
  assert.equal((await books.close(third)).state, 'applied')
})

test('what is unexplained stays on later days without a balance, and blocks their close', async () => {
  const day = books.today()
  await books.take(await books.lineOf({ amount: 2_500n }))
  await books.giveBalances(day, 250n)
  const next = await books.later(1)
  await books.take(await books.lineOf({ amount: 3_000n }))
  await books.later(1)
  assert.deepEqual(await stateOf(next), { closing: null, unexplained: 250n, proven: false })
  await books.close(day, 'the bank looks into it, case 12')
  assert.deepEqual(await stateOf(next), { closing: null, unexplained: 0n, proven: false }, 'accepted, still not proven')
  await assert.rejects(closeDay(app, AYSE, next), { why: 'day_not_proven' })
  assert.equal((await books.close(next, 'the bank sends it tomorrow')).state, 'applied')
})

test('an account without money or lines that lacks its usual balance is shown: the day is not proven because of it', async () => {
  const { iban, take } = await openFileAccount(app)
  await take(camt('053', { iban, day: books.today(), opening: 0, bookings: [] }))
  const next = await books.later(1)
  await books.later(1)
  const report = await reportDay(app, next)
  const found = report.accounts.find((one) => one.iban === iban) ?? assert.fail('no account')
  assert.deepEqual([found.proven, found.ledger, found.lines, isUsed(found)], [false, 0n, [], true])
  const text = describeDay(report, app.clock.now()).join('\n')
  assert.match(text, new RegExp(` ${iban}\n  opening`), 'in the list')
  assert.match(text, new RegExp(`NOT PROVEN on ${iban}`))
})

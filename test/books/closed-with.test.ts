import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  checkBooks,
  daysToClose,
  listDays,
  reportDay,
  selectChecks,
  withoutBalance,
} from '../../packages/server/src/domain/books/index.ts'
import { todaysWork } from '../../packages/server/src/domain/overview/index.ts'
import { addDays, startOfDay } from '../../packages/server/src/kernel/istanbul.ts'
import { AYSE, MEHMET, startBooks } from '../harness/books.ts'
import { closeDay } from '../harness/day-proposals.ts'
import { openCommandLine } from '../harness/command-line.ts'

const books = await startBooks()
const { app } = books
const shop = await books.merchant()
const { run, stop } = openCommandLine({
  DATABASE_URL: books.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)

const pile = async (name: string) => (await todaysWork(app)).find((one) => one.name === name)
const first = await books.later(1)
await books.deposit(shop.merchantId, 200_000n)

test('days before the first statement are none to close; a day that is over is, until someone proposes to', async () => {
  assert.deepEqual((await daysToClose(app)).open, [])
  const next = await books.later(1)
  const { days } = await listDays(app, 4)
  assert.deepEqual(
    days.map(({ day, state }) => [day, state]),
    [
      [next, 'running'],
      [first, 'open'],
      [addDays(first, -1), 'before'],
      [addDays(first, -2), 'before'],
    ],
  )
  // No feed was read here: a statement is late after two business days.
  await books.later(7)
  const { open } = await daysToClose(app)
  assert.equal(open[0], first)
  const tile = await pile('days_to_close')
  assert.deepEqual([tile?.count, tile?.oldest], [open.length, startOfDay(addDays(first, 1))])
  const before = (await pile('proposals_to_approve'))?.count ?? 0
  await closeDay(app, AYSE, first)
  assert.deepEqual((await daysToClose(app)).open, open.slice(1))
  assert.equal((await pile('proposals_to_approve'))?.count, before + 1)
})

test('a closed day shows what it was closed with, and what came since', async () => {
  const { hash } = await books.prove(first)
  await closeDay(app, MEHMET, first)
  const same = await reportDay(app, first)
  assert.deepEqual(
    [same.closedWith?.hash, same.closedWith?.changed, same.closedWith?.closedBy],
    [hash, [], 'mehmet.kaya'],
  )
  const bookedAt = new Date(startOfDay(first).getTime() + 3_600_000)
  const late = await books.lineOf({ amount: 12_300n, bookedAt })
  assert.equal((await pile('closed_days_changed'))?.count, 0)
  await books.take(late)
  assert.equal((await pile('closed_days_changed'))?.count, 1)
  const { days } = await listDays(app, 3, addDays(first, 1))
  assert.deepEqual(
    days.map(({ state, isChanged }) => [state, isChanged]),
    [
      ['open', false],
      ['closed', true],
      ['before', false],
    ],
  )
  const { closedWith, hash: now } = await reportDay(app, first)
  assert.notEqual(now, hash)
  assert.equal(closedWith?.hash, hash)
  const credits = closedWith?.changed.find(({ name }) => name === `${late.accountIban} credits`)
  assert.equal(BigInt(credits?.now ?? 0) - BigInt(credits?.before ?? 0), 12_300n)
  assert.deepEqual(
    closedWith?.lines.map(({ amount, direction }) => [amount, direction]),
    [[12_300n, 'credit']],
  )
  const { output } = await run(['books', 'day', first])
  assert.match(output, new RegExp(`closed\\. Figures ${hash}\n.*mehmet\\.kaya closed it .* changed to ${now}`))
  assert.match(output, /read after the close, .*: credit 123,00 TL, line/)
})

test('nothing unexplained without balances is not proven', async () => {
  await checkBooks(app)
  const { without, used } = withoutBalance((await selectChecks(app.db)).map(({ proof }) => proof))
  assert.ok(without > 0 && without === used, `${without} of ${used}`)
  const { output } = await run(['books', 'day', addDays(first, 1)])
  assert.match(output, new RegExp(`not proven: no balance for ${used} of ${used} accounts`))
})

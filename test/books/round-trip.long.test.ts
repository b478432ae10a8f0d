import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { closedUntil } from '../../packages/server/src/domain/ledger/index.ts'
import { listBatches, listPayouts } from '../../packages/server/src/domain/withdrawals/index.ts'
import { addDays } from '../../packages/server/src/kernel/istanbul.ts'
import { startBankDays } from '../harness/bank-days.ts'

const COUNT = 1_000

test(`${COUNT} withdrawals leave in order files, are settled by the bank's report and statement, and the day closes to zero`, async () => {
  const days = await startBankDays([{ name: 'files', codes: ['0010', '0032'], format: 'camt.053' }])
  const { app, accounts } = days
  const [files] = days.connections
  assert.ok(files && accounts.length === 2)
  const before = days.tomorrow()
  const day = addDays(before, 1)

  await days.goTo(before, '10:00')
  const shop = await days.merchant()
  for (const account of [...accounts, ...accounts]) await days.paidDeposit(shop.merchantId, account, 5_000_000n)
  await days.goTo(before, '23:00')
  await days.exchange(files, { day: before })
  await days.takeIn()
  assert.deepEqual(await days.mustEqualBank(before), [])

  await days.goTo(day, '10:00')
  const ids: string[] = []
  for (let index = 0; index < COUNT; index += 50)
    ids.push(...(await Promise.all(Array.from({ length: 50 }, (_, more) => days.withdraw(shop, 9_000 + index + more)))))
  await days.send()
  assert.ok(readdirSync(join(files.folder, 'outbox')).length >= 2, 'one debit account a file')
  const { orders } = await days.exchange(files, { day })
  assert.equal(
    orders.reduce((sum, { accepted }) => sum + accepted, 0),
    COUNT,
  )
  await days.send()
  await days.takeIn()

  const paid = await days.witness()
  assert.deepEqual(paid.map(({ reference }) => reference).toSorted(), ids.toSorted(), 'each was paid once')
  const payouts = await listPayouts(app.db, 'sent', COUNT + 1)
  assert.equal(payouts.length, COUNT)
  assert.ok((await listBatches(app.db, undefined, 10)).every(({ state }) => state === 'fetched'))
  const debits = (await days.linesOf()).filter(({ direction }) => direction === 'debit')
  const shown = debits.map(({ state, withdrawalId }) => `${state} ${withdrawalId}`)
  assert.deepEqual(shown.toSorted(), ids.map((id) => `matched ${id}`).toSorted())
  assert.deepEqual(await days.linesOf('new', 'needs_review', 'suspense'), [])

  assert.deepEqual(await days.mustEqualBank(day), [], 'no difference at all')
  await days.journal.assertSound()
  await days.goTo(addDays(day, 1), '09:00')
  for (const one of [before, day]) await days.close(one)
  assert.equal(await closedUntil(app.db), day)
})

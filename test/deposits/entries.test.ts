import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { findDrift, findMixedEntries } from '../../packages/server/src/domain/ledger/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { decideCorrection, matchByHand } from '../../packages/server/src/domain/matching/index.ts'
import { linesOfDeposit, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { entriesOf, longBefore } from '../harness/entries.ts'
import { ingest, lineFor, matchAll, payDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const { app, merchant } = await startService()
const shop = await merchant({ depositFee: { bps: 150 } })
const bookedAt = longBefore(app)
const BY = 'ada.aksoy'
await addOperator(app, UNATTRIBUTED, BY, DECIDING)

afterEach(async () => {
  assert.deepEqual(await findDrift(app.db), [])
  assert.deepEqual(await findMixedEntries(app.db), [])
})

async function deposited() {
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  assert.ok(deposit)
  return deposit
}

test('a line completes a deposit: one entry with credit and fee, on the day on which the bank booked the line', async () => {
  const deposit = await deposited()
  assert.equal((await payDeposit(app, deposit, { bookedAt })).status, 'completed')
  assert.deepEqual(await entriesOf(app, deposit.id, bookedAt), [['deposit_settlement', 'system', 'bank']])
})

test('a part is received into suspense on its day; the rest settles the deposit on the day of its own line', async () => {
  const deposit = await deposited()
  await payDeposit(app, deposit, { amount: 100_000n, bookedAt: new Date(bookedAt.getTime() - 5 * 86_400_000) })
  const [first] = await linesOfDeposit(app.db, shop.merchantId, deposit.id)
  assert.ok(first)
  assert.deepEqual(await entriesOf(app, first.id, first.bookedAt), [['suspense_receipt', 'system', 'bank']])
  await payDeposit(app, deposit, { amount: 25_000n, bookedAt })
  assert.deepEqual(await entriesOf(app, deposit.id, bookedAt), [['deposit_settlement', 'system', 'bank']])
})

test('a person releases held money: by that operator, on the day of the decision', async () => {
  const deposit = await deposited()
  await payDeposit(app, deposit, { amount: 130_000n, bookedAt })
  const [line] = await linesOfDeposit(app.db, shop.merchantId, deposit.id)
  await matchByHand(app, operatorActor(BY), line?.id ?? '', deposit.id, null, 130_000n)
  assert.deepEqual(await entriesOf(app, deposit.id, bookedAt), [['deposit_settlement', `operator:${BY}`, 'clock']])
})

test('a line that another one replaces: reversed by the operator who said so', async () => {
  const deposit = await deposited()
  const facts = { bankReference: app.ids.next(), narrative: 'odeme', bookedAt }
  for (const amount of [70_000n, 7_000n]) {
    await ingest(app, [await lineFor(app, deposit, { ...facts, amount })])
    await matchAll(app)
  }
  const find = async (state: 'needs_review' | 'suspense') =>
    (await listLines(app.db, state, 1000)).find((one) => one.bankReference === facts.bankReference)?.id ?? ''
  const [first, second] = [await find('suspense'), await find('needs_review')]
  await decideCorrection(app, operatorActor(BY), second, 'replaces')
  await matchAll(app)
  assert.deepEqual(await entriesOf(app, first, bookedAt), [
    ['suspense_receipt', 'system', 'bank'],
    ['suspense_reversal', `operator:${BY}`, 'clock'],
  ])
  assert.deepEqual(await entriesOf(app, second, bookedAt), [['suspense_receipt', 'system', 'bank']])
})

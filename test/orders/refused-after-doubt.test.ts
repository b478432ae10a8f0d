import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { matchPayoutLines } from '../../packages/server/src/domain/matching/index.ts'
import type { Batch } from '../../packages/server/src/domain/withdrawals/index.ts'
import {
  cancelBatch,
  findPayout,
  importOrderReport,
  overdueBatches,
  releaseBatches,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { mustFind } from '../harness/history.ts'
import { debitOf, startOrders, waitingPayouts } from '../harness/order-files.ts'
import { reportOf } from '../harness/order-reports.ts'
import { ingest } from '../harness/payments.ts'

// A refusal ends only a payout that is plainly pending: one that may have been paid stays in doubt, until two people decide.

const { app, files, shop, ada } = await startOrders()

afterEach(async () => {
  files.fetch()
  await work()
  assert.deepEqual(await findDrift(app.db), [])
})

const work = async () => {
  while ((await releaseBatches(app, [files.connection])) > 0);
}
const receive = (bytes: Uint8Array, connection = 'files') =>
  importOrderReport(app, { connection, name: 'report.xml', bytes })
const available = async () => (await balanceOf(app.db, shop.merchantId, 'TRY')).available
const reasonOf = async (id: string) => {
  const { state, stateReason } = await mustFind(app, id)
  return [state, stateReason, (await findPayout(app.db, id))?.reason]
}
const fetched = async (): Promise<Batch> => {
  await files.send()
  files.fetch()
  await work()
  return files.newest()
}

let amount = 30_000
async function oneSent(): Promise<{ id: string; batch: Batch }> {
  const [id = ''] = await waitingPayouts(app, shop, 1, { amount: amount++ })
  return { id, batch: await fetched() }
}

/** The refusal changes nothing and is shown as a contradiction. */
async function assertNotBelieved(batch: Batch, id: string, reason = 'report_contradicts'): Promise<void> {
  const [before, shown] = [await available(), (await overdueBatches(app)).unfittingReports]
  const { outcomes } = await receive(reportOf(batch, { transactions: [{ id, status: 'RJCT', code: 'AC04' }] }))
  assert.deepEqual([outcomes, await available()], [{ contradicts: 1 }, before])
  assert.deepEqual(await reasonOf(id), ['unknown', reason, reason])
  assert.equal((await overdueBatches(app)).unfittingReports, shown + 1)
}

test('the cancelled batch was reported as executed, then the newer one as refused', async () => {
  const [id = ''] = await waitingPayouts(app, shop, 1, { amount: amount++ })
  await files.send()
  const first = await cancelBatch(app, ada, (await files.newest()).id, { reason: 'a test', holdMinutes: 0 })
  const second = await fetched()
  assert.notEqual(first.id, second.id)
  await receive(reportOf(first, { transactions: [{ id, status: 'ACSC' }] }))
  await assertNotBelieved(second, id)
})

test('executed with another amount, then refused', async () => {
  const { id, batch } = await oneSent()
  const more = '<OrgnlTxRef><Amt><InstdAmt Ccy="TRY">1.00</InstdAmt></Amt></OrgnlTxRef>'
  await receive(reportOf(batch, { transactions: [{ id, status: 'ACSC', more }] }))
  await assertNotBelieved(batch, id)
  await assertNotBelieved(batch, id)
})

test('in doubt by a similar debit, then refused: the reason stays', async () => {
  const { id, batch } = await oneSent()
  await ingest(app, [await debitOf(app, id, { narrative: 'EFT' })], 'files')
  while ((await matchPayoutLines(app)) > 0);
  await receive(reportOf(batch, { transactions: [{ id, status: 'RJCT' }] }))
  await assertNotBelieved(batch, id, 'similar_debit_on_statement')
})

test('executed as a report says that names another batch, or none of ours; then refused', async () => {
  for (const messageId of [undefined, 'unknown']) {
    const { batch: other } = await oneSent()
    const { id, batch } = await oneSent()
    const said = { ...(messageId && { messageId }), transactions: [{ id, status: 'ACCC' }] }
    await receive(reportOf(other, said))
    assert.equal((await mustFind(app, id)).state, 'sending')
    await assertNotBelieved(batch, id)
  }
})

test('in doubt, and then reported as executed without a contradiction: it settles', async () => {
  const { id, batch } = await oneSent()
  await receive(reportOf(batch, { group: 'RJCT', code: 'DU01' }))
  assert.equal((await mustFind(app, id)).state, 'unknown')
  await receive(reportOf(batch, { transactions: [{ id, status: 'ACSC' }] }))
  assert.equal((await mustFind(app, id)).state, 'sent')
})

import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { matchPayoutLines } from '../../packages/server/src/domain/matching/index.ts'
import type { Batch } from '../../packages/server/src/domain/withdrawals/index.ts'
import {
  cancelBatch,
  cutBatches,
  findBatch,
  findPayout,
  importOrderReport,
  overdueBatches,
  releaseBatches,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { laterBy } from '../harness/crash.ts'
import { mustFind } from '../harness/history.ts'
import { debitOf, startOrders, waitingPayouts } from '../harness/order-files.ts'
import { reportOf } from '../harness/order-reports.ts'
import { ingest } from '../harness/payments.ts'
import type { Said } from '../../packages/server/src/platform/refusal.ts'

// A bank that reports about a cancelled batch has its file: none of its payouts may be sent again.

const { app, files, shop, ada } = await startOrders()

afterEach(async () => {
  files.fetch()
  while ((await releaseBatches(app, [files.connection])) > 0);
  assert.deepEqual(await findDrift(app.db), [])
})

const cancel = (id: string) => cancelBatch(app, ada, id, { reason: 'a test', holdMinutes: 0 })
const receive = (bytes: Uint8Array) => importOrderReport(app, { connection: 'files', name: 'report.xml', bytes })
const withdrawalStatesOf = (ids: string[]) => Promise.all(ids.map(async (id) => (await mustFind(app, id)).state))
const statesOf = (ids: string[]) => Promise.all(ids.map(async (id) => (await findPayout(app.db, id))?.state))

/** Nothing is sent; the batch, and the doctor, say why and what to do. */
async function assertHeld({ id }: Batch): Promise<void> {
  const { state, problem } = (await findBatch(app.db, id)) ?? assert.fail('no batch')
  assert.equal(state, 'staged')
  assert.deepEqual([problem?.why, problem?.facts['batch']], ['order_file_held_up', id])
  assert.equal((problem?.facts['problem'] as Said | undefined)?.why, 'order_payout_in_doubt')
  assert.ok((await overdueBatches(app)).held.some((held) => held.id === id))
}

/** Two payouts in a batch that was cancelled, and the report about the first of them only. */
async function cancelled(): Promise<{ batch: Batch; ids: string[]; report: Uint8Array }> {
  const ids = await waitingPayouts(app, shop, 2)
  await files.send()
  const batch = await cancel((await files.newest()).id)
  return { batch, ids, report: reportOf(batch, { transactions: [{ id: ids[0] as string, status: 'ACSC' }] }) }
}

test('payouts that the report has no status for are in doubt too, and not sent again', async () => {
  const { ids, report } = await cancelled()
  const { outcomes } = await receive(report)
  assert.deepEqual([outcomes, await withdrawalStatesOf(ids)], [{ doubt: 2 }, ['unknown', 'unknown']])
  assert.deepEqual(await statesOf(ids), ['asking', 'asking'])
  await files.send()
  assert.deepEqual(files.outbox(), [])
})

test('a report without any status: all are in doubt', async () => {
  const { batch, ids } = await cancelled()
  await receive(reportOf(batch, {}))
  assert.deepEqual(await withdrawalStatesOf(ids), ['unknown', 'unknown'])
})

test('in a newer batch that is not released: it is held up until a person cancels it, and its other payouts leave', async () => {
  const { ids, report } = await cancelled()
  const [other = ''] = await waitingPayouts(app, shop, 1)
  await cutBatches(laterBy(app, 300), [files.connection])
  const newer = await files.newest()
  await receive(report)
  assert.deepEqual(await withdrawalStatesOf(ids), ['unknown', 'unknown'])
  while ((await releaseBatches(app, [files.connection])) > 0);
  const held = await findBatch(app.db, newer.id)
  assert.deepEqual([held?.state, files.outbox()], ['cut', []])
  assert.deepEqual([held?.problem?.why, held?.problem?.facts['batch']], ['order_file_held_up', newer.id])
  await cancel(newer.id)
  assert.deepEqual(await statesOf([...ids, other]), ['asking', 'asking', 'ready'])
  await files.send()
  assert.equal((await files.newest()).orders, 1)
  const [text = ''] = files.fetch()
  assert.ok(text.includes(other) && ids.every((id) => !text.includes(id)))
})

test('in a newer batch that waits in outbox/: with the report its file is taken out, and a person cancels it', async () => {
  const { ids, report } = await cancelled()
  const [other = ''] = await waitingPayouts(app, shop, 1)
  await files.send()
  const newer = await files.newest()
  await receive(report)
  assert.deepEqual([await withdrawalStatesOf(ids), files.outbox()], [['unknown', 'unknown'], []])
  await assertHeld(newer)
  while ((await releaseBatches(app, [files.connection])) > 0);
  await assertHeld(newer)
  await cancel(newer.id)
  assert.deepEqual(await statesOf([...ids, other]), ['asking', 'asking', 'ready'])
})

test('a payout came into doubt in any other way while its file is in outbox/: a worker takes the file out', async () => {
  const ids = await waitingPayouts(app, shop, 2)
  await files.send()
  const batch = await files.newest()
  await ingest(app, [await debitOf(app, ids[0] ?? '', { amount: 1n })], 'files')
  while ((await matchPayoutLines(app)) > 0);
  assert.equal((await findPayout(app.db, ids[0] ?? ''))?.reason, 'named_on_statement')
  while ((await releaseBatches(app, [files.connection])) > 0);
  assert.deepEqual(files.outbox(), [])
  await assertHeld(batch)
})

test('a process that crashed after it moved the file to outbox/: it is taken out all the same', async () => {
  const { report } = await cancelled()
  await files.send()
  const newer = await files.newest()
  await app.db.query(sql`update payout_batches set state = 'staged', released_at = null where id = ${newer.id}`)
  await receive(report)
  while ((await releaseBatches(app, [files.connection])) > 0);
  assert.deepEqual(files.outbox(), [])
  await assertHeld(newer)
})

test('the folder cannot be used while the report comes: it is applied, and a worker takes the file out later', async () => {
  const { ids, report } = await cancelled()
  await files.send()
  const newer = await files.newest()
  renameSync(join(files.folder, 'outbox'), join(files.folder, 'away'))
  assert.deepEqual((await receive(report)).outcomes, { doubt: 2 })
  assert.deepEqual(await withdrawalStatesOf(ids), ['unknown', 'unknown'])
  renameSync(join(files.folder, 'away'), join(files.folder, 'outbox'))
  while ((await releaseBatches(app, [files.connection])) > 0);
  assert.deepEqual(files.outbox(), [])
  await assertHeld(newer)
})

test('a report and the cancelling at once: the batch was fetched, or its payouts are in doubt', async () => {
  for (let round = 0; round < 5; round++) {
    const ids = await waitingPayouts(app, shop, 2)
    await files.send()
    const batch = await files.newest()
    await Promise.allSettled([cancel(batch.id), receive(reportOf(batch, {}))])
    assert.deepEqual(await statesOf(ids), ['asking', 'asking'])
  }
})

import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { matchPayoutLines } from '../../packages/server/src/domain/matching/index.ts'
import type { Batch } from '../../packages/server/src/domain/withdrawals/index.ts'
import {
  cancelBatch,
  decideDoubt,
  findBatch,
  findPayout,
  importOrderReport,
  overdueBatches,
  releaseBatches,
  retryBatch,
  callsOf,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { aWeekLater, Crash, crashingWorker } from '../harness/crash.ts'
import { debitOf, startOrders, waitingPayouts } from '../harness/order-files.ts'
import { reportOf } from '../harness/order-reports.ts'
import { ingest } from '../harness/payments.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'

// A program took a file from outbox/, could not send it, and puts it back: the bank can still get it.

const { app, files, shop, ada, bora } = await startOrders()
mkdirSync(join(files.folder, 'sending'))

const pathOf = (place: string, name: string) => join(files.folder, place, name)
const take = ({ fileName }: Batch) => renameSync(pathOf('outbox', fileName), pathOf('sending', fileName))
const putBack = ({ fileName }: Batch) => renameSync(pathOf('sending', fileName), pathOf('outbox', fileName))
const work = async () => {
  while ((await releaseBatches(app, [files.connection])) > 0);
}
const stateOf = async ({ id }: Batch) => (await findBatch(app.db, id))?.state
const payoutState = async (id: string) => (await findPayout(app.db, id))?.state
const cancel = ({ id }: Batch) => cancelBatch(app, ada, id, { reason: 'a test', holdMinutes: 60 })
const notFound = (actor: typeof ada, id: string) =>
  decideDoubt(aWeekLater(app), actor, id, { verdict: 'not_found', evidence: 'not on the list', unproven: true })
const report = (batch: Batch) =>
  importOrderReport(app, { connection: 'files', name: 'r.xml', bytes: reportOf(batch, { group: 'ACTC' }) })

/** Two payouts in a file that a program has taken. */
async function taken(): Promise<{ batch: Batch; ids: string[] }> {
  const ids = await waitingPayouts(app, shop, 2)
  await files.send()
  const batch = await files.newest()
  take(batch)
  await work()
  assert.equal(await stateOf(batch), 'fetched')
  return { batch, ids }
}

afterEach(async () => {
  files.fetch()
  await work()
  assert.deepEqual(await findDrift(app.db), [])
})

test('a file that was put back is released again, and its payouts say so', async () => {
  const { batch, ids } = await taken()
  putBack(batch)
  await work()
  assert.equal(await stateOf(batch), 'released')
  for (const id of ids) {
    const calls = await callsOf(app.db, shop.merchantId, id)
    assert.deepEqual(calls.at(-1)?.detail, note('call_order_file_back', { file: batch.fileName }))
    const waits = { why: 'payout_in_order_file', facts: { file: batch.fileName, batch: batch.id, isBack: false } }
    await assert.rejects(notFound(ada, id), { code: 'INVALID_STATE', said: waits })
  }
  take(batch)
  await work()
  assert.equal(await stateOf(batch), 'fetched')
})

test('"not found" looks at the folder: refused while the file is there, or the folder cannot be read', async () => {
  const { batch, ids } = await taken()
  const [id = ''] = ids
  assert.equal(await notFound(ada, id), 'waiting for a second person')
  putBack(batch)
  const isBack = { why: 'payout_in_order_file', facts: { file: batch.fileName, batch: batch.id, isBack: true } }
  await assert.rejects(notFound(bora, id), { code: 'INVALID_STATE', said: isBack })
  take(batch)
  renameSync(join(files.folder, 'outbox'), join(files.folder, 'away'))
  await assert.rejects(notFound(bora, id), { code: 'INVALID_STATE', why: 'order_folder_unusable' })
  renameSync(join(files.folder, 'away'), join(files.folder, 'outbox'))
  assert.equal(await stateOf(batch), 'fetched')
  assert.equal(await notFound(bora, id), 'failed')
})

test('a file that was put back is cancelled, also before a worker has noticed it', async () => {
  for (const isNoticed of [true, false]) {
    const { batch, ids } = await taken()
    putBack(batch)
    if (isNoticed) await work()
    assert.equal((await cancel(batch)).state, 'cancelled')
    assert.deepEqual([files.outbox(), files.staging()], [[], []])
    for (const id of ids) assert.equal(await payoutState(id), 'ready')
    for (const id of ids) for (const actor of [ada, bora]) await notFound(actor, id)
  }
})

test('a payout ended before the file was put back: the file is taken out, and its batch can be cancelled', async () => {
  const { batch, ids } = await taken()
  const [ended = '', other = ''] = ids
  for (const actor of [ada, bora]) await notFound(actor, ended)
  putBack(batch)
  await work()
  assert.deepEqual(files.outbox(), [])
  const held = await findBatch(app.db, batch.id)
  assert.equal(held?.state, 'staged')
  const problem = note('order_payout_ended', { withdrawal: ended, state: 'failed' })
  assert.deepEqual(held?.problem?.facts['problem'], problem)
  assert.deepEqual(
    (await callsOf(app.db, shop.merchantId, other)).at(-1)?.detail,
    note('call_order_file_stopped', { file: batch.fileName, isStopped: true, problem }),
  )
  await cancel(batch)
  assert.deepEqual([await payoutState(ended), await payoutState(other)], ['failed', 'ready'])
  for (const actor of [ada, bora]) await notFound(actor, other)
})

test('the bank has reported, or the batch was cancelled: the file is taken out, and shown until a person has looked', async () => {
  const { batch: reported } = await taken()
  await report(reported)
  putBack(reported)
  await work()
  await assert.rejects(cancel(reported), { code: 'INVALID_STATE', why: 'order_file_reported' })
  const { batch: cancelled, ids } = await taken()
  putBack(cancelled)
  copyFileSync(pathOf('outbox', cancelled.fileName), pathOf('sending', cancelled.fileName))
  await cancel(cancelled)
  putBack(cancelled)
  await work()
  assert.deepEqual([await stateOf(reported), await stateOf(cancelled), files.outbox()], ['fetched', 'cancelled', []])
  const stopped = async () => (await overdueBatches(app)).stopped.map(({ id }) => id)
  assert.deepEqual(await stopped(), [reported.id, cancelled.id])
  for (const { fileName } of [reported, cancelled]) assert.ok(existsSync(pathOf('staging', `${fileName}.stopped`)))
  for (const { id } of [reported, cancelled]) await retryBatch(app, ada, id)
  await work()
  assert.deepEqual(await stopped(), [])
  for (const { fileName } of [reported, cancelled]) assert.ok(!existsSync(pathOf('staging', `${fileName}.stopped`)))
  for (const id of ids) for (const actor of [ada, bora]) await notFound(actor, id)
})

test('the bank has the file, or has paid of it, while it is in outbox/: it is taken out before it is sent again', async () => {
  const { batch: rejected, ids } = await taken()
  putBack(rejected)
  await work()
  const bytes = reportOf(rejected, { group: 'RJCT', code: 'AC04' })
  await importOrderReport(app, { connection: 'files', name: 'rjct.xml', bytes })
  assert.deepEqual([await stateOf(rejected), await payoutState(ids[0] ?? '')], ['released', 'failed'])
  await work()
  assert.deepEqual([await stateOf(rejected), files.outbox()], ['fetched', []])
  await retryBatch(app, ada, rejected.id)
  const { batch: paid, ids: others } = await taken()
  putBack(paid)
  await work()
  await ingest(app, [await debitOf(app, others[0] ?? '')], 'files')
  while ((await matchPayoutLines(app)) > 0);
  await work()
  assert.deepEqual([await stateOf(paid), files.outbox()], ['staged', []])
  await cancel(paid)
  assert.deepEqual([await payoutState(others[0] ?? ''), await payoutState(others[1] ?? '')], ['sent', 'ready'])
  for (const actor of [ada, bora]) await notFound(actor, others[1] ?? '')
})

test('a crash at any point of taking a file out: it never stays in outbox/, and the batch shows why it waits', async () => {
  let [point, reached] = [0, true]
  while (reached) {
    const { batch, ids } = await taken()
    for (const actor of [ada, bora]) await notFound(actor, ids[0] ?? '')
    putBack(batch)
    const { worker, isDead } = crashingWorker(app, ++point)
    await releaseBatches(worker, [files.connection]).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error
    })
    reached = isDead()
    await work()
    assert.deepEqual([await stateOf(batch), files.outbox()], ['staged', []], `point ${point}`)
    await cancel(batch)
  }
  assert.ok(point > 3, `${point} points`)
})

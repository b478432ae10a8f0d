import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { UNATTRIBUTED, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { eraseTransaction } from '../../packages/server/src/domain/erasures/index.ts'
import {
  importOrderReport,
  overdueBatches,
  releaseBatches,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { distributeEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { laterBy } from '../harness/crash.ts'
import { startOrderFiles, waitingPayouts } from '../harness/order-files.ts'
import { reportOf } from '../harness/order-reports.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const files = await startOrderFiles(app)
const shop = await service.merchant({ funds: 50_000_000n })
await addOperator(app, UNATTRIBUTED, 'ada.aksoy', DECIDING)
const run = openCommandLineOf(service)
const DAY_SECONDS = 86_400

test('vezne batch list, show, cancel', async () => {
  const [id = ''] = await waitingPayouts(app, shop, 1)
  await files.send()
  const batch = await files.newest()
  assert.match((await run(['batch', 'list', '--state', 'released'])).output, new RegExp(`${batch.id} .* 1 .*released`))
  const cancel = (...more: string[]) => run(['batch', 'cancel', batch.id, '--why', 'wrong day', ...more])
  assert.match((await cancel()).errors, /Say who decides/)
  const { output } = await cancel('--as', 'ada.aksoy', '--hold', '0')
  assert.match(output, /was taken back before any tool moved it .*Its 1 payout/s)
  assert.match(output, /If your tool sends files without moving them .* ask the bank/)
  const shown = (await run(['batch', 'show', batch.id])).output
  assert.match(shown, /cancelled by ada\.aksoy \(wrong day\)/)
  assert.match(shown, new RegExp(`${id} .*ready .*cancelled`))
  assert.match(
    (await cancel('--as', 'ada.aksoy')).errors,
    /The order file was already cancelled by ada\.aksoy at \d{4}-/,
  )
  assert.match((await run(['batch', 'show', 'none'])).errors, /There is no order file none/)
})

test('vezne batch show has what the bank reported', async () => {
  await files.send()
  const batch = await files.newest()
  files.fetch()
  await releaseBatches(app, [files.connection])
  const bytes = reportOf(batch, { group: 'RJCT', code: 'AC04' })
  await importOrderReport(app, { connection: 'files', name: 'status.xml', bytes })
  assert.match((await run(['batch', 'show', batch.id])).output, /report status\.xml, received .*\n.* RJCT failed/)
})

test('vezne batch cancel names the cause of a refusal, and what to do', async () => {
  const cancel = async ({ id }: { id: string }) =>
    (await run(['batch', 'cancel', id, '--why', 'wrong day', '--as', 'ada.aksoy'])).errors
  await waitingPayouts(app, shop, 1)
  await files.send()
  const batch = await files.newest()
  renameSync(join(files.folder, 'outbox'), join(files.folder, 'away'))
  assert.match(await cancel(batch), /cannot be used here: .*The cancellation is recorded.*\n +vezne batch retry/)
  renameSync(join(files.folder, 'away'), join(files.folder, 'outbox'))
  files.fetch()
  assert.match(
    await cancel(batch),
    /is no longer in outbox\/ .*If the bank says it does not have the file, .*puts it back/,
  )
  await importOrderReport(app, { connection: 'files', name: 's.xml', bytes: reportOf(batch, { group: 'ACTC' }) })
  assert.match(await cancel(batch), /The bank has sent a report on .*call the bank/)
})

test('vezne withdrawal resolve says how long its evidence must be', async () => {
  const [id = ''] = await waitingPayouts(app, shop, 1)
  const { errors: noReference } = await run(['withdrawal', 'resolve', id, '--as', 'ada.aksoy', '--found', ' '])
  assert.match(noReference, /bankReference is missing: give the bank's reference/)
  for (const option of ['--not-found', '--never-paid', '--paid-without-debit']) {
    const { errors } = await run(['withdrawal', 'resolve', id, '--as', 'ada.aksoy', option, 'A1'])
    assert.match(errors, /evidence must .*, in at least five characters/)
  }
  const { output } = await run(['withdrawal', 'resolve', '--help'])
  assert.equal(output.match(/5 characters or more/g)?.length, 1, output)
})

test('vezne batch retry says what is wrong, and continues when it is repaired', async () => {
  await waitingPayouts(app, shop, 1)
  renameSync(join(files.folder, 'staging'), join(files.folder, 'away'))
  await files.send()
  const batch = await files.newest()
  assert.match((await run(['batch', 'list'])).output, /cut .*cannot be used/)
  assert.match((await run(['batch', 'retry', batch.id])).errors, /cannot be used here: .*staging/)
  renameSync(join(files.folder, 'away'), join(files.folder, 'staging'))
  assert.match((await run(['batch', 'retry', batch.id])).output, /The batch is released/)
})

test('a file that no one fetched for an hour, and one without any answer for two business days, are overdue', async () => {
  const batch = await files.newest()
  const ids = async (seconds: number, which: 'unfetched' | 'silent') =>
    (await overdueBatches(laterBy(app, seconds)))[which].map(({ id }) => id)
  assert.deepEqual(await ids(0, 'unfetched'), [])
  assert.deepEqual(await ids(2 * 3600, 'unfetched'), [batch.id])
  files.fetch()
  await releaseBatches(app, [files.connection])
  assert.deepEqual([await ids(2 * 3600, 'unfetched'), await ids(2 * 3600, 'silent')], [[], []])
  assert.deepEqual(await ids(10 * DAY_SECONDS, 'silent'), [batch.id])
  const bytes = reportOf(batch, { group: 'ACTC' })
  await importOrderReport(app, { connection: 'files', name: 'status.xml', bytes })
  assert.deepEqual(await ids(10 * DAY_SECONDS, 'silent'), [])
  assert.equal((await overdueBatches(app)).unfittingReports, 0)
  await importOrderReport(app, {
    connection: 'files',
    name: 'x.xml',
    bytes: reportOf({ id: 'none' }, { group: 'RJCT' }),
  })
  assert.equal((await overdueBatches(app)).unfittingReports, 1)
})

test('vezne doctor and vezne batch reports name what fits nothing: file, connection, message or order', async () => {
  const batch = await files.newest()
  const bytes = reportOf(batch, { transactions: [{ id: 'someone-else', status: 'ACSC' }] })
  await importOrderReport(app, { connection: 'files', name: 'y.xml', bytes })
  const doctor = (await run(['doctor'])).output
  assert.match(doctor, /order files: .*2 report\(s\), or orders in them, match nothing .*x\.xml of files.*message none/)
  assert.match(doctor, /vezne batch reports/)
  const { output } = await run(['batch', 'reports'])
  assert.match(output, /files +x\.xml +message none +.*names no order file of this connection/)
  assert.match(
    output,
    new RegExp(`files +y\\.xml +batch ${batch.id}, order someone-else +ACSC unknown +.*has no such order`),
  )
})

test('vezne batch reports says of a refusal after the payment that it contradicts the payout, not that the batch is unknown', async () => {
  const [id = ''] = await waitingPayouts(app, shop, 1)
  await files.send()
  files.fetch()
  await releaseBatches(app, [files.connection])
  const batch = await files.newest()
  for (const [name, status] of [
    ['paid.xml', 'ACSC'],
    ['refused.xml', 'RJCT'],
  ] as const) {
    const bytes = reportOf(batch, { transactions: [{ id, status }] })
    await importOrderReport(app, { connection: 'files', name, bytes })
  }
  const { output } = await run(['batch', 'reports'])
  const line = output.split('\n').find((one) => one.includes('refused.xml')) ?? ''
  assert.match(line, new RegExp(`batch ${batch.id}, order ${id} +RJCT contradicts +the payout had ended otherwise`))
  assert.doesNotMatch(line, /names no batch/)
})

test('erasing a recipient removes the file and the reports that name it; their hashes stay', async () => {
  const [id = ''] = await waitingPayouts(app, shop, 1)
  await files.send()
  const batch = await files.newest()
  files.fetch()
  await importOrderReport(app, { connection: 'files', name: 'z.xml', bytes: reportOf(batch, { group: 'ACSC' }) })
  const wish = { askedFor: 'transaction', reason: 'a test', despiteRetention: true, dryRun: false } as const
  const subject = { kind: 'withdrawal', merchantId: shop.merchantId, id } as const
  while ((await distributeEvents(app)) > 0);
  const erased = await eraseTransaction(app, operatorActor('ada.aksoy'), subject, wish)
  assert.equal(erased.outcome, 'erased', JSON.stringify(erased))
  const [left] = await app.db.query(sql`
    select b.content as file, r.content as report, b.sha256 <> '' and r.sha256 <> '' as hashes
    from payout_batches b join order_reports r on r.batch_id = b.id where b.id = ${batch.id}`)
  assert.deepEqual(left, { file: null, report: null, hashes: true })
})

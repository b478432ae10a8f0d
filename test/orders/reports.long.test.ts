import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { matchPayoutLines } from '../../packages/server/src/domain/matching/index.ts'
import type { Batch } from '../../packages/server/src/domain/withdrawals/index.ts'
import {
  cancelBatch,
  findPayout,
  importOrderReport,
  listReports,
  releaseBatches,
  selectReportItems,
  callsOf,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { Crash, crashingWorker } from '../harness/crash.ts'
import { checkHistory, mustFind } from '../harness/history.ts'
import { debitOf, startOrders, waitingPayouts } from '../harness/order-files.ts'
import type { Said } from '../harness/order-reports.ts'
import { reportOf } from '../harness/order-reports.ts'
import { ingest } from '../harness/payments.ts'

const { app, files, shop, ada } = await startOrders()

afterEach(async () => {
  files.fetch()
  while ((await releaseBatches(app, [files.connection])) > 0);
  assert.deepEqual(await findDrift(app.db), [])
})

const available = async () => (await balanceOf(app.db, shop.merchantId, 'TRY')).available

/** A batch that the bank has fetched. */
let amount = 20_000
async function sent(count: number): Promise<{ batch: Batch; ids: string[]; before: bigint }> {
  const before = await available()
  const ids: string[] = []
  for (let index = 0; index < count; index++) ids.push(...(await waitingPayouts(app, shop, 1, { amount: amount++ })))
  await files.send()
  files.fetch()
  while ((await releaseBatches(app, [files.connection])) > 0);
  return { batch: await files.newest(), ids, before }
}

const receive = (bytes: Uint8Array, on = app) =>
  importOrderReport(on, { connection: 'files', name: 'report.xml', bytes })
const stateOf = async (id: string) => (await mustFind(app, id)).state
const statesOf = (ids: string[]) => Promise.all(ids.map(stateOf))
const lastCall = async (id: string) => (await callsOf(app.db, shop.merchantId, id)).at(-1)

test('by transaction: executed ones settle, refused ones fail with their reason, the others wait', async () => {
  const { batch, ids, before } = await sent(4)
  const [settled = '', closed = '', inWork = '', silent = ''] = ids
  const { outcomes, known } = await receive(
    reportOf(batch, {
      payment: 'PART',
      transactions: [
        { id: settled, status: 'ACSC', more: '<AcctSvcrRef>00778899</AcctSvcrRef>' },
        { id: closed, status: 'RJCT', code: 'AC04' },
        { id: inWork, status: 'ACSP' },
      ],
    }),
  )
  assert.deepEqual([known, outcomes], [false, { settled: 1, failed: 1, pending: 2 }])
  assert.deepEqual(await statesOf(ids), ['sent', 'failed', 'sending', 'sending'])
  const { bankReference } = await mustFind(app, settled)
  assert.deepEqual([bankReference, (await mustFind(app, closed)).failureReason], ['00778899', 'account_closed'])
  assert.deepEqual(await checkHistory(app, closed), ['processing', 'failed'])
  const back = (await findPayout(app.db, closed))?.amount ?? 0n
  const all = await Promise.all(ids.map(async (id) => (await findPayout(app.db, id))?.amount ?? 0n))
  assert.equal(await available(), before - all.reduce((sum, one) => sum + one, 0n) + back)
  assert.deepEqual([(await lastCall(closed))?.outcome, (await lastCall(silent))?.outcome], ['rejected', 'pending'])
})

for (const level of ['group', 'payment'] as const) {
  test(`by ${level}: ACSC settles all, RJCT fails all, ACTC changes nothing`, async () => {
    for (const [status, state] of [
      ['ACTC', 'sending'],
      ['ACSC', 'sent'],
      ['RJCT', 'failed'],
    ]) {
      const { batch, ids } = await sent(2)
      await receive(reportOf(batch, { [level]: status as string }))
      assert.deepEqual(await statesOf(ids), [state, state], status)
    }
  })
}

test('the same report twice changes nothing, and is stored once', async () => {
  const { batch, ids } = await sent(1)
  const bytes = reportOf(batch, { group: 'RJCT' })
  await receive(bytes)
  const after = await available()
  assert.equal((await receive(bytes)).known, true)
  assert.deepEqual([await available(), (await listReports(app.db, batch.id, 10)).length], [after, 1])
  assert.deepEqual(await statesOf(ids), ['failed'])
})

test('a second report that contradicts the first changes nothing and is kept', async () => {
  for (const [first, second, state] of [
    ['ACSC', 'RJCT', 'sent'],
    ['RJCT', 'ACSC', 'failed'],
  ] as const) {
    const { batch, ids } = await sent(1)
    await receive(reportOf(batch, { transactions: [{ id: ids[0] as string, status: first }] }))
    const after = await available()
    const { report, outcomes } = await receive(
      reportOf(batch, { transactions: [{ id: ids[0] as string, status: second }] }),
    )
    assert.deepEqual([outcomes, await available(), await statesOf(ids)], [{ contradicts: 1 }, after, [state]])
    assert.deepEqual(
      (await selectReportItems(app.db, report.id)).map(({ status }) => status),
      [second],
    )
    assert.ok(JSON.stringify((await lastCall(ids[0] as string))?.detail).includes(second))
  }
})

test('of an unknown batch, or over another connection: kept, nothing changes', async () => {
  const { batch, ids } = await sent(1)
  const [id = ''] = ids
  const other = await receive(reportOf(batch, { messageId: 'unknown', transactions: [{ id, status: 'RJCT' }] }))
  assert.deepEqual([other.report.batchId, other.outcomes], [null, { unknown: 1 }])
  const bytes = reportOf(batch, { group: 'RJCT' })
  const wrong = await importOrderReport(app, { connection: 'another', name: 'x.xml', bytes })
  assert.equal(wrong.report.batchId, null)
  assert.deepEqual(await statesOf(ids), ['sending'])
  assert.equal((await listReports(app.db, null, 10)).length, 2)
})

const WRONG: [string, (ids: string[]) => Said][] = [
  [
    'another amount',
    ([id = '']) => ({
      transactions: [
        { id, status: 'ACSC', more: '<OrgnlTxRef><Amt><InstdAmt Ccy="TRY">1.00</InstdAmt></Amt></OrgnlTxRef>' },
      ],
    }),
  ],
  [
    'another recipient',
    ([id = '']) => ({
      transactions: [
        {
          id,
          status: 'RJCT',
          more: '<OrgnlTxRef><CdtrAcct><Id><IBAN>TR330006100519786457841326</IBAN></Id></CdtrAcct></OrgnlTxRef>',
        },
      ],
    }),
  ],
  ['another number of orders', () => ({ group: 'RJCT', head: '<OrgnlNbOfTxs>7</OrgnlNbOfTxs>' })],
  ['another sum', () => ({ group: 'ACSC', head: '<OrgnlCtrlSum>7.00</OrgnlCtrlSum>' })],
  ['levels that disagree', ([id = '']) => ({ group: 'RJCT', transactions: [{ id, status: 'ACSC' }] })],
  [
    'two statuses',
    ([id = '']) => ({
      transactions: [
        { id, status: 'ACSC' },
        { id, status: 'RJCT' },
      ],
    }),
  ],
  ['a duplicate', () => ({ group: 'RJCT', code: 'DU01' })],
]
for (const [name, said] of WRONG)
  test(`${name}: nothing is paid or given back, the payout is in doubt with the reason`, async () => {
    const { batch, ids } = await sent(1)
    const after = await available()
    const { outcomes } = await receive(reportOf(batch, said(ids)))
    assert.deepEqual([outcomes, await available(), await statesOf(ids)], [{ doubt: 1 }, after, ['unknown']])
    const { stateReason } = await mustFind(app, ids[0] as string)
    assert.equal(stateReason, 'report_contradicts')
    assert.equal((await lastCall(ids[0] as string))?.outcome, 'unknown')
  })

test('refused after its debit was seen: paid stays paid', async () => {
  const { batch, ids } = await sent(1)
  await ingest(app, [await debitOf(app, ids[0] as string)], 'files')
  while ((await matchPayoutLines(app)) > 0);
  const after = await available()
  const { outcomes } = await receive(reportOf(batch, { transactions: [{ id: ids[0] as string, status: 'RJCT' }] }))
  assert.deepEqual([outcomes, await statesOf(ids), await available()], [{ contradicts: 1 }, ['sent'], after])
})

test('refused while a line names it, or a similar debit is unexplained: in doubt', async () => {
  for (const [changes, reason] of [
    [{ amount: 1n }, 'named_on_statement'],
    [{ narrative: 'EFT' }, 'similar_debit_on_statement'],
  ] as const) {
    const { batch, ids } = await sent(1)
    await ingest(app, [await debitOf(app, ids[0] as string, changes)], 'files')
    while ((await matchPayoutLines(app)) > 0);
    await receive(reportOf(batch, { transactions: [{ id: ids[0] as string, status: 'RJCT' }] }))
    const { state, stateReason } = await mustFind(app, ids[0] as string)
    assert.deepEqual([state, stateReason], ['unknown', reason])
  }
})

test('a file refused as a whole of which one payment left: none is given back', async () => {
  const { batch, ids } = await sent(3)
  await ingest(app, [await debitOf(app, ids[1] as string)], 'files')
  while ((await matchPayoutLines(app)) > 0);
  const after = await available()
  const { outcomes } = await receive(reportOf(batch, { group: 'RJCT' }))
  assert.deepEqual([outcomes, await available()], [{ doubt: 2, contradicts: 1 }, after])
  assert.deepEqual(await statesOf(ids), ['unknown', 'sent', 'unknown'])
})

test('of a cancelled batch: its payouts are not sent again', async () => {
  const ids = await waitingPayouts(app, shop, 1, { amount: amount++ })
  await files.send()
  const batch = await files.newest()
  await cancelBatch(app, ada, batch.id, { reason: 'a test', holdMinutes: 0 })
  await receive(reportOf(batch, { group: 'ACTC' }))
  assert.deepEqual([await statesOf(ids), (await findPayout(app.db, ids[0] as string))?.state], [['unknown'], 'asking'])
  await files.send()
  assert.deepEqual(files.outbox(), [])
})

test('a bank that has reported about a file has it, even if the file is still in outbox/', async () => {
  const ids = await waitingPayouts(app, shop, 1, { amount: amount++ })
  await files.send()
  const batch = await files.newest()
  await receive(reportOf(batch, { group: 'ACTC' }))
  await assert.rejects(cancelBatch(app, ada, batch.id, { reason: 'a test', holdMinutes: 0 }), { code: 'INVALID_STATE' })
  assert.equal((await findPayout(app.db, ids[0] as string))?.state, 'asking')
})

test('sent in a second batch after the first was cancelled: its refusal counts', async () => {
  const ids = await waitingPayouts(app, shop, 1, { amount: amount++ })
  await files.send()
  await cancelBatch(app, ada, (await files.newest()).id, { reason: 'a test', holdMinutes: 0 })
  await files.send()
  await receive(reportOf(await files.newest(), { group: 'RJCT' }))
  assert.deepEqual(await statesOf(ids), ['failed'])
})

test('sent by something else than a batch too: its refusal does not count', async () => {
  const { batch, ids } = await sent(1)
  await app.db.query(sql`update payouts set submits = submits + 1 where withdrawal_id = ${ids[0]}`)
  await receive(reportOf(batch, { group: 'RJCT' }))
  assert.deepEqual(await statesOf(ids), ['unknown'])
})

test('orders that are not in the batch are shown', async () => {
  const { batch } = await sent(1)
  const { outcomes } = await receive(reportOf(batch, { transactions: [{ id: 'someone-else', status: 'ACSC' }] }))
  assert.deepEqual(outcomes, { pending: 1, unknown: 1 })
})

test('a crash at any point: the same file applied again ends what is left, once', async () => {
  let [point, reached] = [0, true]
  while (reached) {
    const { batch, ids } = await sent(2)
    const bytes = reportOf(batch, {
      transactions: [
        { id: ids[0] as string, status: 'ACSC' },
        { id: ids[1] as string, status: 'RJCT' },
      ],
    })
    const { worker, isDead } = crashingWorker(app, (point += 3))
    await receive(bytes, worker).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error
    })
    reached = isDead()
    await receive(bytes)
    assert.deepEqual(await statesOf(ids), ['sent', 'failed'], `point ${point}`)
    assert.deepEqual(await checkHistory(app, ids[1] as string), ['processing', 'failed'])
  }
})

test('what is no report is refused and not kept', async () => {
  await assert.rejects(
    receive(Buffer.from('<Document/>')),
    /message_unexpected {"found":null,"expected":\["pain.002"\]}/,
  )
})

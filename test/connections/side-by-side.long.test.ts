import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { listAccounts, openBankDirectory } from '../../packages/server/src/domain/banks/index.ts'
import {
  addConnection,
  changeConnection,
  disableConnection,
  enableConnection,
  setSourceOfRecord,
} from '../../packages/server/src/domain/connections/index.ts'
import { dispatchWithdrawals, findPayout, submitPayouts } from '../../packages/server/src/domain/withdrawals/index.ts'
import { readCursor } from '../../packages/server/src/domain/statements/index.ts'
import { startWorkers } from '../../packages/server/src/edges/workers/worker-schedules.ts'
import { laterBy } from '../harness/crash.ts'
import { withdrawBody } from '../harness/examples.ts'
import { mustFind } from '../harness/history.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startSecondProcess, startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const service = await startService()
const { app, merchant } = service
const run = openCommandLineOf(service)
const banks = { garanti: await startPlainBank(), teb: await startPlainBank() }
const shop = await merchant({ funds: 1_000_000n })
const accounts = (await listAccounts(app.db)).map(({ id }) => id)

for (const [name, { connection }] of Object.entries(banks))
  await addConnection(app, UNATTRIBUTED, name, { kind: 'http_api', url: connection.baseUrl, key: 'k' })
await app.loadConnections()

async function withdraw(): Promise<string> {
  const { body } = await shop.post('/v1/withdraw', withdrawBody({ amount: 5_000 }))
  return body.data.transactionId as string
}

async function work(worker = app): Promise<void> {
  const fresh = { ...worker, banks: openBankDirectory(app) }
  while ((await dispatchWithdrawals(fresh)) + (await submitPayouts(fresh)) > 0);
}

test('payouts leave over the connection of their source account', async () => {
  for (const name of ['teb', 'garanti'] as const) {
    await setSourceOfRecord(app, UNATTRIBUTED, accounts, name)
    const id = await withdraw()
    await work()
    assert.deepEqual(banks[name].orders, [id])
    assert.equal((await findPayout(app.db, id))?.connection, name)
  }
})

test('a disabled connection sends nothing: payouts wait with no_connection, and doctor names it', async () => {
  await disableConnection(app, UNATTRIBUTED, 'garanti', 'maintenance')
  await app.loadConnections()
  const id = await withdraw()
  await work()
  const { status, stateReason } = await mustFind(app, id)
  assert.deepEqual([status, stateReason], ['pending', 'no_connection'])
  const { output, code } = await run(['doctor'])
  assert.equal(code, 1)
  assert.match(output, new RegExp(`FAIL  connection garanti: disabled since .*, with ${accounts.length} account`))
  await enableConnection(app, UNATTRIBUTED, 'garanti')
  await app.loadConnections()
  await work(laterBy(app, 61))
  assert.ok(banks.garanti.orders.includes(id))
})

test('payouts of a file exchange wait for its profile, then stay intents: nothing is called', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vezne-exchange-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  await addConnection(app, UNATTRIBUTED, 'ziraat', { kind: 'file_exchange', folder, orders: null })
  await setSourceOfRecord(app, UNATTRIBUTED, accounts, 'ziraat')
  await app.loadConnections()
  const id = await withdraw()
  await work()
  assert.equal((await mustFind(app, id)).stateReason, 'no_connection', 'without a profile no order file can be written')
  await changeConnection(app, UNATTRIBUTED, 'ziraat', { orders: { version: 'pain.001.001.09' } })
  await app.loadConnections()
  await work(laterBy(app, 61))
  const payout = await findPayout(app.db, id)
  assert.deepEqual([payout?.connection, payout?.state, payout?.submits], ['ziraat', 'ready', 0])
})

test('running workers notice a new connection, a changed one and a disabled one', async () => {
  const worker = await startSecondProcess(service)
  const workers = startWorkers(worker)
  after(() => Promise.all(workers.map((one) => one.stop())))
  const late = await startPlainBank()
  await addConnection(app, UNATTRIBUTED, 'late', { kind: 'http_api', url: late.connection.baseUrl, key: 'k' })
  await until(
    async () => late.reads(),
    (reads) => reads > 0,
  )
  await until(
    () => readCursor(app.db, 'late'),
    (cursor) => Boolean(cursor?.readAt),
  )
  assert.equal((await readCursor(app.db, 'ziraat'))?.readAt ?? null, null, 'nothing polls a file exchange')
  await disableConnection(app, UNATTRIBUTED, 'late', 'a test')
  await until(
    async () => worker.connections.map(({ name }) => name),
    (names) => !names.includes('late'),
  )
  await until(
    () => worker.metrics.registry.metrics(),
    (text) => !text.includes('worker="read-late"'),
  )
  const reads = late.reads()
  const before = banks.teb.reads()
  await until(
    async () => banks.teb.reads(),
    (count) => count > before + 1,
  )
  assert.ok(late.reads() <= reads)
})

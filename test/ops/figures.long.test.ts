import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { selectOldestOpen } from '../../packages/server/src/domain/webhooks/deliveries/store.ts'
import { disableEndpoint, oldestUndelivered } from '../../packages/server/src/domain/webhooks/index.ts'
import { checkLedger } from '../../packages/server/src/domain/ledger/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { keepUnread } from '../../packages/server/src/domain/statements/index.ts'
import { countUnread } from '../../packages/server/src/domain/statements/unread/store.ts'
import { oldestUnknown } from '../../packages/server/src/domain/withdrawals/payouts/unseen/store.ts'
import { oldestQueued, oldestToApprove } from '../../packages/server/src/domain/withdrawals/store.ts'
import { readDeploymentGauges } from '../../packages/server/src/edges/api/deployment-gauges.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { setCallbackUrl, addEvents, runCallbacksOnce } from '../harness/callbacks.ts'
import { matchAll, lineFor, someDeposits, ingest } from '../harness/payments.ts'
import { openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { planOf } from '../harness/plans.ts'
import { answer, startReceiver } from '../harness/receiver.ts'
import { travelTo } from '../harness/until.ts'

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(5_000_000n)
const { ask, faults } = openPayoutLines(service, shop)
const HOUR = 3600

/** By the name in the code and the label's value, such as `suspense TRY`. */
async function figures(): Promise<Map<string, number>> {
  const list = await readDeploymentGauges(app)
  return new Map(list.map(({ gauge, labels = {}, value }) => [[gauge, ...Object.values(labels)].join(' '), value]))
}

/** The figure an hour from now: an age that began just now is then an hour and a little. */
async function inAnHour(name: string): Promise<number> {
  await travelTo(app, HOUR)
  try {
    return (await figures()).get(name) ?? Number.NaN
  } finally {
    await travelTo(app, 0)
  }
}

function assertAnHour(seconds: number): void {
  // Travelling is exact to half a second; how long the test has taken is added.
  assert.ok(seconds >= HOUR - 1 && seconds < HOUR + 600, `${seconds} s`)
}

test('nothing waits: every figure is there and zero, except the age of a statement', async () => {
  await runCallbacksOnce(app)
  const found = await figures()
  for (const [name, value] of found) if (!name.startsWith('statementSeconds')) assert.equal(value, 0, name)
  for (const name of ['undeliveredSeconds', 'unknownPayoutSeconds bank', 'approvalSeconds', 'suspenseAmount TRY'])
    assert.equal(found.get(name), 0, name)
  assert.ok(found.has(`statementSeconds ${service.connection.name}`))
})

test('an event that does not arrive has an age; at a disabled endpoint it waits for a person and has none', async () => {
  const { merchantId } = await service.merchant()
  const receiver = await startReceiver(answer(500))
  const { id } = await setCallbackUrl(app, merchantId, receiver.url)
  await addEvents(app, merchantId)
  assert.notEqual(await oldestUndelivered(app), null)
  await runCallbacksOnce(app)
  assertAnHour(await inAnHour('undeliveredSeconds'))
  await disableEndpoint(app, UNATTRIBUTED, merchantId, id, 'test')
  assert.equal((await figures()).get('undeliveredSeconds'), 0)
})

test('a payout with unknown outcome has an age, and none when the bank has spoken', async () => {
  await faults('error_before', 'find_error')
  await ask()
  await service.work()
  assertAnHour(await inAnHour('unknownPayoutSeconds bank'))
  assert.equal((await figures()).get('unknownPayoutSeconds manual'), 0)
  await faults()
  await travelTo(app, HOUR)
  await service.work()
  await travelTo(app, 0)
  assert.equal((await figures()).get('unknownPayoutSeconds bank'), 0)
})

test('a withdrawal that waits for approval has an age', async () => {
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 1n })
  await ask()
  await service.work()
  assertAnHour(await inAnHour('approvalSeconds'))
})

test('suspense has number, sum and age by currency', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  if (!deposit) assert.fail()
  await ingest(app, [await lineFor(app, deposit, { narrative: 'no code', amount: 700n })])
  await matchAll(app)
  const found = await figures()
  assert.equal(found.get('suspense TRY'), 1)
  assert.equal(found.get('suspenseAmount TRY'), 700)
  assertAnHour(await inAnHour('suspenseSeconds TRY'))
})

test('lines that could not be taken in are counted, with the age of the oldest', async () => {
  await app.db.transaction((tx) => keepUnread(app, tx, 'test', [{ raw: '{}', why: note('unread_amount_wrong') }]))
  assert.equal((await figures()).get('unreadLines'), 1)
  assertAnHour(await inAnHour('unreadLinesSeconds'))
})

test('the age of a statement is that of its last complete read; one that was never read is as old as the process', async () => {
  await service.readStatement()
  assertAnHour(await inAnHour(`statementSeconds ${service.connection.name}`))
  app.connections.push(manualConnection)
  const age = (await figures()).get('statementSeconds manual')
  app.connections.pop()
  assert.ok(age !== undefined && age > 0)
})

test('the ledger is checked once a minute by one process; the result and its age are shown', async () => {
  assert.equal((await figures()).has('drifted'), false)
  await Promise.all([checkLedger(app), checkLedger(app)])
  const first = await figures()
  assert.equal(first.get('drifted'), 0)
  const plant = (by: number) =>
    app.db.query(sql`
      update accounts set balance = balance + ${by} where merchant_id = ${shop.merchantId} and kind = 'merchant_available'`)
  await plant(1)
  await checkLedger(app)
  assert.equal((await figures()).get('drifted'), 0, 'not yet due')
  assertAnHour(await inAnHour('ledgerCheckSeconds'))
  await travelTo(app, HOUR + 60)
  await checkLedger(app)
  assert.equal((await figures()).get('drifted'), 1)
  // Travelled back: the last check lies in the future, and that does not stop the next.
  await travelTo(app, 0)
  await plant(-1)
  await checkLedger(app)
  assert.equal((await figures()).get('drifted'), 0)
})

test('figures go by index', async () => {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  const queues = [{ merchantId: shop.merchantId, endpointId: 'p1' }]
  await client.query('vacuum analyze')
  const statements = [
    [(tx: Parameters<typeof selectOldestOpen>[0]) => selectOldestOpen(tx, queues), /deliveries_oldest/],
    [countUnread, /unread_lines_waiting/],
    [oldestUnknown, /payouts_(in_flight|due)/],
    [oldestToApprove, /withdrawals_by_state/],
    [oldestQueued, /withdrawals_to_send/],
  ] as const
  for (const [send, index] of statements)
    assert.match(await planOf(client, { inTransaction: true, send: (tx) => send(tx) }), index)
  await client.end()
})

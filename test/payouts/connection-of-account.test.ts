import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { listAccounts, openBankDirectory } from '../../packages/server/src/domain/banks/index.ts'
import {
  bankApiConnection,
  manualConnection,
  setSourceOfRecord,
} from '../../packages/server/src/domain/connections/index.ts'
import { dispatchWithdrawals, findPayout, submitPayouts } from '../../packages/server/src/domain/withdrawals/index.ts'
import { laterBy } from '../harness/crash.ts'
import { withdrawBody } from '../harness/examples.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { mustFind } from '../harness/history.ts'

const { app, merchant } = await startService()
const [bankA, bankB] = [await startPlainBank(), await startPlainBank()]
const [first, second] = [bankApiConnection(bankA.connection), bankApiConnection(bankB.connection)]
app.connections.push(first, second)
const shop = await merchant({ funds: 1_000_000n })
const accounts = (await listAccounts(app.db)).map(({ id }) => id)

async function withdraw(): Promise<string> {
  const { body } = await shop.post('/v1/withdraw', withdrawBody({ amount: 5_000 }))
  return body.data.transactionId as string
}

/** Sees accounts as they are now, where a running process sees a change within a second. */
async function work(connections = app.connections, worker = app): Promise<void> {
  const fresh = { ...worker, banks: openBankDirectory(app), connections }
  while ((await dispatchWithdrawals(fresh)) + (await submitPayouts(fresh)) > 0);
}

test('a payout leaves over the connection of its source account, not over the first', async () => {
  const before = await withdraw()
  await work()
  assert.deepEqual(
    [bankA.orders, bankB.orders],
    [[], []],
    'without a source of record and with two to choose from: none',
  )
  await work([first], laterBy(app, 61))
  assert.deepEqual([bankA.orders, bankB.orders], [[before], []], 'without a source of record: the only one')
  await setSourceOfRecord(app, UNATTRIBUTED, accounts, second.name)
  const id = await withdraw()
  await work()
  assert.deepEqual([bankA.orders, bankB.orders], [[before], [id]])
  assert.equal((await findPayout(app.db, id))?.connection, second.name)
})

test('by hand from an account that is connected so, beside a bank API', async () => {
  app.connections.push(manualConnection)
  await setSourceOfRecord(app, UNATTRIBUTED, accounts, 'manual')
  const id = await withdraw()
  await work()
  const payout = await findPayout(app.db, id)
  assert.deepEqual([payout?.connection, payout?.state], ['manual', 'asking'])
  assert.ok(!bankA.orders.includes(id) && !bankB.orders.includes(id))
})

test('a connection that is not configured: the withdrawal waits and says so, and is sent once the account is moved', async () => {
  await setSourceOfRecord(app, UNATTRIBUTED, accounts, second.name)
  const id = await withdraw()
  await work([first])
  const { status, state, stateReason } = await mustFind(app, id)
  assert.deepEqual([status, state, stateReason], ['pending', 'queued', 'no_connection'])
  await setSourceOfRecord(app, UNATTRIBUTED, accounts, first.name)
  await work([first], laterBy(app, 61))
  assert.ok(bankA.orders.includes(id))
})

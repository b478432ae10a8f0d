import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { listAccounts, openBankDirectory } from '../../packages/server/src/domain/banks/index.ts'
import {
  addConnection,
  disableConnection,
  enableConnection,
  fetchLines,
  setSourceOfRecord,
} from '../../packages/server/src/domain/connections/index.ts'
import type { Deposit } from '../../packages/server/src/domain/deposits/index.ts'
import { expireDeposits, openExpiry } from '../../packages/server/src/domain/deposits/index.ts'
import { saveCursor } from '../../packages/server/src/domain/statements/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { Db, Queryable } from '../../packages/server/src/platform/postgres/db.ts'
import type { Sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { reloadDeposit, someDeposits } from '../harness/payments.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'

const { app, merchant } = await startService()
const shop = await merchant()
const folder = mkdtempSync(join(tmpdir(), 'vezne-expiry-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const banks = { garanti: await startPlainBank(), teb: await startPlainBank() }
for (const [name, { connection }] of Object.entries(banks))
  await addConnection(app, UNATTRIBUTED, name, { kind: 'http_api', url: connection.baseUrl, key: 'k' })
await addConnection(app, UNATTRIBUTED, 'ziraat', { kind: 'file_exchange', folder, orders: null })
await app.loadConnections()
const [one, other] = (await listAccounts(app.db)).map(({ id }) => id) as [string, string]
const LATER = 31 * 60

beforeEach(() => travelTo(app, 0))

async function readAll(): Promise<void> {
  for (const connection of app.connections) await fetchLines(app, connection)
}

/** A deposit to be paid into each account, and one that was given the first account before the second. */
async function threeDeposits(): Promise<[Deposit, Deposit, Deposit]> {
  const made = (await someDeposits(app, shop.merchantId, 3)) as [Deposit, Deposit, Deposit]
  const accounts: [string, string[]][] = [
    [one, []],
    [other, []],
    [other, [one]],
  ]
  for (const [at, [account, previous]] of accounts.entries())
    await app.db.transaction((tx) =>
      tx.query(sql`
        update deposits set collecting_account_id = ${account}, previous_account_ids = ${previous} where id = ${made[at]?.id}`),
    )
  return made
}

const expire = () => expireDeposits({ ...app, banks: openBankDirectory(app) })
const statusOf = async (deposits: Deposit[]) =>
  Promise.all(deposits.map(async (deposit) => (await reloadDeposit(app, deposit)).status))

test('a file exchange without accounts holds nothing up; with one, its deposits wait for its files and others do not', async () => {
  await setSourceOfRecord(app, UNATTRIBUTED, [one, other], 'garanti')
  const before = await threeDeposits()
  await travelTo(app, LATER)
  await readAll()
  assert.equal(await expire(), 3)
  assert.deepEqual(await statusOf(before), ['expired', 'expired', 'expired'])

  await travelTo(app, 0)
  await setSourceOfRecord(app, UNATTRIBUTED, [one], 'ziraat')
  const deposits = await threeDeposits()
  await travelTo(app, LATER)
  await readAll()
  await expire()
  assert.deepEqual(await statusOf(deposits), ['pending', 'expired', 'pending'])
  const imported = { source: 'ziraat', cursor: '', readAt: app.clock.now() }
  await app.db.transaction((tx) => saveCursor(tx, imported))
  await expire()
  assert.deepEqual(await statusOf(deposits), ['expired', 'expired', 'expired'])
})

test('a disabled connection: deposits of its accounts wait, others do not', async () => {
  await setSourceOfRecord(app, UNATTRIBUTED, [one], 'teb')
  await readAll()
  await disableConnection(app, UNATTRIBUTED, 'teb', 'a test')
  await app.loadConnections()
  const deposits = await threeDeposits()
  await travelTo(app, LATER)
  await readAll()
  await expire()
  assert.deepEqual(await statusOf(deposits), ['pending', 'expired', 'pending'])
  await enableConnection(app, UNATTRIBUTED, 'teb')
  await app.loadConnections()
  await readAll()
  await expire()
  assert.deepEqual(await statusOf(deposits), ['expired', 'expired', 'expired'])
})

/** The statements that are run with this database. */
function recorded(db: Db): { db: Db; statements: string[] } {
  const statements: string[] = []
  const recording = <Runner extends Queryable>(runner: Runner): Runner => ({
    ...runner,
    query<Row>(statement: Sql) {
      statements.push(statement.text)
      return runner.query<Row>(statement)
    },
  })
  return { db: { ...recording(db), transaction: (work) => db.transaction((tx) => work(recording(tx))) }, statements }
}

test('the worker looks at all merchants once a minute, and in between at what expires then', async () => {
  // No bank was read in this future.
  const start = 4 * LATER
  await travelTo(app, start)
  const deposits = await someDeposits(app, shop.merchantId, 3)
  const { db, statements } = recorded(app.db)
  const work = openExpiry({ ...app, db, banks: openBankDirectory(app) })
  const ofAll = () => statements.splice(0).filter((text) => text.includes('from merchants')).length
  await travelTo(app, start + 30 * 60 - 30)
  assert.equal(await work(), 0)
  assert.equal(ofAll(), 2, 'what is due now, and what will be')
  assert.equal(await work(), 0)
  assert.deepEqual(statements, [], 'nothing is due')
  await travelTo(app, start + 30 * 60 + 20)
  assert.equal(await work(), 0, 'no bank was read yet')
  await readAll()
  assert.equal(await work(), 3)
  assert.equal(ofAll(), 0)
  assert.deepEqual(await statusOf(deposits), ['expired', 'expired', 'expired'])
  assert.equal(await work(), 0)
  assert.deepEqual(statements, [], 'the plan is done')
  const [next] = await someDeposits(app, shop.merchantId, 1)
  await travelTo(app, start + 3 * LATER)
  await readAll()
  assert.equal(await work(), 1, 'the plan of another time does not count')
  assert.deepEqual(await statusOf(next ? [next] : []), ['expired'])
})

test('more than fit into a plan: the plan ends with its last one', async () => {
  await travelTo(app, 9 * LATER)
  await someDeposits(app, shop.merchantId, 5)
  const work = openExpiry({ ...app, banks: openBankDirectory(app) }, { maxPlanned: 2 })
  await travelTo(app, 9 * LATER + 30 * 60 - 30)
  assert.equal(await work(), 0)
  await travelTo(app, 9 * LATER + 30 * 60 + 30)
  await readAll()
  let expired = 0
  for (let runs = 0; runs < 5; runs++) expired += await work()
  assert.equal(expired, 5)
})

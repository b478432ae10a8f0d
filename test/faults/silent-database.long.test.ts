import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import pg from 'pg'
import { openDb } from '../../packages/server/src/platform/postgres/db.ts'
import { openLog } from '../../packages/server/src/platform/log.ts'
import { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { cloneDatabase } from '../harness/database.ts'
import { startFaultProxy } from '../harness/fault-proxy.ts'
import { until } from '../harness/until.ts'

// Behind a proxy that is silent, a call without a deadline never ends: each of these tests would hang.

const database = await cloneDatabase('empty')
const admin = new pg.Client({ connectionString: database.url })
await admin.connect()
await admin.query('create table notes (id int primary key)')
const proxy = await startFaultProxy(database.url)
const db = openDb({ url: proxy.url, log: openLog('silent') })
after(async () => {
  proxy.set('pass')
  await db.end()
  await proxy.close()
  await admin.end()
  await database.drop()
})
beforeEach(() => proxy.set('pass'))

const write = (id: number) => sql`insert into notes (id) values (${id})`
const written = async () => (await admin.query<{ id: number }>('select id from notes')).rows.map(({ id }) => id)
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => assert.fail('it should have been refused'),
    (error: unknown) => {
      assert.ok(error instanceof Refusal, String(error))
      assert.equal(error.code, 'SERVICE_UNAVAILABLE')
      assert.ok(error.retryAfterSeconds)
      return error.message
    },
  )

/** Several open connections, all idle, as after a busy moment. */
async function warmUp(): Promise<void> {
  await Promise.all(Array.from({ length: 4 }, () => db.transaction((tx) => tx.query(sql`select pg_sleep(0.05)`))))
  await db.query(sql`select 1`)
}

test('a silent database: a read, a transaction and a lone statement give up, and the next calls find new connections', async () => {
  await warmUp()
  proxy.set('silent')
  const [read, transaction, lone] = await Promise.all([
    refusal(db.query(sql`select 1`)),
    refusal(db.transaction((tx) => tx.query(write(1)))),
    refusal(db.oneStatement((tx) => tx.query(write(2)))),
  ])
  assert.match(read, /does not respond at the moment\. Try again/)
  assert.match(transaction, /did not respond in time while saving; whether it was saved is unknown|Nothing was saved/)
  assert.match(lone, /did not respond in time while saving; whether it was saved is unknown/)
  assert.match(lone, /GET \/v1\/transactions\?processId=…/)
  proxy.set('pass')
  // Not one after the other: those that were idle went the same silent way, and were closed too.
  await db.transaction((tx) => tx.query(write(3)))
  assert.ok((await written()).includes(3))
})

test('a new connection to a silent database is given up too', async () => {
  proxy.set('refuse')
  await until(
    () => Promise.resolve(db.stats()),
    (pools) => pools.every(({ open }) => open === 0),
  )
  proxy.set('silent')
  assert.match(await refusal(db.query(sql`select 1`)), /cannot be reached/)
  proxy.set('pass')
  assert.deepEqual(await db.query(sql`select 1 as one`), [{ one: 1 }])
})

test('a statement before the commit is not answered: nothing was saved, and the message says so', async () => {
  const message = await refusal(
    db.transaction(async (tx) => {
      await tx.query(write(11))
      proxy.set('no-answers')
      await tx.query(write(12))
    }),
  )
  assert.match(message, /Nothing was saved/)
  proxy.set('pass')
  await db.transaction((tx) => tx.query(write(13)))
  assert.deepEqual(
    (await written()).filter((id) => id > 10),
    [13],
  )
})

test('the answer to a commit does not come: unknown, and in truth it was saved', async () => {
  const message = await refusal(
    db.transaction(async (tx) => {
      await tx.query(write(21))
      proxy.set('no-answers')
    }),
  )
  assert.match(message, /whether it was saved is unknown/)
  assert.ok((await written()).includes(21))
})

test('giving up cancels nothing on the server: a write that arrives late is carried out', async () => {
  const message = await refusal(
    db.oneStatement((tx) => {
      proxy.set('silent')
      return tx.query(write(31))
    }),
  )
  assert.match(message, /whether it was saved is unknown/)
  assert.ok(!(await written()).includes(31), 'it did not arrive yet')
  const before = proxy.accepted()
  proxy.set('pass')
  await until(written, (ids) => ids.includes(31))
  assert.equal(proxy.accepted(), before, 'a request to cancel would be a connection of its own')
})

test('a statement that takes long is waited for where the caller says so', async () => {
  const slow = db.withStatementLimit(60_000)
  assert.deepEqual(await slow.query(sql`select 1 as one from pg_sleep(6)`), [{ one: 1 }])
  assert.match(await refusal(db.query(sql`select 1 from pg_sleep(60)`)), /does not respond/)
})

test('a database that refuses connections is SERVICE_UNAVAILABLE, and comes back', async () => {
  proxy.set('refuse')
  await refusal(db.query(sql`select 1`))
  await refusal(db.transaction((tx) => tx.query(write(1))))
  proxy.set('pass')
  await until(
    () => db.query(sql`select 1`).catch(() => []),
    (rows) => rows.length === 1,
  )
})

test('the pools end while the database is silent', async () => {
  const other = openDb({ url: proxy.url, log: openLog('silent') })
  await other.query(sql`select 1`)
  const stop = await other.listen('bell', () => undefined)
  proxy.set('silent')
  await stop()
  await other.end()
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cloneDatabase } from '../../../../../test/harness/database.ts'
import { describeFault, faultOf, notRead, nothingSavedYet, perhapsSaved, SilentDatabase } from './database-faults.ts'
import { openDb } from './db.ts'
import { openLog } from '../log.ts'
import { Refusal } from '../refusal.ts'
import { sql, type Sql } from './sql.ts'

const database = await cloneDatabase('empty')
const db = openDb({ url: database.url, log: openLog('silent') })
after(async () => {
  await db.end()
  await database.drop()
})

/** Makes PostgreSQL raise the error in a statement of a transaction. */
const raise = (state: string): Sql => sql`select ${state}::text from (select vezne_raise(${state})) as raised`

await db.query(sql`
  create function vezne_raise(state text) returns void language plpgsql as $$
  begin raise exception 'of the server''s own' using errcode = state; end $$`)

const PASSES = {
  '08000': 2,
  '08006': 2,
  '08P01': 2,
  '25006': 5,
  '28P01': 2,
  '3D000': 30,
  '40001': 1,

  '40P01': 1,
  '42501': 30,
  '53000': 5,
  '53100': 30,
  '53200': 5,
  '53300': 5,
  '53400': 5,
  '55P03': 2,
  '57000': 2,
  '57014': 2,
  '57P01': 2,
  '57P02': 2,
  '57P03': 2,
  '58000': 30,
  '58030': 30,
  '58P01': 30,
}

for (const [state, retryAfterSeconds] of Object.entries(PASSES)) {
  test(`SQLSTATE ${state}: 503, to be tried again in ${retryAfterSeconds} s, for reads and transactions`, async () => {
    const read = () => db.query(raise(state))
    const write = () => db.transaction((tx) => tx.query(raise(state)))
    for (const call of [read, write]) {
      await assert.rejects(call(), (error) => {
        assert.ok(error instanceof Refusal, String(error))
        assert.equal(error.code, 'SERVICE_UNAVAILABLE')
        assert.equal(error.retryAfterSeconds, retryAfterSeconds)
        // A request that reads may have written before.
        assert.match(error.message, call === read ? /Try again shortly\.$/ : /Nothing was saved\.$/)
        assert.doesNotMatch(error.message, /server's own/)
        assert.equal((error.cause as { code: string }).code, state)
        return true
      })
    }
    assert.deepEqual(await db.query(sql`select 1 as one`), [{ one: 1 }], 'the pool is as good as new')
  })
}

for (const state of ['22012', '23505', '42P01', 'P0001', 'XX000']) {
  test(`SQLSTATE ${state}: not a fault of the database's own, and not hidden`, async () => {
    await assert.rejects(
      db.transaction((tx) => tx.query(raise(state))),
      { code: state },
    )
  })
}

test('while a commit is awaited, a lost connection or a cancellation leaves the outcome unknown', () => {
  const said = (code: string) => (perhapsSaved(Object.assign(new Error('x'), { code })) as Error).message
  for (const code of ['08006', '57P01', '57014', '25P03', 'ECONNRESET', 'EPIPE']) assert.match(said(code), /is unknown/)
  for (const code of ['40001', '53100', '25006']) assert.match(said(code), /Nothing was saved/)
  assert.match(
    (perhapsSaved(new SilentDatabase(4)) as Error).message,
    /did not respond in time while saving.*is unknown/,
  )
  assert.equal(describeFault(perhapsSaved(new SilentDatabase(4))), 'The database cannot be reached at the moment.')
})

test('a read that failed before anything was written: nothing was saved; a refusal without a fault stays as it is', () => {
  const failed = notRead(new SilentDatabase(4)) as Refusal
  assert.match(failed.message, /Try again shortly/)
  assert.match((nothingSavedYet(failed) as Refusal).message, /Nothing was saved/)
  for (const other of [new Refusal('SERVICE_UNAVAILABLE', 'It takes too long.'), new Error('a bug', { cause: 'x' })])
    assert.equal(nothingSavedYet(other), other)
})

test('a statement timeout of the role or the database does not apply to our sessions', async () => {
  const { pathname } = new URL(database.url)
  await db.oneStatement((tx) => tx.query(sql([`alter database "${pathname.slice(1)}" set statement_timeout = '1ms'`])))
  const other = openDb({ url: database.url, log: openLog('silent') })
  try {
    await other.transaction((tx) => tx.query(sql`select pg_sleep(0.02)`))
    for (const { query } of [other, other.pages, other.search, other.report]) await query(sql`select pg_sleep(0.02)`)
  } finally {
    await other.end()
    await db.oneStatement((tx) => tx.query(sql([`alter database "${pathname.slice(1)}" reset statement_timeout`])))
  }
})

test('no way to the database is 503, on a unix socket too; the same codes from our own files are not', async () => {
  const folder = '/nonexistent-vezne'
  const gone = openDb({ url: `postgres://u:p@${encodeURIComponent(folder)}/x`, log: openLog('silent') })
  after(gone.end)
  await assert.rejects(gone.query(sql`select 1`), (error) => {
    assert.ok(error instanceof Refusal, String(error))
    assert.equal(error.code, 'SERVICE_UNAVAILABLE')
    assert.doesNotMatch(error.message, /ENOENT|nonexistent/)
    return true
  })
  for (const code of ['ENOENT', 'EACCES', 'EMFILE', 'ENFILE']) {
    assert.ok(faultOf(Object.assign(new Error('x'), { code, syscall: 'connect' })), code)
    assert.equal(faultOf(Object.assign(new Error('x'), { code, syscall: 'open' })), null, code)
  }
})

test('a certificate that cannot be trusted is a fault of the way to the database', () => {
  for (const code of [
    'CERT_HAS_EXPIRED',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])
    assert.match(describeFault(Object.assign(new Error('secret'), { code })), /TLS/, code)
})

test('an error that is in no table is described without its message', () => {
  assert.doesNotMatch(describeFault(new Error('connect to 10.1.2.3 as root')), /root/)
})

test('connections that are all in use are not called an unreachable database', async () => {
  const patient = db.withStatementLimit(60_000).pages
  let over = false
  const hold = async () => {
    while (!over) await patient.query(sql`select pg_sleep(1)`).catch(() => undefined)
  }
  const held = Array.from({ length: 40 }, hold)
  await assert.rejects(db.pages.query(sql`select 1`), /The service is busy.*Try again shortly/)
  over = true
  await Promise.all(held)
})

test('a full disk is kept in mind, however long, until a write that needs space has succeeded', async (t) => {
  assert.equal((await fresh()).storageFault(), null)
  await assert.rejects(db.transaction((tx) => tx.query(raise('53100'))))
  await db.transaction((tx) => tx.query(sql`select 1`))
  const now = performance.now()
  t.mock.method(performance, 'now', () => now + 3_600_000)
  assert.equal(db.storageFault(), "The database's disk is full.")
  db.storageRecovered()
  assert.equal(db.storageFault(), null)
})

async function fresh() {
  const other = openDb({ url: database.url, log: openLog('silent') })
  await other.end()
  return other
}

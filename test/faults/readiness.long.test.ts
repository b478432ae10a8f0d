import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import pg from 'pg'
import { compose } from '../../packages/server/src/compose.ts'
import { buildApi } from '../../packages/server/src/edges/api/app.ts'
import { businessClock } from '../../packages/server/src/platform/time/business-clock.ts'
import { realClock } from '../../packages/server/src/platform/time/clock.ts'
import { cloneDatabase, testConfig } from '../harness/database.ts'
import type { FaultProxy } from '../harness/fault-proxy.ts'
import { startFaultProxy } from '../harness/fault-proxy.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

let proxy: FaultProxy
const service = await startService({}, async (url) => {
  proxy = await startFaultProxy(url)
  return proxy.url
})
const admin = new pg.Client({ connectionString: service.databaseUrl })
admin.on('error', () => undefined)
await admin.connect()
const name = new URL(service.databaseUrl).pathname.slice(1)
after(async () => {
  await proxy.close()
  await admin.end()
})

type Checks = Record<'process' | 'database' | 'schema' | 'writing' | 'clock', string>

async function readyz() {
  const response = await fetch(`${service.baseUrl}/readyz`)
  const body = (await response.json()) as {
    data?: { checks: Checks }
    error?: { code: string; message: string; details: Checks }
  }
  const checks = (body.data?.checks ?? body.error?.details) as Checks
  return { status: response.status, checks, message: body.error?.message ?? '' }
}
const untilReady = () => until(readyz, ({ status }) => status === 200)

beforeEach(async () => {
  proxy.set('pass')
  await untilReady()
})

test('ready: every check is named', async () => {
  const { checks } = await readyz()
  const ok = { process: 'ok', database: 'ok', schema: 'ok', writing: 'ok', primary: 'ok', clock: 'ok' }
  assert.deepEqual(checks, { ...ok, replication: 'none' })
})

test('a silent database: not ready, while /healthz stays 200', async () => {
  proxy.set('silent')
  const { checks, message } = await until(readyz, ({ status }) => status === 503)
  assert.notEqual(checks.writing, 'ok')
  assert.match(message, /^Not ready\. /)
  assert.equal((await fetch(`${service.baseUrl}/healthz`)).status, 200)
})

test('a database that takes no writes: not ready, and the check that fails is the writing', async () => {
  await admin.query(`alter database ${name} set default_transaction_read_only = on`)
  try {
    // Those that were open before keep their setting.
    proxy.set('refuse')
    proxy.set('pass')
    const { checks } = await until(readyz, ({ status, checks: { database } }) => status === 503 && database === 'ok')
    assert.equal(checks.writing, 'The database is read-only at the moment.')
  } finally {
    await admin.query('set default_transaction_read_only = off')
    await admin.query(`alter database ${name} reset default_transaction_read_only`)
  }
  await untilReady()
})

test('migrations of a newer version: ready. One of ours is missing: not ready', async () => {
  await admin.query(
    `insert into schema_migrations (version, name, checksum, applied_at) values (9999, 'x', 'x', 'now')`,
  )
  // Longer than the answer is kept: it is asked again.
  const since = performance.now()
  await until(readyz, ({ status }) => {
    assert.equal(status, 200)
    return performance.now() - since > 1500
  })
  await admin.query('delete from schema_migrations where version = 9999')
  const { rows } = await admin.query(
    'delete from schema_migrations where version = (select max(version) from schema_migrations) returning *',
  )
  const { checks } = await until(readyz, ({ status }) => status === 503)
  assert.match(checks.schema, /vezne migrate/)
  const { version, name: file, checksum, applied_at: at } = rows[0] as Record<string, unknown>
  await admin.query('insert into schema_migrations (version, name, checksum, applied_at) values ($1, $2, $3, $4)', [
    version,
    file,
    checksum,
    at,
  ])
  await untilReady()
})

test('a process that was told to stop: not ready, other requests are served, and their connection closes', async () => {
  const database = await cloneDatabase()
  const app = compose(testConfig(), database.url)
  const server = buildApi(app)
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  try {
    assert.equal((await fetch(`${address}/readyz`)).status, 200)
    app.setStopping()
    const answer = await fetch(`${address}/readyz`)
    assert.equal(answer.status, 503)
    assert.match(await answer.text(), /process: it is stopping/)
    const other = await fetch(`${address}/healthz`)
    assert.equal(other.status, 200)
    assert.equal(other.headers.get('connection'), 'close')
  } finally {
    await server.close()
    await app.db.end()
    await database.drop()
  }
})

test('a machine whose clock is wrong: not ready, and the metric has the offset; set right, it is ready again', async () => {
  const database = await cloneDatabase()
  let aheadMs = -2_400_000
  const host = { now: () => new Date(realClock.now().getTime() + aheadMs) }
  const app = { ...compose(testConfig(), database.url), clock: businessClock({ host }) }
  const unfollow = await app.clock.follow(app.db, () => undefined)
  const server = buildApi(app)
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const offset = async () =>
    Number(/^vezne_clock_offset_seconds (\S+)$/m.exec(await (await fetch(`${address}/metrics`)).text())?.[1])
  try {
    const answer = await fetch(`${address}/readyz`)
    assert.equal(answer.status, 503)
    assert.match(await answer.text(), /clock: this machine's clock is (2399|2400|2401)[.\d]* s behind the database's/)
    assert.ok(Math.abs((await offset()) + 2400) < 2)
    aheadMs = 0
    assert.equal((await fetch(`${address}/readyz`)).status, 200)
    // The text of a scrape is cached for a second.
    await until(offset, (seconds) => Math.abs(seconds) < 2)
  } finally {
    await server.close()
    await unfollow()
    await app.db.end()
    await database.drop()
  }
})

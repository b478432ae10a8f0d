import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { compose, prepare } from '../../packages/server/src/compose.ts'
import type { MerchantCredentials } from '../../packages/server/src/domain/merchants/index.ts'
import { buildApi } from '../../packages/server/src/edges/api/app.ts'
import { startEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { client } from '../harness/client.ts'
import { testConfig } from '../harness/database.ts'
import { depositBody } from '../harness/examples.ts'
import { until } from '../harness/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'vezne-paused-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const postgres = await startEmbeddedPostgres(folder, ['fsync=off', 'shared_buffers=16MB'])
after(() => postgres.stop())
const app = compose(testConfig(), postgres.url)
const { demo } = await prepare(app)
await app.checkoutKeys.load()
const server = buildApi(app)
const address = await server.listen({ host: '127.0.0.1', port: 0 })
after(async () => {
  await server.close()
  await app.db.end()
})
const shop = client(address, demo as MerchantCredentials)

/** The postmaster, which takes connections, and every process of it that serves one. */
async function pids(): Promise<number[]> {
  const rows = await app.db.query<{ pid: number }>(
    sql`select pid from pg_stat_activity where backend_type = 'client backend'`,
  )
  const postmaster = Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  return [postmaster, ...rows.map(({ pid }) => pid)]
}

test('PostgreSQL is paused (SIGSTOP): requests are 503 while it lasts, /readyz too; it goes on as if nothing had been', async () => {
  assert.equal((await shop.post('/v1/deposit', depositBody())).status, 201)
  const paused = await pids()
  for (const pid of paused) process.kill(pid, 'SIGSTOP')
  try {
    const deposits = Array.from({ length: 40 }, () => shop.post('/v1/deposit', depositBody()))
    const answers = await Promise.all([...deposits, shop.get('/v1/balance')])
    for (const { status, headers } of answers) {
      assert.equal(status, 503)
      assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
    }
    assert.equal((await fetch(`${address}/readyz`)).status, 503)
    assert.equal((await fetch(`${address}/healthz`)).status, 200)
  } finally {
    for (const pid of paused) process.kill(pid, 'SIGCONT')
  }
  await until(
    () => shop.post('/v1/deposit', depositBody()),
    ({ status }) => status === 201,
  )
  await until(
    () => fetch(`${address}/readyz`),
    ({ status }) => status === 200,
  )
})

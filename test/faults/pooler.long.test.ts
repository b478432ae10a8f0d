import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDb } from '../../packages/server/src/platform/postgres/db.ts'
import { openLog } from '../../packages/server/src/platform/log.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { vezne } from '../harness/child-process.ts'
import { cloneDatabase } from '../harness/database.ts'
import { until } from '../harness/until.ts'

const database = await cloneDatabase()
const folder = mkdtempSync(join(tmpdir(), 'vezne-pooler-'))
const children: ChildProcess[] = []
after(async () => {
  for (const child of children) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
  await database.drop()
})

const PGBOUNCER = 'pgbouncer'
const missing = spawnSync(PGBOUNCER, ['--version']).error ? `this machine has no ${PGBOUNCER}` : false

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A PgBouncer in front of the test database; what it returns is the address through it. */
async function startPooler(mode: 'session' | 'transaction', roundRobin: 0 | 1): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(database.url)
  const listenPort = await freePort()
  const name = pathname.slice(1)
  const file = join(folder, `${mode}-${roundRobin}.ini`)
  const text = `[databases]
${name} = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
server_round_robin = ${roundRobin}
default_pool_size = 20
`
  writeFileSync(file, text)
  // It does not run as root.
  chmodSync(folder, 0o755)
  const identity = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  children.push(spawn(PGBOUNCER, ['-q', file], { stdio: 'ignore', ...identity }))
  const url = `postgres://vezne@127.0.0.1:${listenPort}/${name}`
  const db = openDb({ url, log: openLog('silent') })
  await until(
    () => db.query(sql`select 1`).catch(() => []),
    (rows) => rows.length === 1,
  )
  await db.end()
  return url
}

async function poolerOf(url: string) {
  const db = openDb({ url, log: openLog('silent') })
  try {
    return await db.pooler()
  } finally {
    await db.end()
  }
}

test('a direct connection has no pooler', async () => {
  assert.equal(await poolerOf(database.url), 'none')
})

test('a pooler in session mode: settings, prepared statements and notifications work', { skip: missing }, async () => {
  const url = await startPooler('session', 0)
  assert.equal(await poolerOf(url), 'session')
  const db = openDb({ url, log: openLog('silent') })
  const bell = Promise.withResolvers<void>()
  const stop = await db.listen('bell', () => bell.resolve())
  const settings = () => db.transaction((tx) => tx.query(sql`select current_setting('lock_timeout') as lock`))
  for (const rows of await Promise.all(Array.from({ length: 30 }, settings))) assert.deepEqual(rows, [{ lock: '3s' }])
  await db.transaction((tx) => tx.query(sql`select pg_notify('bell', '')`))
  await bell.promise
  await stop()
  await db.end()
})

for (const roundRobin of [0, 1] as const) {
  test(`a pooler in transaction mode is noticed, server_round_robin = ${roundRobin}`, { skip: missing }, async () => {
    const url = await startPooler('transaction', roundRobin)
    // Several of its connections to PostgreSQL are open already.
    const busy = openDb({ url, log: openLog('silent') })
    await Promise.all(
      Array.from({ length: 8 }, () =>
        busy.transaction((tx) => tx.query(sql`select pg_sleep(0.1)`)).catch(() => undefined),
      ),
    )
    assert.equal(await poolerOf(url), 'transaction')
    await busy.end()
    if (roundRobin === 1) return
    const child = vezne(['serve'], {
      DATABASE_URL: url,
      VEZNE_MASTER_KEY: '5f2b91c07de4836a1b9d40e7c8526fa3'.repeat(2),
    })
    assert.equal(await child.exited, 2)
    assert.match(child.errors(), /DATABASE_URL goes through a pooler in transaction mode/)
  })
}

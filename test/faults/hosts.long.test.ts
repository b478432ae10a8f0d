import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { openDb } from '../../packages/server/src/platform/postgres/db.ts'
import { describeFault } from '../../packages/server/src/platform/postgres/database-faults.ts'
import { describeHosts, describeSplit } from '../../packages/server/src/platform/postgres/db-primaries.ts'
import { startEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts'
import { openLog } from '../../packages/server/src/platform/log.ts'
import { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { testConfig } from '../harness/database.ts'
import { startFaultProxy } from '../harness/fault-proxy.ts'
import { until } from '../harness/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'vezne-hosts-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A server that can be made a primary or, as far as writing goes, a standby; and the network before it. */
async function startServer(name: string) {
  const data = join(folder, name)
  mkdirSync(data)
  writeFileSync(join(data, 'postgres.password'), 'one-for-both', { mode: 0o600 })
  const server = await startEmbeddedPostgres(data, ['fsync=off', 'shared_buffers=16MB'])
  const proxy = await startFaultProxy(server.url)
  const admin = new pg.Client({ connectionString: server.url })
  admin.on('error', () => undefined)
  await admin.connect()
  after(async () => {
    await admin.end()
    await proxy.close()
    await server.stop()
  })
  await admin.query('create table notes (id int primary key)')
  const takesWrites = async (yes: boolean) => {
    await admin.query(`alter system set default_transaction_read_only = ${yes ? 'off' : 'on'}`)
    await admin.query('select pg_reload_conf()')
    await until(
      async () => (await admin.query<{ on: string }>('show default_transaction_read_only')).rows[0],
      (row) => Object.values(row ?? {})[0] === (yes ? 'off' : 'on'),
    )
  }
  return { proxy, admin, takesWrites, host: new URL(proxy.url).host, port: Number(new URL(server.url).port) }
}

const [one, two] = [await startServer('one'), await startServer('two')]
const address = `postgres://vezne:one-for-both@${one.host},${two.host}/vezne?target_session_attrs=read-write`
const db = openDb({ url: address, log: openLog('silent') })
after(() => db.end())

const write = () =>
  db.transaction(async (tx) => {
    const [row] = await tx.query<{ port: number }>(sql`select inet_server_port() as port`)
    await tx.query(sql`insert into notes (id) values (1) on conflict (id) do update set id = 1`)
    return row?.port
  })
/** The first tries may still find connections of before. */
const written = () =>
  until(
    () =>
      write().catch((error: unknown) => {
        assert.ok(error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE', String(error))
        return null
      }),
    (port) => port !== null,
  )

test('the first host that takes writes is used', async () => {
  await one.takesWrites(false)
  assert.equal(await write(), two.port)
})

test('a switch of roles: what was open is told that it is read-only, and new connections find the primary', async () => {
  await two.takesWrites(false)
  await assert.rejects(write(), /read-only at the moment\. Nothing was saved/)
  await one.takesWrites(true)
  assert.equal(await written(), one.port)
})

test('the primary vanishes: the other one is found when it has taken over', async () => {
  await written()
  one.proxy.set('silent')
  await two.takesWrites(true)
  assert.equal(await written(), two.port)
  one.proxy.set('pass')
  assert.equal(await written(), two.port, 'no one goes back without need')
})

test('no host takes writes: SERVICE_UNAVAILABLE that says so', async () => {
  await Promise.all([one.takesWrites(false), two.takesWrites(false)])
  const fresh = openDb({ url: address, log: openLog('silent') })
  await assert.rejects(fresh.query(sql`select 1`), /read-only at the moment/)
  await fresh.end()
})

test('a single host is asked whether it takes writes when the address wants it', async () => {
  const [alone] = address.split(',')
  const [any, strict] = ['', '?target_session_attrs=primary'].map((end) =>
    openDb({ url: `${alone}/vezne${end}`, log: openLog('silent') }),
  )
  assert.deepEqual(await any?.query(sql`select 1 as one`), [{ one: 1 }])
  await assert.rejects(strict?.query(sql`select 1`) ?? Promise.resolve(), /read-only at the moment/)
  await Promise.all([any?.end(), strict?.end()])
})

test('two hosts that take writes are a split: both are named', async () => {
  await one.takesWrites(true)
  await two.takesWrites(true)
  assert.equal(
    describeSplit(await db.hosts()),
    `${one.host} and ${two.host} both take writes; stop the one that is not the primary`,
  )
  await two.takesWrites(false)
  const states = await db.hosts()
  assert.deepEqual(
    states.map(({ host, failure }) => ({ host, takesWrites: failure === null })),
    [
      { host: one.host, takesWrites: true },
      { host: two.host, takesWrites: false },
    ],
  )
  assert.equal(describeSplit(states), null)
})

test('two hosts that take writes: a command refuses before it reads or writes anything, and doctor says which one it read', async () => {
  await two.takesWrites(true)
  const { run, stop } = openCommandLine({
    DATABASE_URL: address,
    VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
  })
  try {
    for (const args of [
      ['operator', 'add', 'split.test', '--role', 'admin'],
      ['payout', 'list'],
    ]) {
      const { code, errors } = await run(args)
      assert.equal(code, 2, errors)
      assert.match(errors, /both take writes; stop the one that is not the primary.*Two primaries/s, args.join(' '))
    }
    const { code, output } = await run(['doctor'])
    assert.equal(code, 1)
    const read = `${one.host} and ${two.host} both take writes; stop the one that is not the primary. All other checks read ${one.host}`
    assert.ok(output.includes(`FAIL  primary: ${read}`), output)
  } finally {
    stop()
    await two.takesWrites(false)
  }
})

test('one host is away and the other is a standby: not called read-only, and both are named with their cause', async () => {
  one.proxy.set('silent')
  const fresh = openDb({ url: address, log: openLog('silent') })
  const { run, stop } = openCommandLine({
    DATABASE_URL: address,
    VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
  })
  const causes = `${one.host} does not respond; ${two.host} takes no writes (a standby, or set read-only)`
  try {
    await assert.rejects(
      fresh.query(sql`select 1`),
      (error: Error) =>
        /cannot be reached/.test(error.message) && describeFault(error) === `The database at ${causes}.`,
    )
    assert.equal(describeHosts(await fresh.hosts()), causes)
    const { code, output } = await run(['doctor'])
    assert.equal(code, 3)
    assert.ok(
      output.includes(`FAIL  database: The database at ${causes}\n      → See that PostgreSQL runs there`),
      output,
    )
  } finally {
    one.proxy.set('pass')
    stop()
    await fresh.end()
  }
})

test('a commit whose wait for the standby is cancelled is not acknowledged', async () => {
  const single = openDb({ url: one.proxy.url, log: openLog('silent') })
  const setStandby = async (name: string) => {
    await one.admin.query(`alter system set synchronous_standby_names = '${name}'`)
    await one.admin.query('select pg_reload_conf()')
    await until(
      async () =>
        (await one.admin.query<{ name: string }>(`select current_setting('synchronous_standby_names') as name`)).rows[0]
          ?.name,
      (now) => now === name,
    )
  }
  await setStandby('nobody')
  try {
    const writes = [
      () => single.transaction((tx) => tx.query(sql`insert into notes (id) values (77)`)),
      () => single.oneStatement((tx) => tx.query(sql`insert into notes (id) values (78)`)),
    ]
    for (const send of writes) {
      const rejected = assert.rejects(send(), /saved on one database server only/)
      await until(
        async () =>
          (await one.admin.query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`))
            .rowCount,
        (cancelled) => (cancelled ?? 0) > 0,
      )
      await rejected
    }
  } finally {
    await setStandby('')
    await single.end()
  }
})

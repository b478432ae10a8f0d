import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { compose } from '../../packages/server/src/compose.ts'
import { createMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { buildApi } from '../../packages/server/src/edges/api/app.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { missingRights } from '../../packages/server/src/platform/postgres/role-rights.ts'
import { sql, type Sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { run as runAlone } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { testConfig } from '../harness/database.ts'
import { depositBody } from '../harness/examples.ts'
import type { RoleName } from '../harness/roles.ts'
import { runSql, startWithRoles } from '../harness/roles.ts'
import { until } from '../harness/until.ts'

// What an operator is told when the role of the service, or the standby, is the cause.

const { urlOf, superuserUrl } = await startWithRoles()
const folder = mkdtempSync(join(tmpdir(), 'vezne-role-faults-'))
const settings = (role: RoleName) => ({
  VEZNE_DATA: folder,
  DATABASE_URL: urlOf(role),
  VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
})
const migrated = await runAlone(['migrate'], settings('vezne_owner'))
assert.match(
  migrated.output,
  /Granted the rights of deploy\/grants\.sql to vezne_app and vezne_read\./,
  migrated.errors,
)

const app = compose(testConfig(), urlOf('vezne_app'))
const unfollow = await app.clock.follow(app.db, () => undefined)
await app.checkoutKeys.load()
const errors: string[] = []
const log = { ...app.log, error: (what: { err: Error }) => void errors.push(what.err.message) } as typeof app.log
const server = buildApi({ ...app, log })
const address = await server.listen({ host: '127.0.0.1', port: 0 })
const { run, stop } = openCommandLine(settings('vezne_app'))
after(async () => {
  stop()
  await server.close()
  await unfollow()
  await app.db.end()
  rmSync(folder, { recursive: true, force: true })
})

const readyz = async () => {
  const response = await fetch(`${address}/readyz`)
  return { status: response.status, text: await response.text() }
}
const superuser = (text: string) => runSql(superuserUrl, text)
const untilReady = () => until(readyz, ({ status }) => status === 200)

test('every right of deploy/grants.sql that is revoked is found, each by its name', async () => {
  assert.deepEqual(await missingRights(app.db), [])
  const held = await superuser(`
    select c.relname as table, lower(privilege_type) as right, null as column
    from pg_class c, aclexplode(c.relacl) where grantee = 'vezne_app'::regrole
    union all
    select c.relname, lower(privilege_type), a.attname
    from pg_class c join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) where grantee = 'vezne_app'::regrole`)
  assert.ok(held.length > 200)
  const admin = new pg.Client({ connectionString: superuserUrl })
  await admin.connect()
  for (const { table, right, column } of held as { table: string; right: string; column: string | null }[]) {
    const what = column === null ? right : `${right} (${column})`
    await admin.query(`begin; revoke ${what} on ${table} from vezne_app; set local role vezne_app`)
    const found = await missingRights({
      query: async <Row>({ text, values }: Sql) => (await admin.query(text, values)).rows as Row[],
    })
    await admin.query('rollback')
    assert.deepEqual(found, [{ table, right: what }])
  }
  await admin.end()
})

test('a revoked right: readiness and doctor name it, the request is an error in the log and counted, migrate repairs it', async () => {
  await untilReady()
  const shop = await createMerchant(app, UNATTRIBUTED, { name: 'Deneme', allowedNetworks: ['127.0.0.0/8'] })
  await superuser('revoke insert on deposits from vezne_app')
  const { post } = client(address, shop)
  assert.equal((await post('/v1/deposit', depositBody())).status, 503)
  assert.deepEqual(errors, ['permission denied for table deposits'])
  assert.match(await (await fetch(`${address}/metrics`)).text(), /^vezne_database_denied_total 1$/m)
  const { text } = await until(readyz, ({ status }) => status === 503)
  assert.match(text, /writing: the database role lacks insert on deposits/)
  const { output } = await run(['doctor'])
  assert.match(output, /FAIL {2}rights: lacks insert on deposits\n +→ .*\n +vezne migrate/)
  const repaired = await runAlone(['migrate'], settings('vezne_owner'))
  assert.match(repaired.output, /^Nothing to migrate\.\nGranted the rights/, repaired.errors)
  await untilReady()
  assert.equal((await post('/v1/deposit', depositBody())).status, 201)
})

test('a synchronous standby that does not confirm: readiness, doctor and a second write say so', async () => {
  const setStandby = async (name: string) => {
    await superuser(`alter system set synchronous_standby_names = '${name}'`)
    await superuser('select pg_reload_conf()')
    await until(
      () => superuser(`select current_setting('synchronous_standby_names') as name`),
      ([row]) => row?.['name'] === name,
    )
  }
  const touch = () =>
    app.db.oneStatement((tx) => tx.query(sql`update schema_migrations set applied_at = applied_at where version = 1`))
  const confirmed = /synchronous standby does not confirm what is written/
  await setStandby('nobody')
  try {
    const first = assert.rejects(touch(), /whether it was saved is unknown/)
    await until(
      () => app.db.waitsForStandby(),
      (waits) => waits,
    )
    await assert.rejects(touch(), /synchronous standby does not confirm what is written\. Nothing was saved/)
    await first
    await until(readyz, ({ status, text }) => status === 503 && confirmed.test(text))
    const { output } = await run(['doctor'])
    assert.match(output, /FAIL {2}writing: .*standby does not confirm.*\n +→ .*\n.*"The standby is gone"/)
  } finally {
    await setStandby('')
  }
  await untilReady()
})

test('a role that may not log in: doctor and readiness say that, not that the database is away', async () => {
  await superuser('alter role vezne_app nologin')
  await superuser("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'vezne_app'")
  try {
    const { text } = await until(readyz, ({ status }) => status === 503)
    assert.match(text, /database: The database at 127\.0\.0\.1:\d+ does not let the role log in/)
    const { code, output } = await run(['doctor'])
    assert.equal(code, 3)
    assert.match(output, /FAIL {2}database: .* does not let the role log in .*\n +→ /)
  } finally {
    await superuser('alter role vezne_app login')
  }
  await untilReady()
})

import assert from 'node:assert/strict'
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { openDb } from '../../packages/server/src/platform/postgres/db.ts'
import { openLog } from '../../packages/server/src/platform/log.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { makeCertificate } from '../harness/certificate.ts'
import { startTestPostgres } from '../harness/ends-with-us.ts'
import { until } from '../harness/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'vezne-tls-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const postgres = await startTestPostgres(folder, ['fsync=off'])
after(() => postgres.stop())

const { cert, key } = makeCertificate(['127.0.0.1'])
const cluster = join(folder, 'postgres')
for (const [name, text] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
  const { uid, gid } = statSync(cluster)
  writeFileSync(join(cluster, name), text, { mode: 0o600 })
  chownSync(join(cluster, name), uid, gid)
}
const authority = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const RIGHT = authority('right.pem', cert)
const WRONG = authority('wrong.pem', makeCertificate(['127.0.0.1']).cert)

const admin = new pg.Client({ connectionString: postgres.url })
await admin.connect()
await admin.query('alter system set ssl = on')
await admin.query('select pg_reload_conf()')
await until(
  async () => (await admin.query<{ ssl: string }>('show ssl')).rows[0]?.ssl,
  (ssl) => ssl === 'on',
)
await admin.end()

/** As the service connects: is the connection encrypted? */
async function connect(host: string, parameters: string): Promise<boolean | undefined> {
  const url = new URL(postgres.url)
  url.hostname = host
  url.search = parameters
  const db = openDb({ url: url.href, log: openLog('silent') })
  try {
    const [row] = await db.query<{ ssl: boolean }>(sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`)
    return row?.ssl
  } finally {
    await db.end()
  }
}

test('verify-full with the right authority: the connection is encrypted', async () => {
  assert.equal(await connect('127.0.0.1', `sslmode=verify-full&sslrootcert=${RIGHT}`), true)
})

/** 503 for whoever waits; the cause has what TLS refused. */
const failsWith = (code: string) => (error: Error) => (error.cause as { code?: string } | undefined)?.code === code

test('verify-full with another authority, or with none: no connection', async () => {
  await assert.rejects(
    connect('127.0.0.1', `sslmode=verify-full&sslrootcert=${WRONG}`),
    failsWith('DEPTH_ZERO_SELF_SIGNED_CERT'),
  )
  await assert.rejects(connect('127.0.0.1', 'sslmode=verify-full'), failsWith('DEPTH_ZERO_SELF_SIGNED_CERT'))
})

test('verify-full and a certificate for another name: no connection', async () => {
  await assert.rejects(
    connect('localhost', `sslmode=verify-full&sslrootcert=${RIGHT}`),
    failsWith('ERR_TLS_CERT_ALTNAME_INVALID'),
  )
})

test('why live refuses the others: without a mode nothing is encrypted, and no-verify believes anyone', async () => {
  assert.equal(await connect('127.0.0.1', ''), false)
  assert.equal(await connect('127.0.0.1', 'sslmode=no-verify'), true)
})

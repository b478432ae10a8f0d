import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { run } from '../harness/child-process.ts'
import { testConfig } from '../harness/database.ts'
import type { RoleName } from '../harness/roles.ts'
import { runSql, startWithRoles } from '../harness/roles.ts'

const PERMISSION_DENIED = '42501'
const { urlOf, makeRolesAsSuperuser } = await startWithRoles()
const folder = mkdtempSync(join(tmpdir(), 'vezne-reading-role-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const settings = (role: RoleName) => ({
  VEZNE_DATA: folder,
  DATABASE_URL: urlOf(role),
  VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
  VEZNE_MIGRATE: 'off',
  VEZNE_MODE: 'live',
  VEZNE_PUBLIC_URL: 'https://pay.example',
})

/** The error code that PostgreSQL refuses with, or null. */
async function refusal(role: RoleName, statement: string): Promise<string | null> {
  try {
    await runSql(urlOf(role), `begin; set transaction read write; ${statement}; rollback`)
    return null
  } catch (error) {
    return (error as { code: string }).code
  }
}

async function doctorSays() {
  const { output } = await run(['doctor', '--json'], settings('vezne_app'))
  const { checks } = JSON.parse(output) as { checks: { check: string; ok: boolean; found: string; todo?: string }[] }
  return checks.find(({ check }) => check === 'reading role')
}

/** What every role may call, and what would stop the workers or fill the disk. */
const OPEN_TO_ALL = [
  'select pg_advisory_lock(1)',
  'select pg_advisory_xact_lock(1, 2)',
  'select pg_advisory_lock_shared(1)',
  'select pg_try_advisory_lock(1)',
  'select pg_try_advisory_xact_lock_shared(1)',
  'select lo_create(0)',
  'select lo_creat(0)',
  "select lo_from_bytea(0, '')",
  "select lo_put(1, 0, '')",
  'select lo_open(1, 131072)',
  "select lowrite(0, '')",
  'select lo_unlink(1)',
  "select pg_logical_emit_message(false, 'x', 'y')",
]

test('the reading role can neither hold locks nor write, once a superuser has run roles.sql; until then doctor warns', async () => {
  const migrated = await run(['migrate'], settings('vezne_owner'))
  assert.equal(migrated.code, 0, migrated.errors)
  const before = await doctorSays()
  assert.match(before?.found ?? '', /^vezne_read may .*locks/)
  assert.match(before?.todo ?? '', /superuser.*deploy\/roles\.sql/s)
  assert.equal(before?.ok, true, 'a warning: a managed server may have no superuser')
  await makeRolesAsSuperuser()
  for (const statement of OPEN_TO_ALL)
    assert.equal(await refusal('vezne_read', statement), PERMISSION_DENIED, statement)
  for (const role of ['vezne_app', 'vezne_owner'] as const)
    assert.equal(await refusal(role, 'select pg_advisory_xact_lock(1), pg_try_advisory_xact_lock(2)'), null)
  const again = await run(['migrate'], settings('vezne_owner'))
  assert.equal(again.code, 0, again.errors)
  assert.deepEqual(await doctorSays(), { check: 'reading role', ok: true, found: 'vezne_read only reads' })
})

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { run, vezne } from '../harness/child-process.ts'
import { testConfig } from '../harness/database.ts'
import type { RoleName } from '../harness/roles.ts'
import { runSql, startWithRoles } from '../harness/roles.ts'
import { until } from '../harness/until.ts'

const PERMISSION_DENIED = '42501'
const { urlOf } = await startWithRoles()
const folder = mkdtempSync(join(tmpdir(), 'vezne-audit-roles-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const heads = join(folder, 'heads.jsonl')
const settings = (role: RoleName) => ({
  VEZNE_DATA: folder,
  DATABASE_URL: urlOf(role),
  VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
  VEZNE_MIGRATE: 'off',
  VEZNE_AUDIT_HEADS: heads,
})

const refusal = (role: RoleName, statement: string) =>
  runSql(urlOf(role), `begin; set transaction read write; ${statement}; rollback`).then(
    () => null,
    ({ code }: { code: string }) => code,
  )

test('the app only adds entries, through the chain; the reading role verifies them', async () => {
  assert.equal((await run(['migrate'], settings('vezne_owner'))).code, 0)
  const added = await run(['operator', 'add', 'ada.aksoy', '--role', 'admin'], settings('vezne_app'))
  assert.equal(added.code, 0, added.errors)
  const insert = (table: string) =>
    `insert into ${table} (at, actor, action, subject, origin) values (now(), 'x', 'y', 'z:1', '{}')`
  assert.equal(await refusal('vezne_app', insert('audit_pending')), null)
  const ofApp = [
    insert('audit_entries'),
    'update audit_entries set reason = null',
    'delete from audit_entries',
    'truncate audit_entries',
    'update audit_head set number = 0',
    'delete from audit_head',
    'update audit_pending set actor = null',
    'delete from audit_pending',
    'alter table audit_pending disable trigger all',
  ]
  for (const statement of ofApp) assert.equal(await refusal('vezne_app', statement), PERMISSION_DENIED, statement)
  // As the trigger of a table of its own, the function would add entries with the owner's rights.
  const own = `create temp table mine (like audit_pending);
    create trigger mine after insert on mine for each row execute function chain_audit()`
  for (const role of ['vezne_app', 'vezne_read'] as const) {
    assert.equal(await refusal(role, own), PERMISSION_DENIED, role)
    const may = await runSql(urlOf(role), `select has_function_privilege('chain_audit()', 'execute') as may`)
    assert.deepEqual(may, [{ may: false }], role)
  }
  assert.equal(await refusal('vezne_read', insert('audit_pending')), PERMISSION_DENIED)
  const verified = await run(['audit', 'verify', '--json'], settings('vezne_read'))
  assert.equal(verified.code, 0, verified.errors)
  assert.equal(JSON.parse(verified.output).intact, true)
  const list = await run(['audit', 'list', '--action', 'operator.add'], settings('vezne_read'))
  assert.match(list.output, /operator:ada\.aksoy/, list.errors)
})

test('a worker writes the head when it starts and, if it is new, when it is told to stop', async () => {
  const worker = vezne(['work'], { ...settings('vezne_app'), VEZNE_LOG: 'debug' })
  after(() => worker.process.kill('SIGKILL'))
  await until(async () => existsSync(heads), Boolean)
  const added = await run(
    ['operator', 'add', 'bora.boz', '--role', 'admin', '--as', 'ada.aksoy'],
    settings('vezne_app'),
  )
  assert.equal(added.code, 0, added.errors)
  worker.process.kill('SIGTERM')
  assert.equal(await worker.exited, 0, worker.errors())
  const last = JSON.parse(readFileSync(heads, 'utf8').trim().split('\n').at(-1) ?? '') as {
    number: number
    hash: string
  }
  const { entries, hash } = JSON.parse((await run(['audit', 'verify', '--json'], settings('vezne_app'))).output)
  assert.deepEqual({ number: last.number, hash: last.hash }, { number: entries, hash })
  assert.match(
    worker.output() + worker.errors(),
    new RegExp(`"level":20,.*"number":${entries},"hash":"${hash}".*audit head`),
  )
})

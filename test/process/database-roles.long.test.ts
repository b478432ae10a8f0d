import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startSimulatedBank } from '../../packages/server/src/simulated-bank.ts'
import type { Child } from '../harness/child-process.ts'
import { ready, run, vezne } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { testConfig } from '../harness/database.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startReceiver } from '../harness/receiver.ts'
import type { RoleName } from '../harness/roles.ts'
import { runSql, setMode, startWithRoles } from '../harness/roles.ts'
import { until } from '../harness/until.ts'

const ROOT = join(import.meta.dirname, '../..')
const { urlOf, makeRolesAsSuperuser } = await startWithRoles()
const folder = mkdtempSync(join(tmpdir(), 'vezne-roles-data-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const settings = (role: RoleName, changes: Record<string, string> = {}) => ({
  VEZNE_DATA: folder,
  DATABASE_URL: urlOf(role),
  VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
  VEZNE_MIGRATE: 'off',
  ...changes,
})

function start(role: string, env: Record<string, string>): Child {
  const child = vezne([role], env)
  after(() => child.process.kill('SIGKILL'))
  return child
}

async function stop(child: Child): Promise<void> {
  child.process.kill('SIGTERM')
  assert.equal(await child.exited, 0, child.errors())
}

before(async () => {
  // Everything here works with the fewest rights that the roles can have.
  await makeRolesAsSuperuser()
  for (const role of ['serve', 'work', 'up']) {
    const { code, errors } = await run([role], settings('vezne_app'))
    assert.equal(code, 2, errors)
    assert.match(errors, /lacks 0001_baseline\.sql.*vezne migrate.*owner/s, `${role} on an empty database`)
  }
  const denied = await run(['serve'], settings('vezne_app', { VEZNE_MIGRATE: 'on' }))
  assert.equal(denied.code, 2)
  assert.match(denied.errors, /may not change the schema.*VEZNE_MIGRATE=off/s)
  // VEZNE_MIGRATE is about starts; the command migrates.
  const { code, output, errors } = await run(['migrate'], settings('vezne_owner'))
  assert.equal(code, 0, errors)
  assert.match(output, /0001_baseline\.sql/)
})

test('migrate names the roles that it gave their rights, and only the owner can give them', async () => {
  const granted = async (role: RoleName) => {
    const { output, errors } = await run(['migrate', '--json'], settings(role))
    return output ? (JSON.parse(output) as { granted: string[] }).granted : errors
  }
  assert.deepEqual(await granted('vezne_owner'), ['vezne_app', 'vezne_read'])
  assert.deepEqual(await granted('vezne_app'), [])
})

/** The error code that PostgreSQL refuses with, or null. */
async function refusal(role: RoleName, statement: string): Promise<string | null> {
  try {
    await runSql(urlOf(role), `begin; ${statement}; rollback`)
    return null
  } catch (error) {
    return (error as { code: string }).code
  }
}

const PERMISSION_DENIED = '42501'
const APPEND_ONLY = [
  ...readFileSync(join(ROOT, 'packages/server/schema.sql'), 'utf8').matchAll(
    /^CREATE TRIGGER (\w+)_append_only BEFORE/gm,
  ),
].map(([, name]) => name as string)
/** Of append-only tables, the columns that their triggers let be erased. */
const ERASABLE = new Map(
  [
    ...readFileSync(join(ROOT, 'packages/server/schema.sql'), 'utf8').matchAll(
      /^CREATE TRIGGER (\w+)_append_only BEFORE .* refuse_all_but_erasing\('withdrawal_id', '([\w ]+)'\)/gm,
    ),
  ].map(([, table, columns]) => [table as string, (columns as string).split(' ')]),
)

test('the app runs a deposit, a withdrawal and their callbacks from end to end with its own role', async () => {
  const receiver = await startReceiver()
  const merchant = { apiKey: 'none', apiSecret: 'none', callbackSecret: 'whsec_bm9uZQ==' }
  const bank = await startSimulatedBank({
    dataFolder: folder,
    host: '127.0.0.1',
    port: 0,
    vezneUrl: 'http://127.0.0.1:1',
    merchant,
  })
  after(bank.stop)
  const app = settings('vezne_app', {
    VEZNE_BANK_API_URL: bank.baseUrl,
    VEZNE_BANK_API_KEY: bank.key,
    VEZNE_LOG: 'warn',
  })
  const made = await run(
    ['merchant', 'create', '--name', 'Dükkân', '--allow-ip', '127.0.0.1', '--callback-url', receiver.url, '--json'],
    app,
  )
  assert.equal(made.code, 0, made.errors)
  const shop = JSON.parse(made.output) as { apiKey: string; apiSecret: string }

  const server = start('serve', app)
  const worker = start('work', app)
  const { get, post } = client(await ready(server), shop)
  const statusOf = async (id: string) => (await get(`/v1/transactions/${id}`)).body.data.status as string
  const untilCompleted = (id: string) =>
    until(
      () => statusOf(id),
      (status) => status === 'completed',
    )

  const created = await post('/v1/deposit', depositBody())
  assert.equal(created.status, 201, created.text)
  const depositId = created.body.data.transactionId as string
  const [transfer] = await runSql(
    urlOf('vezne_owner'),
    `select a.iban, d.reference_code as code from deposits d
     join collecting_accounts a on a.id = d.collecting_account_id where d.id = '${depositId}'`,
  )
  const paid = await fetch(`${bank.baseUrl}/api/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bank.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      toIban: transfer?.['iban'],
      amount: 125_000,
      description: transfer?.['code'],
      senderName: 'Ayşe Yılmaz',
    }),
  })
  assert.equal(paid.status, 201, await paid.text())
  await untilCompleted(depositId)
  const withdrawal = await post('/v1/withdraw', withdrawBody())
  assert.equal(withdrawal.status, 201, withdrawal.text)
  await untilCompleted(withdrawal.body.data.transactionId)
  await until(
    async () => new Set(receiver.all.map(({ event }) => event.type)),
    (types) => types.has('deposit.completed') && types.has('withdrawal.completed'),
  )
  await stop(worker)
  await stop(server)
  assert.doesNotMatch([server, worker].map((child) => child.output() + child.errors()).join(), /permission denied/)
})

test('the app cannot change the schema, empty a table, or touch what is append-only', async () => {
  const refused: Record<string, string> = {
    'make a table': 'create table mine (id int)',
    'make a temporary table': 'create temp table mine (id int)',
    'make a schema': 'create schema mine',
    'change a table': 'alter table accounts add column mine int',
    'disable triggers': 'alter table transfers disable trigger all',
    'disable all triggers of its session': "set session_replication_role = 'replica'",
    'drop a trigger': 'drop trigger transfers_append_only on transfers',
    'replace the function of the triggers':
      'create or replace function refuse_change() returns trigger language sql as $$ $$',
    'become the owner': 'set role vezne_owner',
    'delete a deposit': 'delete from deposits',
    'change what has been migrated': "update schema_migrations set checksum = ''",
  }
  for (const [what, statement] of Object.entries(refused))
    assert.equal(await refusal('vezne_app', statement), PERMISSION_DENIED, what)
  assert.ok(APPEND_ONLY.length > 5)
  for (const table of APPEND_ONLY) {
    for (const statement of [`delete from ${table}`, `truncate ${table}`, `alter table ${table} disable trigger all`])
      assert.equal(await refusal('vezne_app', statement), PERMISSION_DENIED, statement)
  }
})

test('the app may do with each table what the code does, and no more', async () => {
  // Functions of triggers run with the rights of the caller, except those that are marked.
  const withOwnerRights =
    /^CREATE OR REPLACE FUNCTION (?:(?!^\$function\$;)[\s\S])*?SECURITY DEFINER[\s\S]*?^\$function\$;/gm
  const code = [
    ...globSync('packages/server/src/**/{store,business-clock,deployment-mode}.ts', { cwd: ROOT }),
    'packages/server/schema.sql',
  ]
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n')
    .replaceAll(withOwnerRights, '')
  const named = (pattern: RegExp) => new Set([...code.matchAll(pattern)].map(([, table]) => table as string))
  const inserted = named(/\binsert into (\w+)/g)
  const updated = named(/\bupdate (\w+)(?: \w+)? set\b/g)
  const deleted = named(/\bdelete from (\w+)/g)
  const rights = await runSql(
    urlOf('vezne_app'),
    `select relname as table, array(select attname::text from pg_attribute
       where attrelid = oid and attnum > 0 and has_column_privilege(oid, attnum, 'update')) as columns, array(select p from unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'trigger', 'references']) p
       where has_table_privilege(oid, p)) as rights
     from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`,
  )
  for (const { table, rights: held, columns } of rights as { table: string; rights: string[]; columns: string[] }[]) {
    const needed = ['select']
    if (inserted.has(table)) needed.push('insert')
    if (updated.has(table) && !ERASABLE.has(table)) needed.push('update')
    if (deleted.has(table)) needed.push('delete')
    assert.deepEqual(
      needed.filter((right) => !held.includes(right)),
      [],
      `deploy/grants.sql lacks rights on ${table}`,
    )
    assert.equal(held.includes('delete'), deleted.has(table), `delete on ${table}: see deploy/grants.sql`)
    if (APPEND_ONLY.includes(table)) {
      assert.deepEqual(held, inserted.has(table) ? ['select', 'insert'] : ['select'], table)
      assert.deepEqual(columns, ERASABLE.get(table) ?? [], `columns of ${table} that the app may update`)
    }
    assert.deepEqual(
      held.filter((right) => /truncate|trigger|references/.test(right)),
      [],
      table,
    )
  }
  assert.equal(ERASABLE.size, 2)
  assert.ok(rights.length > 30)
})

test('the reading role reads what reports need, changes nothing, and sees no secret', async () => {
  assert.equal(await refusal('vezne_read', 'select count(*) from deposits, transfers'), null)
  const readable = (await runSql(
    urlOf('vezne_read'),
    `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
  )) as { name: string }[]
  assert.ok(readable.some(({ name }) => name === 'withdrawals.iban'))
  assert.deepEqual(
    readable.filter(({ name }) => /sealed|secret|signature|password|api_key/.test(name)),
    [],
  )
  for (const table of ['deployment_secrets', 'merchant_secrets', 'callback_secrets'])
    assert.equal(await refusal('vezne_read', `select 1 from ${table}`), PERMISSION_DENIED, table)
  assert.equal(
    await refusal(
      'vezne_read',
      "set transaction read write; insert into operators (name, created_at) values ('x', now())",
    ),
    PERMISSION_DENIED,
  )
})

test('the reading role has few connections, and limits of time', async () => {
  const [role] = await runSql(
    urlOf('vezne_read'),
    `select rolconnlimit as connections, current_setting('statement_timeout') as statement,
       current_setting('idle_session_timeout') as idle,
       current_setting('idle_in_transaction_session_timeout') as in_transaction
     from pg_roles where rolname = current_user`,
  )
  assert.deepEqual(role, { connections: 5, statement: '1min', idle: '5min', in_transaction: '1min' })
})

test('a table of a later migration is covered by the next `vezne migrate`; a newer schema is no reason not to start', async () => {
  await runSql(urlOf('vezne_owner'), 'create table later (id int)')
  assert.equal(await refusal('vezne_app', 'select id from later'), PERMISSION_DENIED)
  const { code, errors } = await run(['migrate'], settings('vezne_owner'))
  assert.equal(code, 0, errors)
  assert.equal(await refusal('vezne_app', 'insert into later values (1)'), null)
  await runSql(
    urlOf('vezne_owner'),
    `insert into schema_migrations (version, name, checksum, applied_at) values (9999, '9999_future.sql', 'x', now())`,
  )
  const server = start('serve', settings('vezne_app'))
  assert.equal((await fetch(`${await ready(server)}/readyz`)).status, 200)
  await stop(server)
  const refused = await run(['migrate'], settings('vezne_owner'))
  assert.match(refused.errors, /9999_future\.sql/)
  await runSql(urlOf('vezne_owner'), 'drop table later; delete from schema_migrations where version = 9999')
})

test('doctor warns in live when the role could change the schema, and is content with the app role', async () => {
  const live = { VEZNE_MODE: 'live', VEZNE_PUBLIC_URL: 'https://pay.example' }
  const check = async (role: RoleName, changes: Record<string, string>) => {
    const { output } = await run(['doctor', '--json'], settings(role, changes))
    const { checks } = JSON.parse(output) as { checks: { check: string; ok: boolean; found: string; todo?: string }[] }
    return checks.find((one) => one.check === 'database role')
  }
  await setMode(urlOf('vezne_owner'), 'live')
  assert.deepEqual(await check('vezne_app', live), {
    check: 'database role',
    ok: true,
    found: 'vezne_app can change rows only',
  })
  const owner = await check('vezne_owner', live)
  assert.match(owner?.found ?? '', /^vezne_owner .*owns tables.*create tables/)
  assert.match(owner?.todo ?? '', /deploy\/roles\.sql.*docs\/deploy\.md/s)
  assert.equal(owner?.ok, true, 'a warning, no failure')
  await setMode(urlOf('vezne_owner'), 'sandbox')
  assert.equal(await check('vezne_owner', {}), undefined, 'a sandbox is not asked')
})

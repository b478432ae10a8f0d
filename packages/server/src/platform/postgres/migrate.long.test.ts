import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cloneDatabase } from '../../../../../test/harness/database.ts'
import { until } from '../../../../../test/harness/until.ts'
import { realClock } from '../time/clock.ts'
import { openDb } from './db.ts'
import { openLog } from '../log.ts'
import { migrate, schemaState } from './migrate.ts'
import { sql } from './sql.ts'

const log = openLog('silent')
const FOLDER = join(import.meta.dirname, '../../../migrations')
const ALL = readdirSync(FOLDER).toSorted()

/** The baseline, and later migrations of a version that is to come. */
function laterVersion(texts: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'vezne-migrations-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ALL) copyFileSync(join(FOLDER, name), join(folder, name))
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)
  return folder
}
const numbered = (add: number, name: string) => `${String(ALL.length + add).padStart(4, '0')}_${name}.sql`

/** Several processes of one deployment on an empty database. */
async function processes(count: number) {
  const database = await cloneDatabase('empty')
  const apps = Array.from({ length: count }, () => ({ db: openDb({ url: database.url, log }), clock: realClock }))
  after(async () => {
    await Promise.all(apps.map(({ db }) => db.end()))
    await database.drop()
  })
  return apps as [(typeof apps)[number], ...typeof apps]
}

test('many first starts at once: each migration is applied once, by one of them', async () => {
  const apps = await processes(4)
  const applied = await Promise.all([...apps, ...apps].map((app) => migrate(app)))
  assert.deepEqual(
    applied.filter((names) => names.length > 0),
    [ALL],
  )
  const rows = await apps[0].db.query<{ name: string }>(sql`select name from schema_migrations order by version`)
  assert.deepEqual(
    rows.map(({ name }) => name),
    ALL,
  )
})

test('schemaState: older on an empty database, current after, older when one is missing; a second run does nothing', async () => {
  const [app] = await processes(1)
  assert.equal(await schemaState(app.db), 'older')
  assert.deepEqual(await migrate(app), ALL)
  assert.equal(await schemaState(app.db), 'current')
  assert.deepEqual(await migrate(app), [])
  await app.db.query(sql`delete from schema_migrations where version = ${ALL.length}`)
  assert.equal(await schemaState(app.db), 'older')
})

test('a migration that fails leaves the database wholly as it was', async () => {
  const [app] = await processes(1)
  // The baseline creates this table after many others.
  await app.db.query(sql`create table withdrawals (id text)`)
  await assert.rejects(migrate(app), /withdrawals/)
  const [row] = await app.db.query<{ ledger: string | null; log: string | null }>(sql`
    select to_regclass('accounts')::text as ledger, to_regclass('schema_migrations')::text as log`)
  assert.deepEqual(row, { ledger: null, log: null })
})

test('a file that was edited after it had been applied is an error that names it', async () => {
  const [app] = await processes(1)
  await migrate(app)
  await app.db.query(sql`update schema_migrations set checksum = 'edited' where version = 1`)
  const expected = new RegExp(`${ALL[0]} was edited after it had been applied`)
  await assert.rejects(migrate(app), expected)
  await assert.rejects(schemaState(app.db), expected)
})

test('a database from a newer version: migrating is an error that says so; running on it is not', async () => {
  const [app] = await processes(1)
  await migrate(app)
  await app.db.query(sql`
    insert into schema_migrations (version, name, checksum, applied_at)
    values (9999, '9999_future.sql', 'x', ${realClock.now()})`)
  await assert.rejects(migrate(app), /9999_future\.sql, which this version of Vezne does not know/)
  assert.equal(await schemaState(app.db), 'newer')
})

test('a database of before 1.0 is refused in one sentence that says what to do', async () => {
  const [app] = await processes(1)
  await migrate(app)
  await app.db.query(sql`update schema_migrations set name = '0001_ledger.sql', checksum = 'x' where version = 1`)
  await app.db.query(sql`
    insert into schema_migrations (version, name, checksum, applied_at)
    select n, n || '_old.sql', 'x', ${realClock.now()}::timestamptz from generate_series(2, 126) as n`)
  for (const look of [() => migrate(app), () => schemaState(app.db)])
    await assert.rejects(look, /of a version before 1\.0, which cannot be upgraded: start with an empty one/)
})

test('an online migration: writes go on, an unfinished index is built anew, and two processes do it once', async () => {
  const apps = await processes(2)
  const [{ db }] = apps
  await migrate(apps[0])
  const name = numbered(1, 'events_of_later')
  const folder = laterVersion({
    [name]: '-- online: an index.\ncreate index concurrently if not exists events_of_later on events (type);\n',
  })
  // As a crash leaves it.
  await db.query(sql`create index events_of_later on events (id)`)
  await db.query(sql`update pg_index set indisvalid = false where indexrelid = 'events_of_later'::regclass`)
  let commit: () => void = () => undefined
  const open = new Promise<void>((resolve) => (commit = resolve))
  const writing = db.transaction(async (tx) => {
    await tx.query(sql`lock table events in row exclusive mode`)
    await open
  })
  const migrated = Promise.all(apps.map((app) => migrate(app, folder)))
  // It waits for the transaction above, and no one waits for it.
  await until(
    () =>
      db.query(
        sql`select 1 from pg_stat_activity where datname = current_database() and query like '%index concurrently%' and wait_event_type = 'Lock'`,
      ),
    (rows) => rows.length > 0,
  )
  await db.transaction((tx) => tx.query(sql`lock table events in row exclusive mode nowait`))
  commit()
  await writing
  assert.deepEqual(
    (await migrated).filter((names) => names.length > 0),
    [[name]],
  )
  const [index] = await db.query<{ definition: string; valid: boolean }>(sql`
    select pg_get_indexdef(indexrelid) as definition, indisvalid as valid from pg_index where indexrelid = 'events_of_later'::regclass`)
  assert.equal(index?.valid, true)
  assert.match(index.definition, /\(type\)/)
})

test('a migration that loses a deadlock under load is tried again', async () => {
  const [app] = await processes(1)
  // Sequences are not rolled back: the first statement of the first try fails, the second try passes.
  await app.db.query(sql`create sequence tries`)
  await app.db.query(sql`
    create function fail_once() returns event_trigger language plpgsql as $$ begin
      if nextval('tries') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
    end $$`)
  await app.db.query(sql`create event trigger fail_once on ddl_command_start execute function fail_once()`)
  assert.deepEqual(await migrate(app), ALL)
  const [row] = await app.db.query<{ tries: bigint }>(sql`select last_value as tries from tries`)
  assert.ok(row && row.tries > 1n)
})

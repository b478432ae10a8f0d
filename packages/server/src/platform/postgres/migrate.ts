import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../time/clock.ts'
import { HOUR_MS } from '../time/clock.ts'
import type { Db, Queryable } from './db.ts'
import { SettingsError } from '../read-setting.ts'
import { GRANTS } from './role-rights.ts'
import { sql } from './sql.ts'
import { Sql } from 'sql-template-tag'

/** `online`: statements run one by one while requests are served, and each can be repeated. */
type Migration = { version: number; name: string; text: string; checksum: string; online: boolean }
type Applied = { version: number; name: string; checksum: string }

const FOLDER = join(import.meta.dirname, '../../../migrations')
// A constant that nothing else in the database locks on; "vezn" in ASCII.
const ADVISORY_LOCK = 0x76657a6e
/** A large table may be rewritten, or another process may be migrating. */
const STATEMENT_MS = HOUR_MS
/** Polling interval while another process migrates. */
const POLL_INTERVAL_MS = 200
/** An index waits for older transactions, each time up to the lock timeout: a minute in all. */
const MAX_TRIES = 20

/**
 * Applies missing migrations, each with the rights of the application roles, if they exist, on every table: the previous
 * version keeps working meanwhile. One process at a time.
 */
export async function migrate({ db, clock }: { db: Db; clock: Clock }, folder: string = FOLDER): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const slowDb = db.withStatementLimit(STATEMENT_MS)
  const work = async () => {
    const missing = await findMissing(slowDb, migrations)
    for (const step of stepsOf(missing, migrations)) await applyStep(slowDb, clock, step)
    if (missing.length === 0) await slowDb.transaction((tx) => tx.query(new Sql([GRANTS], [])))
    return missing.map(({ name }) => name)
  }
  for (;;) {
    const applied = await withLock(slowDb, work)
    if (applied) return applied
    await wait(POLL_INTERVAL_MS)
  }
}

/**
 * The lock is held by a transaction of its own and polled for: waiting inside a statement would block a concurrent
 * index build.
 */
function withLock<Result>(db: Db, work: () => Promise<Result>): Promise<Result | null> {
  return db.transaction(async (tx) => {
    const [row] = await tx.query<{ locked: boolean }>(sql`select pg_try_advisory_xact_lock(${ADVISORY_LOCK}) as locked`)
    if (!row?.locked) return null
    // Last, because it also ends the snapshot of the previous statement: index builds wait for transactions with a
    // snapshot.
    await tx.query(sql`set local idle_in_transaction_session_timeout = 0`)
    return work()
  })
}

async function findMissing(db: Db, migrations: Migration[]): Promise<Migration[]> {
  const done = await applied(db)
  mustHaveBaseline(migrations, done)
  const newer = done.find(({ version }) => version > migrations.length)
  if (newer)
    throw new Error(
      `The database has migration ${newer.name}, which this version of Vezne does not know. Run a newer one.`,
    )
  return compare(migrations, done)
}

/** Migrations applied together: all of them for a new database, otherwise one by one, so that few locks are held. */
function stepsOf(missing: Migration[], all: Migration[]): Migration[][] {
  if (missing.length === 0) return []
  if (missing.length === all.length) return [missing.map((migration) => ({ ...migration, online: false }))]
  return missing.map((migration) => [migration])
}

async function applyStep(db: Db, clock: Clock, step: Migration[]): Promise<void> {
  for (const { text, name, online } of step)
    if (online) for (const statement of statementsOf(text)) await runOnline(db, name, statement)
  await retried(step, () => record(db, clock, step))
}

/** SQLSTATE of a deadlock and of a lock that was not free in time. */
const LOST_TO_OTHERS = new Set(['40P01', '55P03'])

/** Under load a migration can lose a deadlock or wait too long for a lock. Its transaction is rolled back and tried again. */
async function retried(step: Migration[], apply: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await apply()
    } catch (error) {
      const { code = '' } = ((error as Error).cause ?? {}) as { code?: string }
      if (!LOST_TO_OTHERS.has(code)) throw error
      if (tries === MAX_TRIES)
        throw new Error(
          `Migration ${step[0]?.name} could not be applied in ${MAX_TRIES} tries; those before it are. Run vezne migrate again. The last try: ${(error as Error).message}`,
          { cause: error },
        )
    }
  }
}

function record(db: Db, clock: Clock, step: Migration[]): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query(sql`
      create table if not exists schema_migrations (
        version int primary key, name text not null, checksum text not null, applied_at timestamptz not null
      )`)
    for (const { version, name, text, checksum, online } of step) {
      const statements = online ? [] : statementsOf(text.replace(/\bconcurrently\b/g, ''))
      for (const statement of statements) await tx.query(new Sql([statement], []))
      await tx.query(sql`
        insert into schema_migrations (version, name, checksum, applied_at)
        values (${version}, ${name}, ${checksum}, ${clock.now()})`)
    }
    await tx.query(new Sql([GRANTS], []))
  })
}

/** Outside of a transaction, without a lock on the table. Rebuilds an index that an earlier attempt left invalid. */
async function runOnline(db: Db, migration: string, statement: string): Promise<void> {
  const [, index] = /create (?:unique )?index concurrently if not exists (\w+)/.exec(statement) ?? []
  for (let tries = 1; ; tries++) {
    try {
      if (index !== undefined) await dropUnfinished(db, index)
      await db.oneStatement((tx) => tx.query(new Sql([statement], [])))
      return
    } catch (error) {
      if ((error as { code?: string }).code !== 'SERVICE_UNAVAILABLE') throw error
      if (tries === MAX_TRIES) throw await blocked(db, migration, error as Error)
    }
  }
}

/** An index build waits for every transaction that is older. */
async function blocked(db: Db, migration: string, cause: Error): Promise<Error> {
  const oldest = await db.query<{ text: string }>(sql`
    select format('process %s of %s, since %s', pid, usename, to_char(xact_start at time zone 'UTC', 'HH24:MI:SS "UTC"')) as text
    from pg_stat_activity where datname = current_database() and coalesce(backend_xmin, backend_xid) is not null and pid <> pg_backend_pid()
    order by xact_start limit 3`)
  const who = oldest.map(({ text }) => text).join('; ') || 'none that this role may see'
  return new Error(
    `Migration ${migration} waits for older transactions and gave up after ${MAX_TRIES} tries; those before it are applied. ` +
      `Open transactions: ${who}. Wait for them or end them, then run vezne migrate again.`,
    { cause },
  )
}

async function dropUnfinished(db: Db, index: string): Promise<void> {
  const unfinished = await db.query(sql`
    select 1 from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`)
  if (unfinished.length === 0) return
  await db.oneStatement((tx) => tx.query(new Sql([`drop index concurrently ${index}`], [])))
}

/**
 * Migrations of this code that the database lacks. None if it is newer: during an upgrade, processes of the previous
 * version keep running.
 */
export async function missingMigrations(db: Queryable): Promise<string[]> {
  return compare(await readMigrations(), await applied(db)).map(({ name }) => name)
}

/** Migrations that the database has, oldest first, and those of this code that it lacks. */
export async function listMigrations(
  db: Queryable,
): Promise<{ applied: { name: string; at: Date }[]; missing: string[] }> {
  const missing = await missingMigrations(db)
  const done = await db.query<{ name: string; at: Date }>(sql`
    select name, applied_at as at from schema_migrations order by version`)
  return { applied: done, missing }
}

/** Roles of deploy/roles.sql that a migration by this role gives their rights: only the owner of the tables does. */
export async function grantedRoles(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select rolname::text as name from pg_roles
    where rolname in ('vezne_app', 'vezne_read')
      and pg_has_role((select relowner from pg_class where oid = to_regclass('schema_migrations')), 'usage')
    order by 1`)
  return rows.map(({ name }) => name)
}

/** older: migrations of this code are missing. newer: all are there, and some that this code does not know. */
export type SchemaState = 'current' | 'older' | 'newer'

export async function schemaState(db: Queryable): Promise<SchemaState> {
  if ((await missingMigrations(db)).length > 0) return 'older'
  return (await applied(db)).length > (await readMigrations()).length ? 'newer' : 'current'
}

/**
 * The smallest real write: a standby, a read-only server and one that cannot commit refuse it with different errors.
 */
export async function tryWrite(db: Db): Promise<void> {
  await db.oneStatement((tx) => tx.query(sql`update schema_migrations set applied_at = applied_at where version = 1`))
}

/** No migration was ever applied. */
export async function isNewDatabase(db: Queryable): Promise<boolean> {
  const [table] = await db.query<{ found: boolean }>(sql`select to_regclass('schema_migrations') is not null as found`)
  return !table?.found
}

async function applied(db: Queryable): Promise<Applied[]> {
  if (await isNewDatabase(db)) return []
  return db.query<Applied>(sql`select version, name, checksum from schema_migrations order by version`)
}

/** Databases of before 1.0 cannot be upgraded. */
function mustHaveBaseline([baseline]: Migration[], [first]: Applied[]): void {
  if (first === undefined || first.name === baseline?.name) return
  throw new SettingsError([
    'The database is of a version before 1.0, which cannot be upgraded: start with an empty one (another DATABASE_URL, or for a sandbox ' +
      'another VEZNE_DATA folder), and keep the old one for as long as you need its records.',
  ])
}

function compare(migrations: Migration[], applied: Applied[]): Migration[] {
  mustHaveBaseline(migrations, applied)
  for (const done of applied) {
    const file = migrations.find(({ version }) => version === done.version)
    if (file && file.checksum !== done.checksum) {
      throw new Error(
        `migrations/${file.name} was edited after it had been applied here. Restore it and add a new file instead.`,
      )
    }
  }
  return migrations.slice(applied.length)
}

async function readMigrations(folder: string = FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name, index) => {
      const version = Number(name.slice(0, 4))
      if (version !== index + 1)
        throw new Error(`migrations/${name}: expected number ${index + 1}; numbers have no gaps.`)
      const text = await readFile(join(folder, name), 'utf8')
      const checksum = createHash('sha256').update(text).digest('hex')
      return { version, name, text, checksum, online: text.startsWith('-- online:') }
    }),
  )
}

/** A statement ends with a semicolon at the end of a line, outside of a $$ function body $$. */
function statementsOf(text: string): string[] {
  return text
    .split(/(\$\$[\s\S]*?\$\$)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/;[ \t]*$/gm, ';\0')))
    .join('')
    .split('\0')
    .map((statement) => statement.trim())
    .filter((statement) => statement.replace(/^--.*$/gm, '').trim() !== '')
}

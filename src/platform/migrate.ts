import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from './clock.ts'
import type { Db, Queryable, Tx } from './db.ts'
import { sql } from './sql.ts'
import { Sql } from 'sql-template-tag'

type Migration = { version: number; name: string; text: string; checksum: string }
type Applied = { version: number; name: string; checksum: string }

const FOLDER = join(import.meta.dirname, '../../migrations')
const GRANTS = join(import.meta.dirname, '../../deploy/grants.sql')
// Any constant that nothing else in the database locks on; the word "vezne" in ASCII.
const ADVISORY_LOCK = 0x76657a6e
/** A large table may be rewritten, or another process may be at it. */
const STATEMENT_MS = 3_600_000
/** While a migration waits for a table, everyone behind it waits too. */
const TABLE_LOCK = '3s'

/**
 * Applies what is missing, all in one transaction: a database is wholly at the new version or wholly at the old. Then grants the
 * application's roles, where they exist, their rights on every table.
 */
export async function migrate({ db, clock }: { db: Db; clock: Clock }): Promise<string[]> {
  const migrations = await readMigrations()
  const grants = await readFile(GRANTS, 'utf8')
  return db.within(STATEMENT_MS).transaction(async (tx) => {
    // Another process may be migrating, which can take long; locks on tables are not waited for as long.
    await tx.query(sql`select set_config('lock_timeout', '0', true)`)
    await tx.query(sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`)
    await tx.query(sql`select set_config('lock_timeout', ${TABLE_LOCK}, true)`)
    await tx.query(sql`
      create table if not exists schema_migrations (
        version int primary key, name text not null, checksum text not null, applied_at timestamptz not null
      )`)
    const done = await applied(tx)
    const newer = done.find(({ version }) => version > migrations.length)
    if (newer)
      throw new Error(
        `The database has migration ${newer.name}, which this version of Vezne does not know. Run a newer one.`,
      )
    const missing = compare(migrations, done)
    for (const migration of missing) await apply(tx, migration, clock)
    await tx.query(new Sql([grants], []))
    return missing.map(({ name }) => name)
  })
}

/**
 * What this code needs and the database lacks. A newer database lacks nothing: during an upgrade the processes of the version
 * before go on.
 */
export async function missingMigrations(db: Queryable): Promise<string[]> {
  const [table] = await db.query<{ found: boolean }>(sql`select to_regclass('schema_migrations') is not null as found`)
  return compare(await readMigrations(), table?.found ? await applied(db) : []).map(({ name }) => name)
}

/** older: migrations of this code are missing. newer: all are there, and some that this code does not know. */
export type SchemaState = 'current' | 'older' | 'newer'

export async function schemaState(db: Queryable): Promise<SchemaState> {
  if ((await missingMigrations(db)).length > 0) return 'older'
  return (await applied(db)).length > (await readMigrations()).length ? 'newer' : 'current'
}

/** The smallest write that is one: a standby, a read-only server and one that cannot commit refuse it, each with its own error. */
export async function tryWrite(db: Db): Promise<void> {
  await db.oneStatement((tx) => tx.query(sql`update schema_migrations set applied_at = applied_at where version = 1`))
}

function applied(db: Queryable): Promise<Applied[]> {
  return db.query<Applied>(sql`select version, name, checksum from schema_migrations order by version`)
}

async function apply(tx: Tx, { version, name, text, checksum }: Migration, clock: Clock): Promise<void> {
  for (const statement of statementsOf(text)) await tx.query(new Sql([statement], []))
  await tx.query(sql`
    insert into schema_migrations (version, name, checksum, applied_at)
    values (${version}, ${name}, ${checksum}, ${clock.now()})`)
}

function compare(migrations: Migration[], applied: Applied[]): Migration[] {
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

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name, index) => {
      const version = Number(name.slice(0, 4))
      if (version !== index + 1)
        throw new Error(`migrations/${name}: expected number ${index + 1}; numbers have no gaps.`)
      const text = await readFile(join(FOLDER, name), 'utf8')
      return { version, name, text, checksum: createHash('sha256').update(text).digest('hex') }
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

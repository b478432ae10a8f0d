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
// Any constant that nothing else in the database locks on; the word "vezne" in ASCII.
const ADVISORY_LOCK = 0x76657a6e
/** A large table may be rewritten, or another process may be at it. */
const STATEMENT_MS = 3_600_000

/** Applies what is missing, all in one transaction: a database is wholly at the new version or wholly at the old. */
export async function migrate({ db, clock }: { db: Db; clock: Clock }): Promise<string[]> {
  const migrations = await readMigrations()
  return db.within(STATEMENT_MS).transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`)
    await tx.query(sql`
      create table if not exists schema_migrations (
        version int primary key, name text not null, checksum text not null, applied_at timestamptz not null
      )`)
    const missing = compare(migrations, await applied(tx))
    for (const migration of missing) await apply(tx, migration, clock)
    return missing.map(({ name }) => name)
  })
}

/** older: migrations of this code are missing. newer: all are there, and some that this code does not know. */
export type SchemaState = 'current' | 'older' | 'newer'

export async function schemaState(db: Queryable): Promise<SchemaState> {
  const [table] = await db.query<{ found: boolean }>(sql`select to_regclass('schema_migrations') is not null as found`)
  if (!table?.found) return 'older'
  const [migrations, done] = [await readMigrations(), await applied(db)]
  const known = done.filter(({ version }) => version <= migrations.length)
  if (compare(migrations, known).length > 0) return 'older'
  return known.length < done.length ? 'newer' : 'current'
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
    if (!file)
      throw new Error(
        `The database has migration ${done.name}, which this version of Vezne does not know. Run a newer one.`,
      )
    if (file.checksum !== done.checksum) {
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

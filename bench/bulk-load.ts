import pg from 'pg'

type Restore = () => Promise<void>

/**
 * Removes what costs time for each row: indexes, keys and triggers. The returned function puts all back, and with it checks
 * the keys of every row.
 */
export async function loadInBulk(url: string, db: pg.Client, say: (what: string) => void): Promise<Restore> {
  const indexes = await dropAllIndexes(db)
  const foreignKeys = await dropKeys(db, 'f')
  const keys = await dropKeys(db, 'p', 'u')
  const triggers = await disableTriggers(db)
  return async () => {
    say('keys')
    await runAll(url, keys)
    say('indexes')
    await runAll(url, indexes)
    say('foreign keys')
    for (const statement of foreignKeys) await db.query(statement)
    await triggers()
  }
}

/** On two connections, each statement as soon as one is free. */
async function runAll(url: string, statements: string[]): Promise<void> {
  const left = statements.values()
  await Promise.all(
    [1, 2].map(async () => {
      const db = new pg.Client({ connectionString: url })
      await db.connect()
      await db.query(`set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 0`)
      for (const statement of left) await db.query(statement)
      await db.end()
    }),
  )
}

/** Rebuilding indexes once at the end takes a third of the time. Returns the function that rebuilds them. */
export async function dropIndexes(db: pg.Client): Promise<Restore> {
  const statements = await dropAllIndexes(db)
  return async () => {
    for (const statement of statements) await db.query(statement)
  }
}

/** Returns the statements that build them. */
async function dropAllIndexes(db: pg.Client): Promise<string[]> {
  const { rows } = await db.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid in (select relid from pg_stat_user_tables)
       and not exists (select from pg_constraint where conindid = indexrelid)`,
  )
  for (const { name } of rows) await db.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/** `kinds`: f foreign keys, p primary keys, u unique constraints. */
async function dropKeys(db: pg.Client, ...kinds: ('f' | 'p' | 'u')[]): Promise<string[]> {
  const { rows } = await db.query<{ owner: string; name: string; definition: string }>(
    `select conrelid::regclass::text as owner, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = any($1) and connamespace = 'public'::regnamespace`,
    [kinds],
  )
  for (const { owner, name } of rows) await db.query(`alter table ${owner} drop constraint ${name}`)
  return rows.map(({ owner, name, definition }) => `alter table ${owner} add constraint ${name} ${definition}`)
}

async function disableTriggers(db: pg.Client): Promise<Restore> {
  const { rows } = await db.query<{ owner: string }>(
    `select distinct tgrelid::regclass::text as owner from pg_trigger where not tgisinternal`,
  )
  for (const { owner } of rows) await db.query(`alter table ${owner} disable trigger user`)
  return async () => {
    for (const { owner } of rows) await db.query(`alter table ${owner} enable trigger user`)
  }
}

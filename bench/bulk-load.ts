import type pg from 'pg'

type Restore = () => Promise<void>

/**
 * Removes what costs time for each row: indexes, foreign keys and triggers. The returned function puts all back, and with
 * it checks the foreign keys of every row.
 */
export async function loadInBulk(db: pg.Client, say: (what: string) => void): Promise<Restore> {
  const indexes = await dropIndexes(db)
  const keys = await dropForeignKeys(db)
  const triggers = await disableTriggers(db)
  return async () => {
    say('indexes')
    await indexes()
    say('foreign keys')
    await keys()
    await triggers()
  }
}

/** Rebuilding indexes once at the end takes a third of the time. Returns the function that rebuilds them. */
export async function dropIndexes(db: pg.Client): Promise<Restore> {
  const { rows } = await db.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid in (select relid from pg_stat_user_tables)
       and not exists (select from pg_constraint where conindid = indexrelid)`,
  )
  for (const { name } of rows) await db.query(`drop index ${name}`)
  return async () => {
    for (const { definition } of rows) await db.query(definition)
  }
}

async function dropForeignKeys(db: pg.Client): Promise<Restore> {
  const { rows } = await db.query<{ owner: string; name: string; definition: string }>(
    `select conrelid::regclass::text as owner, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f'`,
  )
  for (const { owner, name } of rows) await db.query(`alter table ${owner} drop constraint ${name}`)
  return async () => {
    for (const { owner, name, definition } of rows)
      await db.query(`alter table ${owner} add constraint ${name} ${definition}`)
  }
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

import { join } from 'node:path'
import pg from 'pg'

export const SCHEMA_FILE = join(import.meta.dirname, '../../packages/server/schema.sql')

const HEADER =
  '-- The whole schema, for reading. Written by `npm run schema` from the migrations; a test fails when it is stale.\n'

// The embedded PostgreSQL has no pg_dump, so the catalogue is queried directly.
const TABLES = `
  select c.oid::int as oid, c.relname as name, array_to_string(c.reloptions, ', ') as options
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`

const COLUMNS = `
  select a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attcollation <> t.typcollation then ' collate "' || l.collname || '"' else '' end
      || case when a.attnotnull then ' not null' else '' end
      || case a.attidentity when 'a' then ' generated always as identity' else '' end
      || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
  from pg_attribute a
  join pg_type t on t.oid = a.atttypid
  left join pg_collation l on l.oid = a.attcollation
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum`

const CONSTRAINTS = `
  select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) as line
  from pg_constraint where conrelid = $1 and contype <> 'n' order by contype = 'p' desc, conname`

const INDEXES = `
  select pg_get_indexdef(indexrelid) || ';' as line from pg_index i
  where i.indrelid = $1 and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))
  order by 1`

const TRIGGERS = `
  select pg_get_triggerdef(oid) || ';' as line from pg_trigger where tgrelid = $1 and not tgisinternal order by 1`

const VIEWS = `
  select 'create view ' || relname || e' as\\n' || pg_get_viewdef(oid, true) as line
  from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v' order by relname`

const FUNCTIONS = `
  select rtrim(pg_get_functiondef(oid), e'\\n') || ';' as line
  from pg_proc where pronamespace = 'public'::regnamespace order by proname, pg_get_function_identity_arguments(oid)`

/** Every table with its columns, constraints, indexes and triggers, in alphabetical order, then every view. */
export async function describeSchema(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const lines = async (query: string, values: number[] = []) =>
    (await client.query<{ line: string }>(query, values)).rows.map(({ line }) => line)
  try {
    const parts = [HEADER, ...(await lines(FUNCTIONS))]
    for (const { oid, name, options } of (
      await client.query<{ oid: number; name: string; options: string | null }>(TABLES)
    ).rows) {
      const inside = [...(await lines(COLUMNS, [oid])), ...(await lines(CONSTRAINTS, [oid]))].map((line) => `  ${line}`)
      const table = `create table ${name} (\n${inside.join(',\n')}\n)${options ? ` with (${options})` : ''};`
      parts.push([table, ...(await lines(INDEXES, [oid])), ...(await lines(TRIGGERS, [oid]))].join('\n'))
    }
    parts.push(...(await lines(VIEWS)))
    return `${parts.join('\n\n')}\n`
  } finally {
    await client.end()
  }
}

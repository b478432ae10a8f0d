import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { raw } from 'sql-template-tag'
import type { Queryable } from './db.ts'
import { sql } from './sql.ts'

export const GRANTS = readFileSync(join(import.meta.dirname, '../../../../../deploy/grants.sql'), 'utf8')
const [, WANTED = ''] = /-- rights\n(.*)-- \/rights/s.exec(GRANTS) ?? []

/** The rights that grants.sql gives and that the role of this connection lacks, such as `insert` of `deposits`. */
export function missingRights(db: Queryable): Promise<{ table: string; right: string }[]> {
  return db.query(sql`
    select wanted.relname::text as table, one.right
    from (${raw(WANTED)}) as wanted, regexp_split_to_table(wanted.app, ', ') as one("right")
    where wanted.relowner = (select relowner from pg_class where oid = to_regclass('schema_migrations')) and not case
      when one.right like '%(%' then has_column_privilege(wanted.name, substring(one.right from '\\((.*)\\)'), split_part(one.right, ' ', 1))
      else has_table_privilege(wanted.name, one.right)
    end
    order by 1, 2`)
}

export function describeRights(missing: { table: string; right: string }[]): string {
  return missing.map(({ table, right }) => `${right} on ${table}`).join(', ')
}

export type ExcessRight = 'is_superuser' | 'owns_tables' | 'makes_tables' | 'empties_tables' | 'turns_off_triggers'

/** What the role of this connection may do beyond reading and writing rows: each could get around the append-only triggers. */
export async function excessRights(db: Queryable): Promise<{ role: string; excess: ExcessRight[] }> {
  const [row] = await db.query<{ role: string; excess: ExcessRight[] }>(sql`
    select current_user::text as role, array_remove(array[
      case when (select rolsuper from pg_roles where rolname = current_user) then 'is_superuser' end,
      case when exists (
        select from pg_class where relnamespace = current_schema()::regnamespace and pg_has_role(relowner, 'usage')
      ) then 'owns_tables' end,
      case when has_schema_privilege(current_schema(), 'create') then 'makes_tables' end,
      case when exists (
        select from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
          and has_table_privilege(oid, 'truncate, trigger')
      ) then 'empties_tables' end,
      case when has_parameter_privilege('session_replication_role', 'set') then 'turns_off_triggers' end
    ], null) as excess`)
  return row ?? { role: '', excess: [] }
}

/** The role for reports may hold advisory locks, write large objects, or write messages to the log. Null: there is no such role. */
export async function readerMayMore(db: Queryable): Promise<boolean | null> {
  const [row] = await db.query<{ more: boolean }>(sql`
    select exists (
      select from pg_proc where pronamespace = 'pg_catalog'::regnamespace
        and proname ~ '^(pg_(try_)?advisory_.*|lo_.*|loread|lowrite|pg_logical_emit_message)$'
        and has_function_privilege(reader, oid, 'execute')
    ) as more
    from (select to_regrole('vezne_read')::oid as reader) role where reader is not null`)
  return row?.more ?? null
}

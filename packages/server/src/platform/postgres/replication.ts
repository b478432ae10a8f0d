import type { Queryable } from './db.ts'
import type { Sql } from './sql.ts'
import { sql } from './sql.ts'

/** History that the server writes now, as eight hex digits: every promotion and every recovery to a moment begins a new one. */
export const timelineSql = sql`left(pg_walfile_name(pg_current_wal_lsn()), 8)`

/** Commits of this session wait for a standby. */
const isSynchronousSql = sql`(current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') not in ('off', 'local'))`

/** A standby has this name unless its application_name says otherwise. PostgreSQL compares names in any case. */
export const serverNameSql = sql`lower(current_setting('cluster_name'))`

/**
 * Standbys of which each must confirm every commit: those of `synchronous_standby_names`, if it requires as many as it lists. A name that
 * the primary has too tells no servers apart.
 */
export const requiredStandbysSql = (names: Sql) => sql`(
  select case when count(distinct name) = max(coalesce(found[1], '1')::numeric) and bool_and(name not in ('*', ${serverNameSql}))
    then array_agg(name order by name) else '{}' end
  from regexp_match(${names}, '^\\s*(?:(?:(?:first|any)\\s+)?(\\d+)\\s*\\(([^()]+)\\)|([^()]+))\\s*$', 'i') as found,
    regexp_split_to_table(coalesce(found[2], found[3]), ',') as part,
    lower(btrim(part, E' \\t\\n"')) as name)`

/** Standbys of which each has everything, once a transaction that reads this has committed. */
export const confirmingStandbysSql = sql`(case when ${isSynchronousSql}
  then ${requiredStandbysSql(sql`current_setting('synchronous_standby_names')`)} else '{}' end)`

export type ReplicationMode = (typeof REPLICATION_MODES)[number]
export const REPLICATION_MODES = ['none', 'asynchronous', 'synchronous'] as const

/** Every role sees that a standby is connected, though not which. */
export async function replicationMode(db: Queryable): Promise<ReplicationMode> {
  const [row] = await db.query<{ mode: ReplicationMode }>(sql`
    select case when ${isSynchronousSql} then 'synchronous'
      when exists (select from pg_stat_replication) then 'asynchronous' else 'none' end as mode`)
  return row?.mode ?? 'none'
}

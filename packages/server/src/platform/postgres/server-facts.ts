import type { Queryable } from './db.ts'
import { sql } from './sql.ts'

export type ServerFacts = {
  versionNumber: number
  version: string
  fsync: string
  synchronousCommit: string
  archiveMode: string
  /** The segment that could not be archived since the last one that was, or null. */
  archivingFailed: string | null
  /** Of the role, the database or the server; our sessions set it to 0. */
  statementTimeoutMs: string
  /** Size of this database, formatted. */
  size: string
}

/** What a PostgreSQL server reports about itself. */
export async function serverFacts(db: Queryable): Promise<ServerFacts> {
  const [facts] = await db.query<ServerFacts>(sql`
    select current_setting('server_version_num')::int as "versionNumber", current_setting('server_version') as version,
      current_setting('fsync') as fsync, current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('archive_mode') as "archiveMode",
      (select last_failed_wal from pg_stat_archiver
        where last_failed_time > coalesce(last_archived_time, '-infinity')) as "archivingFailed",
      (select reset_val from pg_settings where name = 'statement_timeout') as "statementTimeoutMs", pg_size_pretty(pg_database_size(current_database())) as size`)
  if (!facts) throw new Error('The database returned no server settings.')
  return facts
}

/** Null if the server does not archive its log. `archivedAt` is by its own clock. */
export async function archiverState(db: Queryable): Promise<{ fails: boolean; archivedAt: Date | null } | null> {
  const [state] = await db.query<{ fails: boolean; archivedAt: Date | null }>(sql`
    select last_archived_time as "archivedAt",
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as fails
    from pg_stat_archiver where current_setting('archive_mode') <> 'off'`)
  return state ?? null
}

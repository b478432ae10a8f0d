import type { Queryable } from '../../packages/server/src/platform/postgres/db.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { until } from './until.ts'

/** How many connections to this database wait for a lock. Not pg_locks: it also has those of other files' databases. */
export async function lockWaits(db: Queryable): Promise<number> {
  const rows = await db.query(sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return rows.length
}

/** Not on the connection of an open transaction, which sees pg_stat_activity as it was at first. */
export async function untilOneWaits(db: Queryable): Promise<void> {
  await until(
    () => lockWaits(db),
    (count) => count > 0,
  )
}

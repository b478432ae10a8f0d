import { cached } from '../concurrency/cached.ts'
import { nothingSaved, SilentStandby } from './database-faults.ts'
import type { Sql } from './sql.ts'
import { sql } from './sql.ts'

/**
 * Whether commits of this role have waited more than a second for the synchronous standby. Measured against the start of this very
 * query, so that only one clock is read.
 */
export function openStandbyCheck(query: <Row>(statement: Sql) => Promise<Row[]>): () => Promise<boolean> {
  const check = cached(async (_: 'once a second') => {
    const [row] = await query<{ waits: boolean }>(sql`
      select exists (
        select from pg_stat_activity other
        where other.wait_event = 'SyncRep' and other.datname = me.datname
          and me.query_start - other.state_change > interval '1 second'
      ) as waits
      from pg_stat_activity me where me.pid = pg_backend_pid()`)
    return row?.waits === true
  })
  return () => check('once a second')
}

const LOCKED = '55P03'

/** A lock that was not free in time may be held by a commit that waits for the standby. */
export async function namingStandby(waitsForStandby: () => Promise<boolean>, error: unknown): Promise<unknown> {
  const { cause } = error as { cause?: { code?: string } }
  if (cause?.code !== LOCKED || !(await waitsForStandby().catch(() => false))) return error
  return nothingSaved(new SilentStandby(cause))
}

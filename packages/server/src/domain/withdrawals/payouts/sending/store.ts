import type { Queryable, Tx } from '../../../../platform/postgres/db.ts'
import { confirmingStandbysSql, serverNameSql, timelineSql } from '../../../../platform/postgres/replication.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import { noRestoreOpenSql, noRestoreSinceSql } from '../../restores/store.ts'

/** By id of a database: the highest number that this process has seen. */
type Seen = Readonly<Record<string, number>>
export type Handover = { id: string; number: number }

/** Of `sending s`: what was seen here; null if this process remembers nothing of this database. */
const seenSql = (seen: Seen) => sql`(${JSON.stringify(seen)}::jsonb ->> s.id::text)::bigint`
/**
 * Of `sending s` and `now`: whether this copy of the database has all that was seen. On a new timeline only a process that remembers what
 * was sent may say so, and only of a server that had confirmed everything: an old copy names itself, too.
 */
const isNewestSql = (seen: Seen) => sql`
  (case when s.timeline = now.timeline then s.number >= coalesce(${seenSql(seen)}, 0)
    else coalesce(s.number >= ${seenSql(seen)} and ${serverNameSql} = any(s.confirmed_by), false) end)`
const nowSql = sql`(select ${timelineSql} as timeline, ${confirmingStandbysSql} as confirmed_by) as now`

/** Undefined: the database is older than what was seen, or a restore is open. Locked first, so that a restore that was just marked is seen. */
export async function countHandover(tx: Tx, seen: Seen, at: Date): Promise<Handover | undefined> {
  const [, [row]] = await Promise.all([
    tx.query(sql`select from sending for update`),
    tx.query<Handover>(sql`
    update sending s set number = s.number + 1, timeline = now.timeline, confirmed_by = now.confirmed_by, at = ${at}
    from ${nowSql} where ${isNewestSql(seen)} and ${noRestoreOpenSql}
    returning s.id::text, s.number::float8`),
  ])
  return row
}

/** `at`: of the last handover. `stale`: the row names another timeline or other standbys than the server has now. */
export type SendingState = Handover & { at: Date; isNewest: boolean; stale: boolean; timeline: string; current: string }

export async function selectSending(db: Queryable, seen: Seen): Promise<SendingState> {
  const [row] = await db.query<SendingState>(sql`
    select s.id::text, s.number::float8, s.at, ${isNewestSql(seen)} as "isNewest", s.timeline, now.timeline as current,
      (s.timeline, s.confirmed_by) is distinct from (now.timeline, now.confirmed_by) as stale
    from sending s, ${nowSql}`)
  if (!row) throw new Error('The table sending must have one row.')
  return row
}

/** What was seen and the current timeline are taken over: from here on this copy counts. */
export async function adoptTimeline(tx: Tx, seen: Seen): Promise<void> {
  await tx.query(sql`
    update sending s set number = greatest(s.number, coalesce(${seenSql(seen)}, 0)), timeline = now.timeline, confirmed_by = now.confirmed_by
    from ${nowSql}`)
}

/** This deployment existed at that time, and no restore was marked since. */
export async function isAfterStart(tx: Tx, at: Date): Promise<boolean> {
  const rows = await tx.query(sql`select from sending where since <= ${at} and ${noRestoreSinceSql(sql`${at}`)}`)
  return rows.length > 0
}

import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'

export type Cursor = {
  source: string
  cursor: string
  /** Business time at which the last read that reached the end began; null before the first. */
  readAt: Date | null
}

/** When each source was last read to the end. */
export function lastReads(db: Queryable, sources: string[]): Promise<Pick<Cursor, 'source' | 'readAt'>[]> {
  return db.query<Cursor>(sql`select source, c.read_at as "readAt" from ${cursorsOf(sources)} order by source`)
}

export async function readCursor(db: Queryable, source: string): Promise<Cursor | undefined> {
  const [row] = await db.query<Cursor>(sql`
    select source, cursor, read_at as "readAt" from statement_cursors where source = ${source}`)
  return row
}

/** `readAt` is null if there is more to read. */
export async function saveCursor(tx: Tx, { source, cursor, readAt }: Cursor): Promise<void> {
  await tx.query(sql`
    insert into statement_cursors as c (source, cursor, read_at) values (${source}, ${cursor}, ${readAt})
    on conflict (source) do update set cursor = excluded.cursor, read_at = coalesce(excluded.read_at, c.read_at)`)
}

/** Nothing new was read. Applies only to the cursor that was read from: another process may have advanced it. */
export async function saveReadAt(tx: Tx, { source, cursor, readAt }: Cursor): Promise<void> {
  await tx.query(sql`
    update statement_cursors set read_at = ${readAt} where source = ${source} and cursor = ${cursor}`)
}

/** Of a source that is read from files and has no position of its own; a source with another cursor is left alone. */
const FILES = 'files'

/** The time until which the files of this source are complete; null if they are not. It may go back when an import is undone. */
export async function saveReadFiles(tx: Tx, source: string, readAt: Date | null): Promise<void> {
  await tx.query(sql`
    insert into statement_cursors as c (source, cursor, read_at) values (${source}, ${FILES}, ${readAt})
    on conflict (source) do update set read_at = excluded.read_at where c.cursor = ${FILES}`)
}

/** An empty cursor means the beginning. Returns false for a source without a cursor. */
export async function resetCursor(tx: Tx, source: string): Promise<boolean> {
  const rows = await tx.query(sql`
    update statement_cursors set cursor = '', read_at = null where source = ${source} returning source`)
  return rows.length > 0
}

/** As if no source had ever been read to the end. */
export async function clearReadTimes(tx: Tx): Promise<void> {
  await tx.query(sql`update statement_cursors set read_at = null`)
}

/** The earliest of the last complete reads of these sources; of all sources if the list is empty. */
export function readUntil(sources: string[]): Sql {
  return sql`select min(coalesce(c.read_at, to_timestamp(0))) from ${cursorsOf(sources)}`
}

/** One row per source, also for sources without a cursor; all cursors if the list is empty. */
function cursorsOf(sources: string[]): Sql {
  if (sources.length === 0) return sql`statement_cursors c`
  return sql`unnest(${sources}::text[]) as wanted (source) left join statement_cursors c using (source)`
}

import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'

export type Restore = { number: number; restoredTo: Date; markedBy: string; markedAt: Date }

/** A condition for use inside another statement: no restore waits for its check. */
export const noRestoreOpenSql = sql`not exists (select from restores where released_at is null)`

/** The same: no restore was marked at or after this time. What is older may have been sent by the database that was lost. */
export const noRestoreSinceSql = (at: Sql) => sql`not exists (select from restores where marked_at >= ${at})`

/** Updates an open restore to the earlier of both times. */
export async function upsertRestore(
  tx: Tx,
  { restoredTo, markedBy, markedAt }: Omit<Restore, 'number'>,
): Promise<void> {
  await tx.query(sql`
    insert into restores as r (number, restored_to, marked_by, marked_at)
    select coalesce(max(number), 0) + 1, ${restoredTo}, ${markedBy}, ${markedAt} from restores
    on conflict ((released_at is null)) where released_at is null do update set
      restored_to = least(r.restored_to, excluded.restored_to), marked_by = excluded.marked_by, marked_at = excluded.marked_at`)
}

export async function findOpenRestore(db: Queryable): Promise<Restore | undefined> {
  const [row] = await db.query<Restore>(sql`
    select number, restored_to as "restoredTo", marked_by as "markedBy", marked_at as "markedAt"
    from restores where released_at is null`)
  return row
}

/** Returns false if it was released before. */
export async function updateReleased(
  tx: Tx,
  number: number,
  { by, note, at }: { by: string; note: string | null; at: Date },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update restores set released_by = ${by}, released_at = ${at}, note = ${note}
    where number = ${number} and released_at is null returning number`)
  return rows.length > 0
}

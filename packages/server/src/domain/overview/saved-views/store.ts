import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/** `query`: what follows the question mark of the list's address. */
export type SavedView = { id: string; name: string; query: string }

/** As the constraint `saved_views_known_number` says. */
export const MAX_VIEWS = 20

export function selectViews(db: Queryable, loginId: string): Promise<SavedView[]> {
  return db.query<SavedView>(sql`
    select v.id, v.name, v.query from saved_views v where v.login_id = ${loginId} order by v.number`)
}

/** The view with this name shows something else from now on. False if there is none. */
export async function updateView(tx: Tx, loginId: string, { name, query }: Omit<SavedView, 'id'>): Promise<boolean> {
  const rows = await tx.query(sql`
    update saved_views set query = ${query} where login_id = ${loginId} and name = ${name} returning id`)
  return rows.length > 0
}

/** With the first free number. False if there is none, or if another request was first. */
export async function insertView(tx: Tx, loginId: string, { id, name, query }: SavedView, at: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into saved_views (login_id, id, number, name, query, created_at)
    select ${loginId}, ${id}, free.number, ${name}, ${query}, ${at}::timestamptz
    from generate_series(1, ${MAX_VIEWS}::int) as free (number)
    where not exists (select from saved_views v where v.login_id = ${loginId} and v.number = free.number)
    order by free.number limit 1
    on conflict do nothing returning id`)
  return rows.length > 0
}

export async function removeView(tx: Tx, loginId: string, id: string): Promise<boolean> {
  return (
    (await tx.query(sql`delete from saved_views where login_id = ${loginId} and id = ${id} returning id`)).length > 0
  )
}

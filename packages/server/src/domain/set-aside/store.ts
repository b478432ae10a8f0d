import type { AsideKind } from '../../kernel/refusals/checks.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import type { Sql } from '../../platform/postgres/sql.ts'
import { sql, stateLiteral } from '../../platform/postgres/sql.ts'

export type { AsideKind }
export type Aside = { what: AsideKind; id: string; error: string; failures: number; since: Date; retryAt: Date }

/** For the claim of a worker: its rows that are not set aside. */
export const notAsideSql = (what: AsideKind, id: Sql): Sql =>
  sql`not exists (select from set_aside s where s.what = ${stateLiteral(what)} and s.id = ${id})`

export async function upsertAside(tx: Tx, { what, id, error, since, retryAt }: Omit<Aside, 'failures'>): Promise<void> {
  await tx.query(sql`
    insert into set_aside as s (what, id, error, failures, since, retry_at) values (${what}, ${id}, ${error}, 1, ${since}, ${retryAt})
    on conflict (what, id) do update set error = excluded.error, failures = s.failures + 1, retry_at = excluded.retry_at`)
}

/** Skips rows that another process is trying again now. */
export async function deleteDue(tx: Tx, what: AsideKind, now: Date): Promise<void> {
  await tx.query(sql`
    delete from set_aside where (what, id) in (
      select due.what, due.id from set_aside due where due.what = ${what} and due.retry_at <= ${now} for update skip locked
    )`)
}

export async function deleteAside(tx: Tx, what: AsideKind, id: string): Promise<void> {
  await tx.query(sql`delete from set_aside where what = ${what} and id = ${id}`)
}

export async function isAside(tx: Tx, what: AsideKind, id: string): Promise<boolean> {
  const rows = await tx.query(sql`select from set_aside where what = ${what} and id = ${id}`)
  return rows.length > 0
}

/** The oldest first. */
export function listAside(db: Queryable, limit: number): Promise<Aside[]> {
  return db.query<Aside>(sql`
    select what, id, error, failures, since, retry_at as "retryAt" from set_aside order by since, id limit ${limit}`)
}

export async function countAside(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count from set_aside`)
  return row?.count ?? 0
}

import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Connection } from './connection.ts'

/** Inserts connections that are not known yet. */
export async function insertConnections(
  tx: Tx,
  connections: Pick<Connection, 'name' | 'kind'>[],
  at: Date,
): Promise<void> {
  await tx.query(sql`
    insert into connections (name, kind, created_at)
    select *, ${at}::timestamptz from unnest(
      ${connections.map(({ name }) => name)}::text[],
      ${connections.map(({ kind }) => kind)}::text[]
    )
    on conflict on constraint connections_pkey do nothing`)
}

export function selectConnections(db: Queryable): Promise<Pick<Connection, 'name' | 'kind'>[]> {
  return db.query<Pick<Connection, 'name' | 'kind'>>(sql`select name, kind from connections order by name`)
}

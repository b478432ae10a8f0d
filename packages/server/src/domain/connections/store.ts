import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import type { SealedTable } from '../../platform/postgres/sealed-rows.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Connection, ConnectionKind } from './connection.ts'

/** As stored. `settings` is null for connections of the environment and of a sandbox. */
export type ConnectionRow = {
  name: string
  kind: ConnectionKind
  settings: Record<string, unknown> | null
  sealed: string | null
  disabledAt: Date | null
  createdAt: Date
}

const columns = sql`name, kind, settings, sealed, disabled_at as "disabledAt", created_at as "createdAt"`

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

/** Returns false if the name is taken. */
export async function insertConfigured(tx: Tx, row: Omit<ConnectionRow, 'disabledAt'>): Promise<boolean> {
  const { name, kind, settings, sealed, createdAt } = row
  const rows = await tx.query(sql`
    insert into connections (name, kind, settings, sealed, created_at)
    values (${name}, ${kind}, ${JSON.stringify(settings)}::jsonb, ${sealed}, ${createdAt})
    on conflict on constraint connections_pkey do nothing returning name`)
  return rows.length === 1
}

export function selectConnections(db: Queryable): Promise<ConnectionRow[]> {
  return db.query<ConnectionRow>(sql`select ${columns} from connections order by name`)
}

/** Changes of one connection follow each other. */
export async function lockConnection(tx: Tx, name: string): Promise<ConnectionRow | undefined> {
  const [row] = await tx.query<ConnectionRow>(sql`select ${columns} from connections where name = ${name} for update`)
  return row
}

/** The caller has locked the row. */
export async function updateConfigured(tx: Tx, row: Omit<ConnectionRow, 'kind' | 'createdAt'>): Promise<void> {
  const { name, settings, sealed, disabledAt } = row
  await tx.query(sql`
    update connections set settings = ${settings && JSON.stringify(settings)}::jsonb, sealed = ${sealed}, disabled_at = ${disabledAt}
    where name = ${name}`)
}

export const connectionSecrets: SealedTable = {
  name: 'connections',
  select: (db) =>
    db.query(sql`select array[name] as key, sealed from connections where sealed is not null order by name`),
  async update(tx, changes) {
    await tx.query(sql`
      update connections n set sealed = c.renewed
      from unnest(${changes.map(({ key }) => key[0])}::text[], ${changes.map(({ sealed }) => sealed)}::text[],
        ${changes.map(({ renewed }) => renewed)}::text[]) as c (name, sealed, renewed)
      where n.name = c.name and n.sealed = c.sealed`)
  },
}

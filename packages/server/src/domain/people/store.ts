import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'

export type Operator = { name: string; createdAt: Date; disabledAt: Date | null }

export async function insertOperator(tx: Tx, name: string, at: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into operators (name, created_at) values (${name}, ${at}) on conflict do nothing returning name`)
  return rows.length > 0
}

export function listOperators(db: Queryable): Promise<Operator[]> {
  return db.query<Operator>(sql`
    select name, created_at as "createdAt", disabled_at as "disabledAt" from operators order by name`)
}

export async function updateDisabled(tx: Tx, name: string, at: Date): Promise<void> {
  await tx.query(sql`update operators set disabled_at = ${at} where name = ${name}`)
}

import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/** Position in each merchant's stream; merchants that were never pruned are missing. */
export async function selectPruned(db: Queryable): Promise<Map<string, string>> {
  const rows = await db.query<{ merchantId: string; position: string }>(sql`
    select merchant_id as "merchantId", position::text from event_pruning`)
  return new Map(rows.map(({ merchantId, position }) => [merchantId, position]))
}

export async function upsertPruned(tx: Tx, merchantId: string, position: string): Promise<void> {
  await tx.query(sql`
    insert into event_pruning as p (merchant_id, position) values (${merchantId}, ${position}::bigint)
    on conflict (merchant_id) do update set position = greatest(p.position, excluded.position)`)
}

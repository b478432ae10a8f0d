import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'

export type FreezeRow = { frozen: boolean; decidedBy: string; reason: string; decidedAt: Date }

export async function insertFreeze(tx: Tx, merchantId: string, row: FreezeRow): Promise<void> {
  await tx.query(sql`
    insert into merchant_freezes (merchant_id, number, frozen, decided_by, reason, decided_at)
    select ${merchantId}, count(*) + 1, ${row.frozen}, ${row.decidedBy}, ${row.reason}, ${row.decidedAt}
    from merchant_freezes where merchant_id = ${merchantId}`)
}

export function freezesOf(db: Queryable, merchantId: string): Promise<FreezeRow[]> {
  return db.query<FreezeRow>(sql`
    select frozen, decided_by as "decidedBy", reason, decided_at as "decidedAt" from merchant_freezes
    where merchant_id = ${merchantId} order by number`)
}

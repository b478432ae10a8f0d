import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/** A transaction as it is after the change. */
type Changed = {
  merchantId: string
  id: string
  sequence: number
  status: string
  reason: string | null
  updatedAt: Date
}

const ROW = {
  ...({ merchantId: 'text', id: 'text', sequence: 'int', oldStatus: 'text', status: 'text' } as const),
  ...({ reason: 'text', updatedAt: 'timestamptz' } as const),
}

/** Of deposits and of withdrawals. */
export async function insertHistory(tx: Tx, changes: { before: { status: string }; after: Changed }[]): Promise<void> {
  const rows = changes.map(({ before, after }) => ({ ...after, oldStatus: before.status }))
  await tx.query(sql`
    insert into status_history (merchant_id, transaction_id, sequence, from_status, to_status, reason, changed_at)
    select added.* from ${rowsOf('added', rows, ROW)}`)
}

export type StatusChange = { from: string; to: string; reason: string | null; at: Date }

export function historyOf(
  db: Queryable,
  { merchantId, id }: { merchantId: string; id: string },
): Promise<StatusChange[]> {
  return db.query<StatusChange>(sql`
    select from_status as "from", to_status as "to", reason, changed_at as at from status_history
    where merchant_id = ${merchantId} and transaction_id = ${id} order by sequence`)
}

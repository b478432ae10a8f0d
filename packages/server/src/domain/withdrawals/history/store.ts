import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { StatusChange } from '../../deposits/index.ts'
import type { Withdrawal } from '../withdrawal.ts'

const ROW = {
  ...({ merchantId: 'text', id: 'text', sequence: 'int', oldStatus: 'text', status: 'text' } as const),
  ...({ reason: 'text', updatedAt: 'timestamptz' } as const),
}

export async function insertHistory(tx: Tx, changes: { before: Withdrawal; after: Withdrawal }[]): Promise<void> {
  const rows = changes.map(({ before, after }) => {
    return { ...after, oldStatus: before.status, reason: after.failureReason ?? after.state }
  })
  await tx.query(sql`
    insert into withdrawal_history (merchant_id, withdrawal_id, sequence, from_status, to_status, reason, changed_at)
    select added.* from ${rowsOf('added', rows, ROW)}`)
}

export function withdrawalHistory(db: Queryable, { merchantId, id }: Withdrawal): Promise<StatusChange[]> {
  return db.query<StatusChange>(sql`
    select from_status as "from", to_status as "to", reason, changed_at as at from withdrawal_history
    where merchant_id = ${merchantId} and withdrawal_id = ${id} order by sequence`)
}

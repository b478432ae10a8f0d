import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { StatusChange } from '../../deposits/index.ts'
import type { Withdrawal } from '../withdrawal.ts'

export async function insertHistory(tx: Tx, before: Withdrawal, after: Withdrawal): Promise<void> {
  await tx.query(sql`
    insert into withdrawal_history (merchant_id, withdrawal_id, sequence, from_status, to_status, reason, changed_at)
    values (${after.merchantId}, ${after.id}, ${after.sequence}, ${before.status}, ${after.status},
      ${after.failureReason ?? after.stage}, ${after.updatedAt})`)
}

export function withdrawalHistory(db: Queryable, { merchantId, id }: Withdrawal): Promise<StatusChange[]> {
  return db.query<StatusChange>(sql`
    select from_status as "from", to_status as "to", reason, changed_at as at from withdrawal_history
    where merchant_id = ${merchantId} and withdrawal_id = ${id} order by sequence`)
}

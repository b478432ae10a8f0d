import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Deposit } from '../deposit.ts'

export async function insertHistory(tx: Tx, changes: { before: Deposit; after: Deposit }[]): Promise<void> {
  await tx.query(sql`
    insert into deposit_history (merchant_id, deposit_id, sequence, from_status, to_status, reason, changed_at)
    select * from unnest(
      ${changes.map(({ after }) => after.merchantId)}::text[],
      ${changes.map(({ after }) => after.id)}::text[],
      ${changes.map(({ after }) => after.sequence)}::int[],
      ${changes.map(({ before }) => before.status)}::text[],
      ${changes.map(({ after }) => after.status)}::text[],
      ${changes.map(({ after }) => after.reason)}::text[],
      ${changes.map(({ after }) => after.updatedAt.toISOString())}::timestamptz[]
    )`)
}

export type StatusChange = { from: string; to: string; reason: string | null; at: Date }

export function historyOf(db: Queryable, { merchantId, id }: Deposit): Promise<StatusChange[]> {
  return db.query<StatusChange>(sql`
    select from_status as "from", to_status as "to", reason, changed_at as at from deposit_history
    where merchant_id = ${merchantId} and deposit_id = ${id} order by sequence`)
}

import { ERASED } from '../../../kernel/erased.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Withdrawal } from '../withdrawal.ts'

type Key = Pick<Withdrawal, 'merchantId' | 'id'>

/** Who ended a withdrawal before it was sent, and why. */
export type StopRow = { operator: string; reason: string; stoppedAt: Date }

export async function insertStop(
  tx: Tx,
  { merchantId, id }: Key,
  { operator, reason }: Omit<StopRow, 'stoppedAt'>,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    insert into withdrawal_stops (merchant_id, withdrawal_id, operator, reason, stopped_at)
    values (${merchantId}, ${id}, ${operator}, ${reason}, ${at})`)
}

export async function stopOf(db: Queryable, { merchantId, id }: Key): Promise<StopRow | undefined> {
  const [row] = await db.query<StopRow>(sql`
    select operator, reason, stopped_at as "stoppedAt" from withdrawal_stops
    where merchant_id = ${merchantId} and withdrawal_id = ${id}`)
  return row
}

/** Returns the number of changed rows. */
export async function eraseStop(tx: Tx, { merchantId, id }: Key): Promise<number> {
  const rows = await tx.query(sql`
    update withdrawal_stops set reason = ${ERASED}
    where merchant_id = ${merchantId} and withdrawal_id = ${id} and reason <> ${ERASED} returning 1`)
  return rows.length
}

import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/** One that sent nothing (the balance was below the minimum) has no withdrawal. `requestedBy`: null if scheduled. */
export type Settlement = { day: string; requestedBy: string | null; amount: bigint; withdrawalId: string | null }

type MerchantDay = { merchantId: string; day: string }

/** Those whose scheduled settlement of that day was not made yet. */
export async function notYetSettled<One extends MerchantDay>(db: Queryable, wanted: One[]): Promise<One[]> {
  const rows = await db.query<{ merchantId: string }>(sql`
    select made.merchant_id as "merchantId" from ${rowsOf('w', wanted as MerchantDay[], { merchantId: 'text', day: 'date' })}
    join settlements made on made.merchant_id = w.merchant_id and made.day = w.day and made.requested_by is null`)
  const made = new Set(rows.map(({ merchantId }) => merchantId))
  return wanted.filter(({ merchantId }) => !made.has(merchantId))
}

export function settlementsOn(tx: Tx, merchantId: string, day: string): Promise<Settlement[]> {
  return tx.query<Settlement>(sql`
    select day::text, requested_by as "requestedBy", amount, withdrawal_id as "withdrawalId" from settlements
    where merchant_id = ${merchantId} and day = ${day}::date order by number`)
}

/** Newest first. */
export function lastSettlements(db: Queryable, merchantId: string, limit: number): Promise<Settlement[]> {
  return db.query<Settlement>(sql`
    select day::text, requested_by as "requestedBy", amount, withdrawal_id as "withdrawalId" from settlements
    where merchant_id = ${merchantId} order by day desc, number desc limit ${limit}`)
}

export async function insertSettlement(
  tx: Tx,
  merchantId: string,
  number: number,
  { day, requestedBy, amount, withdrawalId }: Settlement,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    insert into settlements (merchant_id, day, number, requested_by, amount, withdrawal_id, created_at)
    values (${merchantId}, ${day}::date, ${number}, ${requestedBy}, ${amount}, ${withdrawalId}, ${at})`)
}

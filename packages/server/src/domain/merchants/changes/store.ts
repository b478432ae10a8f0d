import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'

export type Setting =
  | 'freeze'
  | 'matching'
  | 'payout_rules'
  | 'max_open_deposits'
  | 'refunds_charged'
  | 'eft_deadline'
  | 'settlement_account'
  | 'settlement_account_proposed'
  | 'settlement_schedule'
  | 'brand'
  | 'return_origins'
  | 'networks'
  | 'keys'
  | 'endpoint'

/** `before` and `after` are JSON values, amounts as text. */
export type MerchantChange = { what: Setting; changedBy: string; before: unknown; after: unknown; changedAt: Date }

/** The caller has locked the merchant, so numbers have no gaps. */
export async function insertChange(tx: Tx, merchantId: string, change: MerchantChange): Promise<void> {
  const { what, changedBy, before, after, changedAt } = change
  await tx.query(sql`
    insert into merchant_changes (merchant_id, number, what, changed_by, value_before, value_after, changed_at)
    select ${merchantId}, count(*) + 1, ${what}, ${changedBy}, ${JSON.stringify(before)}::json, ${JSON.stringify(after)}::json,
      ${changedAt}
    from merchant_changes where merchant_id = ${merchantId}`)
}

/** Oldest first. */
export function changesOf(db: Queryable, merchantId: string): Promise<MerchantChange[]> {
  return db.query<MerchantChange>(sql`
    select what, changed_by as "changedBy", value_before as before, value_after as after, changed_at as "changedAt"
    from merchant_changes where merchant_id = ${merchantId} order by number`)
}

export type FreezeRow = { frozen: boolean; decidedBy: string; reason: string; decidedAt: Date }

/** Freezes and their ends, oldest first. */
export function freezesOf(db: Queryable, merchantId: string): Promise<FreezeRow[]> {
  return db.query<FreezeRow>(sql`
    select (value_after ->> 'frozen')::boolean as frozen, changed_by as "decidedBy", value_after ->> 'reason' as reason,
      changed_at as "decidedAt"
    from merchant_changes where merchant_id = ${merchantId} and what = 'freeze' order by number`)
}

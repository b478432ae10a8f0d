import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'

export type ErasureKey = { merchantId: string; transactionId: string; number: number }

export type Erasure = {
  merchantId: string
  transactionId: string
  kind: 'deposit' | 'withdrawal'
  /** What the request named: a customer, or this transaction only. */
  askedFor: 'customer' | 'transaction'
  operator: string
  reason: string
  despiteRetention: boolean
}

/** The row that the triggers of the erased tables require. The caller has locked the transaction. */
export async function insertErasure(tx: Tx, erasure: Erasure, at: Date): Promise<ErasureKey> {
  const { merchantId, transactionId, kind, askedFor, operator, reason, despiteRetention } = erasure
  const [row] = await tx.query<{ number: number }>(sql`
    insert into erasures (merchant_id, transaction_id, number, kind, asked_for, operator, reason, despite_retention, erased_at)
    select ${merchantId}, ${transactionId}, count(*) + 1, ${kind}, ${askedFor}, ${operator}, ${reason}, ${despiteRetention}, ${at}
    from erasures where merchant_id = ${merchantId} and transaction_id = ${transactionId}
    returning number`)
  return { merchantId, transactionId, number: row?.number ?? 1 }
}

export async function insertErasedRows(tx: Tx, key: ErasureKey, rows: Record<string, number>): Promise<void> {
  await tx.query(sql`
    insert into erased_rows (merchant_id, transaction_id, number, table_name, count)
    select ${key.merchantId}, ${key.transactionId}, ${key.number}, * from unnest(
      ${Object.keys(rows)}::text[],
      ${Object.values(rows)}::int[]
    )`)
}

export type RecordedErasure = Erasure & { erasedAt: Date; rows: Record<string, number> }

/** Newest first. */
export function listErasures(db: Queryable, limit: number): Promise<RecordedErasure[]> {
  return db.query<RecordedErasure>(sql`
    select e.merchant_id as "merchantId", e.transaction_id as "transactionId", e.kind, e.asked_for as "askedFor", e.operator,
      e.reason, e.despite_retention as "despiteRetention", e.erased_at as "erasedAt", (
        select json_object_agg(r.table_name, r.count order by r.table_name) from erased_rows r
        where r.merchant_id = e.merchant_id and r.transaction_id = e.transaction_id and r.number = e.number
      ) as rows
    from erasures e order by e.erased_at desc, e.transaction_id limit ${limit}`)
}

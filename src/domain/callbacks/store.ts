import type { Tx } from '../../platform/db.ts'
import { sql } from '../../platform/sql.ts'

export type EventRow = {
  merchantId: string
  id: string
  transactionId: string
  sequence: number
  type: string
  body: string
}

export async function insertEvents(tx: Tx, events: EventRow[], createdAt: Date): Promise<void> {
  await tx.query(sql`
    insert into events (merchant_id, id, transaction_id, sequence, type, body, created_at)
    select *, ${createdAt}::timestamptz from unnest(
      ${events.map(({ merchantId }) => merchantId)}::text[],
      ${events.map(({ id }) => id)}::text[],
      ${events.map(({ transactionId }) => transactionId)}::text[],
      ${events.map(({ sequence }) => sequence)}::int[],
      ${events.map(({ type }) => type)}::text[],
      ${events.map(({ body }) => body)}::text[]
    )`)
}

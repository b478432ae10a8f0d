import type { Sql } from './sql.ts'
import { sql } from './sql.ts'

/** Spelled like the partial indexes: one of pending rows, one of all others by an expression of merchant and status. */
export function hasStatus(row: Sql, merchantId: string, status: string | undefined): Sql {
  if (status === undefined) return sql``
  if (status === 'pending') return sql`and ${row}.status = 'pending'`
  return sql`and ${row}.status <> 'pending'
    and (${row}.merchant_id || '/' || ${row}.status) collate "C" = ${`${merchantId}/${status}`}`
}

/** The same for each merchant `m`. Of one status by the expression alone, so that its index is used and not the one of all its rows. */
export function ofMerchant(row: Sql, status: string | undefined): Sql {
  if (status === undefined) return sql`${row}.merchant_id = m.id`
  if (status === 'pending') return sql`${row}.merchant_id = m.id and ${row}.status = 'pending'`
  return sql`${row}.status <> 'pending'
    and (${row}.merchant_id || '/' || ${row}.status) collate "C" = (m.id || '/' || ${status}::text) collate "C"`
}

import type { Sql } from './sql.ts'
import { sql } from './sql.ts'

/** Spelled like the partial indexes: one of pending rows, one of all others by an expression of merchant and status. */
export function hasStatus(row: Sql, merchantId: string | Sql, status: string | undefined): Sql {
  if (status === undefined) return sql``
  if (status === 'pending') return sql`and ${row}.status = 'pending'`
  return sql`and ${row}.status <> 'pending'
    and (${row}.merchant_id || '/' || ${row}.status) collate "C" = (${merchantId}::text || '/' || ${status}::text) collate "C"`
}

import type { Sql } from './sql.ts'
import { join, sql } from './sql.ts'

/** The words of a text (none have those of null), one of these amounts, or both. Of one merchant, or of all. */
export type Wanted = { merchantId: string | null; text?: string | null; amounts?: readonly bigint[] }

type Rows = {
  /** Name of the rows in `found` and in the result. */
  row: Sql
  /** Ids between which all are. */
  oldest: Sql
  newest: Sql
  /** The rows with this `search_query`. */
  found: (query: Sql) => Sql
  /** Null: all. */
  limit: number | null
}

/** Spelled like the indexes: words and amount of a row, of all and of its merchant. */
export const entries = (row: Sql, text: Sql): Sql =>
  sql`search_entries(substr(${row}.id, 1, 3), ${row}.amount, ${text})`
export const ownEntries = (row: Sql, text: Sql): Sql =>
  sql`search_entries(substr(${row}.id, 1, 3) || '/' || right(${row}.merchant_id, 6), ${row}.amount, ${text})`

/**
 * Rows with the words of a text or with an amount, newest first, span by span of their ids: a reader that has enough reads no older
 * ones. `offset 0` leaves the index of entries as the only way.
 */
export function newestWithWords(
  { merchantId, text, amounts }: Wanted,
  { row, oldest, newest, found, limit }: Rows,
): Sql {
  const query = [
    ...(text === undefined ? [] : [sql`search_query(${text}, step.prefixes)`]),
    ...(amounts === undefined
      ? []
      : [sql`search_marked(step.prefixes, ${amounts.map((amount) => `=${amount}`)}::text[])`]),
  ]
  // Entries have a part of the merchant's id only.
  const isOwn = merchantId === null ? sql`` : sql`where ${row}.merchant_id = ${merchantId}`
  return sql`search_prefixes(${oldest}, ${newest}, ${merchantId}) as step (prefixes) cross join lateral (
    select ${row}.* from (${found(sql`(${join(query, ' && ')})`)} offset 0) as ${row} ${isOwn}
    order by ${row}.id desc limit ${limit}) as ${row}`
}

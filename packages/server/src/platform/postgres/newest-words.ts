import type { Sql } from './sql.ts'
import { sql } from './sql.ts'

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
  /** What the rows must have besides the words. */
  where?: Sql
}

/**
 * Rows with the words of a text, newest first, span by span of their ids: a reader that has enough reads no older ones.
 * `offset 0` leaves the index of words as the only way.
 */
export function newestWithWords(text: string, { row, oldest, newest, found, limit, where = sql`` }: Rows): Sql {
  return sql`search_steps(${oldest}, ${newest}) as step (spans) cross join lateral (
    select ${row}.* from (${found(sql`search_query(${text}, step.spans)`)} offset 0) as ${row} ${where}
    order by ${row}.id desc limit ${limit}) as ${row}`
}

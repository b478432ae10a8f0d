import type { Sql } from './sql.ts'
import { join, sql } from './sql.ts'

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

/** The words of a text, unless it is null, and of each list one of the `search_marks`. */
export type Wanted = { text: string | null; marks?: readonly string[][] }

/** Marks of one merchant, or none: of all. */
export const merchantMarks = (merchantId: string | null) => (merchantId === null ? [] : [[`/${merchantId}`]])
export const amountMarks = (amounts: readonly bigint[]) => [amounts.map((amount) => `=${amount}`)]

/**
 * Rows with the words of a text, newest first, span by span of their ids: a reader that has enough reads no older ones.
 * `offset 0` leaves the index of words as the only way.
 */
export function newestWithWords(wanted: Wanted, { row, oldest, newest, found, limit, where = sql`` }: Rows): Sql {
  return sql`search_steps(${oldest}, ${newest}) as step (spans) cross join lateral (
    select ${row}.* from (${found(queryOf(wanted))} offset 0) as ${row} ${where}
    order by ${row}.id desc limit ${limit}) as ${row}`
}

function queryOf({ text, marks = [] }: Wanted): Sql {
  const words = text === null ? [] : [sql`search_query(${text}, step.spans)`]
  const marked = marks.map((some) => sql`search_marked(step.spans, ${some}::text[])`)
  return sql`(${join([...words, ...marked], ' && ')})`
}

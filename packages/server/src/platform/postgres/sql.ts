import sql, { raw } from 'sql-template-tag'
import type { Sql } from 'sql-template-tag'

/** Plain SQL with parameters in place: sql`… where id = ${id}`. Fragments compose; values never become text. */
export { sql }
export type { Sql }

/** One of our own states, written into the statement: plans are kept for any parameters, so only a literal finds a partial index. */
export function stateLiteral(state: string): Sql {
  if (!/^[a-z_]+$/.test(state)) throw new Error(`${JSON.stringify(state)} is no state.`)
  return raw(`'${state}'`)
}

import sql, { join, raw } from 'sql-template-tag'
import type { Sql } from 'sql-template-tag'

/** SQL with inline parameters: sql`… where id = ${id}`. Fragments compose; values never become text. */
export { join, sql }
export type { Sql }

/** Inlines one of our own states: with generic plans, only a literal can use a partial index. */
export function stateLiteral(state: string): Sql {
  if (!/^[a-z_]+$/.test(state)) throw new Error(`${JSON.stringify(state)} is not a state name.`)
  return raw(`'${state}'`)
}

/** For `state in (…)`. */
export function stateLiterals(states: readonly string[]): Sql {
  return join(states.map(stateLiteral))
}

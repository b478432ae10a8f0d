import sql, { join, raw } from 'sql-template-tag'
import type { Sql } from 'sql-template-tag'

/** SQL with inline parameters: sql`… where id = ${id}`. Fragments compose; values never become text. */
export { sql }
export type { Sql }

/** Inlines one of our own states: with generic plans, only a literal can use a partial index. */
export function stateLiteral(state: string): Sql {
  if (!/^[a-z_]+$/.test(state)) throw new Error(`${JSON.stringify(state)} is not a state name.`)
  return raw(`'${state}'`)
}

/**
 * Rows as a table, to stand after `from`: `unnest` of one array per column. `columns` has names and types, such as `id text, day date`; each
 * column is read from the property of the same name in camel case.
 */
export function rowsOf(alias: string, columns: string, rows: object[]): Sql {
  const parsed = columns.split(',').map((column) => column.trim().split(/\s+/) as [name: string, type: string])
  const arrays = parsed.map(([name, type]) => {
    const key = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    return sql`${rows.map((row) => valueOf(row, key))}::${raw(type)}[]`
  })
  return sql`unnest(${join(arrays)}) as ${raw(`${alias} (${parsed.map(([name]) => name).join(', ')})`)}`
}

function valueOf(row: object, key: string): unknown {
  const value = (row as Record<string, unknown>)[key]
  if (value === undefined) throw new Error(`A row has no ${key}.`)
  return value
}

import sql from 'sql-template-tag'

/** Plain SQL with parameters in place: sql`… where id = ${id}`. Fragments compose; values never become text. */
export { sql }
export type { Sql } from 'sql-template-tag'

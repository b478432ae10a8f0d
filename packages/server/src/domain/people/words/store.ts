import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'

export async function insertMark(tx: Tx, name: string, mark: string): Promise<void> {
  await tx.query(sql`insert into word_marks (name, mark) values (${name}, ${mark}) on conflict do nothing`)
}

export async function selectMarks(db: Queryable, names: string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ name: string; mark: string }>(sql`
    select name, mark from word_marks where name = any(${names}::text[])`)
  return new Map(rows.map(({ name, mark }) => [name, mark]))
}

/** Names that begin with one of these and a slash; the next character after it is a zero. */
export function selectNamesUnder(db: Queryable, under: string[]): Promise<{ name: string; under: string }[]> {
  return db.query<{ name: string; under: string }>(sql`
    select m.name, wanted.under from unnest(${under}::text[]) as wanted (under)
    join word_marks m on m.name > wanted.under || '/' and m.name < wanted.under || '0'`)
}

export async function hasMarks(db: Queryable): Promise<boolean> {
  return (await db.query(sql`select 1 from word_marks limit 1`)).length > 0
}

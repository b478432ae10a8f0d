import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import type { Sql } from '../../platform/postgres/sql.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Role } from './rights.ts'

/** `hadLogin`: the person has chosen a password once. */
export type Operator = {
  name: string
  roles: Role[]
  createdAt: Date
  disabledAt: Date | null
  hadLogin: boolean
  mark: string | null
}

const columns = sql`
  name, roles, created_at as "createdAt", disabled_at as "disabledAt", had_login as "hadLogin", mark`

/** One staff change at a time. Decisions are not blocked. */
export async function lockOperators(tx: Tx): Promise<void> {
  await tx.query(sql`lock table operators in share row exclusive mode`)
}

export async function insertOperator(
  tx: Tx,
  { name, roles, mark }: { name: string; roles: readonly Role[]; mark: string },
  at: Date,
): Promise<void> {
  await tx.query(sql`
    insert into operators (name, roles, created_at, had_login, mark)
    values (${name}, ${roles}::text[], ${at}, false, ${mark})`)
}

/** False if the person may not decide any more. Changes of the person wait for the end of this transaction. */
export async function recordLogin(tx: Tx, name: string): Promise<boolean> {
  const rows = await tx.query(sql`
    update operators set had_login = true where name = ${name} and disabled_at is null returning name`)
  return rows.length > 0
}

export function listOperators(db: Queryable): Promise<Operator[]> {
  return db.query<Operator>(sql`select ${columns} from operators order by name`)
}

/** For a join in another statement, such as that of a session with its person. */
export const operatorsSql: Sql = sql`select name, roles, disabled_at, mark from operators`

/** Shared lock: decisions of one person do not wait for each other, only a change of the row does. */
export async function lockOperator(tx: Tx, name: string): Promise<Operator | undefined> {
  const [row] = await tx.query<Operator>(sql`select ${columns} from operators where name = ${name} for share`)
  return row
}

/** Those of these people who are not disabled. A change of one of them waits for the end of this transaction. */
export function lockActive(tx: Tx, names: string[]): Promise<Operator[]> {
  return tx.query<Operator>(sql`
    select ${columns} from operators where name = any(${names}::text[]) and disabled_at is null order by name for share`)
}

/** Its mark is that of a disabled person, so that no one brings the row back in SQL. Null if there is no such person who may decide. */
export async function updateDisabled(tx: Tx, name: string, at: Date): Promise<Operator | null> {
  const [row] = await tx.query<Operator>(sql`
    update operators set disabled_at = ${at}, mark = null where name = ${name} and disabled_at is null returning ${columns}`)
  return row ?? null
}

export async function updateRoles(
  tx: Tx,
  { name, roles, mark }: { name: string; roles: readonly Role[]; mark: string },
): Promise<void> {
  await tx.query(sql`
    update operators set roles = ${roles}::text[], mark = ${mark} where name = ${name} and disabled_at is null`)
}

export async function updateMark(tx: Tx, name: string, mark: string): Promise<void> {
  await tx.query(sql`update operators set mark = ${mark} where name = ${name}`)
}

import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import type { Sql } from '../../platform/postgres/sql.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { operatorsSql } from '../people/index.ts'
import type { Audience } from './identity.ts'

export type Login = {
  id: string
  audience: Audience
  name: string
  merchantId: string | null
  /** Current roles of the operator, or the one role of a merchant's user. */
  roles: string[]
  /** Of a merchant's user. */
  role: string | null
  password: string
  deviceKey: string
  createdAt: Date
  mark: string | null
  operatorMark: string | null
}

/** Logins that work: a disabled operator's do not. For a join in another statement too. */
export const activeLoginsSql: Sql = sql`
  select l.id, l.audience, l.name, l.merchant_id, coalesce(o.roles, array[l.role]) as roles, l.role, l.password, l.device_key,
    l.created_at, l.mark, o.mark as operator_mark
  from logins l left join (${operatorsSql}) o on o.name = l.operator
  where l.disabled_at is null and o.disabled_at is null`

const columns = sql`
  a.id, a.audience, a.name, a.merchant_id as "merchantId", a.roles, a.role, a.password, a.device_key as "deviceKey",
  a.created_at as "createdAt", a.mark, a.operator_mark as "operatorMark"`

export async function selectLogin(db: Queryable, audience: Audience, name: string): Promise<Login | undefined> {
  const [row] = await db.query<Login>(sql`
    select ${columns} from (${activeLoginsSql}) a where a.audience = ${audience} and a.name = ${name}`)
  return row
}

export async function selectLoginById(db: Queryable, id: string): Promise<Login | undefined> {
  const [row] = await db.query<Login>(sql`select ${columns} from (${activeLoginsSql}) a where a.id = ${id}`)
  return row
}

export function allLogins(db: Queryable): Promise<Login[]> {
  return db.query<Login>(sql`select ${columns} from (${activeLoginsSql}) a order by a.id`)
}

export type MerchantUser = { id: string; name: string; role: string; disabledAt: Date | null }

export type ListedLogin = Omit<Login, 'role' | 'password' | 'deviceKey' | 'mark' | 'operatorMark'>

export function listLogins(
  db: Queryable,
  { audience, merchantId = null }: { audience: Audience; merchantId?: string | null },
): Promise<ListedLogin[]> {
  return db.query<ListedLogin>(sql`
    select a.id, a.audience, a.name, a.merchant_id as "merchantId", a.roles, a.created_at as "createdAt"
    from (${activeLoginsSql}) a
    where a.audience = ${audience} and (${merchantId}::text is null or a.merchant_id = ${merchantId}) order by a.name`)
}

/** Operators who have or had a login: rows are never deleted, so that no one hides one in SQL. */
export async function everLoggedIn(db: Queryable): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>(sql`select distinct name from logins where audience = 'operator'`)
  return new Set(rows.map(({ name }) => name))
}

/** Of a merchant, also those that were disabled. */
export function everyUser(db: Queryable, merchantId: string): Promise<MerchantUser[]> {
  return db.query<MerchantUser>(sql`
    select id, name, role, disabled_at as "disabledAt" from logins where merchant_id = ${merchantId} order by id`)
}

export async function insertLogin(tx: Tx, login: Omit<Login, 'roles' | 'operatorMark'>): Promise<void> {
  const operator = login.audience === 'operator' ? login.name : null
  await tx.query(sql`
    insert into logins (id, audience, name, operator, merchant_id, role, password, device_key, created_at, mark)
    values (${login.id}, ${login.audience}, ${login.name}, ${operator}, ${login.merchantId}, ${login.role}, ${login.password},
      ${login.deviceKey}, ${login.createdAt}, ${login.mark})`)
}

/** One change of a login at a time. False if it was disabled meanwhile. */
export async function lockLogin(tx: Tx, id: string): Promise<boolean> {
  return (await tx.query(sql`select id from logins where id = ${id} and disabled_at is null for update`)).length > 0
}

/** A change of the login waits for the end of this transaction. False if it was disabled. */
export async function shareLogin(tx: Tx, id: string): Promise<boolean> {
  return (await tx.query(sql`select id from logins where id = ${id} and disabled_at is null for share`)).length > 0
}

/** One change of who is owner at a time. */
export async function lockLogins(tx: Tx, merchantId: string): Promise<void> {
  await tx.query(
    sql`select id from logins where merchant_id = ${merchantId} and disabled_at is null order by id for update`,
  )
}

export async function updateLogin(
  tx: Tx,
  { id, password, deviceKey, role, mark }: Pick<Login, 'id' | 'password' | 'deviceKey' | 'role' | 'mark'>,
): Promise<void> {
  await tx.query(sql`
    update logins set password = ${password}, device_key = ${deviceKey}, role = ${role}, mark = ${mark} where id = ${id}`)
}

/** Without its mark, so that no one brings the row back in SQL. */
export async function updateDisabled(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query(sql`update logins set disabled_at = ${at}, mark = null where id = ${id} and disabled_at is null`)
}

export async function updateRecoveryCodes(tx: Tx, id: string, hashes: string[]): Promise<void> {
  await tx.query(sql`update logins set recovery_codes = ${hashes} where id = ${id}`)
}

/** Removes it: one that were only marked as used could be made valid again in SQL. */
export async function useRecoveryCode(tx: Tx, id: string, hash: string): Promise<boolean> {
  const rows = await tx.query(sql`
    update logins set recovery_codes = array_remove(recovery_codes, ${hash}::text)
    where id = ${id} and ${hash}::text = any(recovery_codes) returning id`)
  return rows.length > 0
}

export async function countRecoveryCodes(db: Queryable, id: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select cardinality(recovery_codes) as "count" from logins where id = ${id}`)
  return row?.count ?? 0
}

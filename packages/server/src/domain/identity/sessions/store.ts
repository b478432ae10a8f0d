import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Audience } from '../identity.ts'
import { hasFactorSql } from '../factors/store.ts'
import type { Login } from '../store.ts'
import { activeLoginsSql } from '../store.ts'

/** What its mark covers. */
export type StoredSession = {
  id: string
  tokenHash: string
  loginId: string
  kind: 'browser' | 'command_line'
  createdAt: Date
  idleSeconds: number
  endsAt: Date
  secondFactorAt: Date | null
  steppedUpAt: Date | null
  lastUsedAt: Date
}

export type NewSession = StoredSession & { mark: string; address: string | null; userAgent: string | null }

export async function insertSession(tx: Tx, one: NewSession): Promise<void> {
  await tx.query(sql`
    insert into sessions
      (id, token_hash, login_id, kind, created_at, last_used_at, idle_seconds, ends_at, second_factor_at, stepped_up_at, mark,
        address, user_agent)
    values (${one.id}, ${one.tokenHash}, ${one.loginId}, ${one.kind}, ${one.createdAt}, ${one.lastUsedAt}, ${one.idleSeconds},
      ${one.endsAt}, ${one.secondFactorAt}, ${one.steppedUpAt}, ${one.mark}, ${one.address}, ${one.userAgent})`)
}

/** With its login, and the marks of both. */
export type SessionRow = StoredSession &
  Pick<Login, 'audience' | 'name' | 'merchantId' | 'roles' | 'role' | 'password' | 'operatorMark'> & {
    mark: string | null
    loginMark: string | null
    hasFactor: boolean
  }

const columns = sql`
  s.id, s.token_hash as "tokenHash", s.login_id as "loginId", s.kind, s.created_at as "createdAt", s.idle_seconds as "idleSeconds",
  s.ends_at as "endsAt", s.second_factor_at as "secondFactorAt", s.stepped_up_at as "steppedUpAt",
  s.last_used_at as "lastUsedAt", s.mark`

const isValid = (now: Date) => sql`
  s.revoked_at is null and s.mark is not null and s.ends_at > ${now} and s.last_used_at + s.idle_seconds * interval '1 second' > ${now}`

/** One lookup by key. A session of a disabled login or operator is not found. */
export async function selectSession(db: Queryable, tokenHash: string, now: Date): Promise<SessionRow | undefined> {
  const [row] = await db.query<SessionRow>(sql`
    select ${columns}, l.audience, l.name, l.merchant_id as "merchantId", l.roles, l.role, l.password,
      l.mark as "loginMark", l.operator_mark as "operatorMark", ${hasFactorSql(sql`s.login_id`)} as "hasFactor"
    from sessions s join (${activeLoginsSql}) l on l.id = s.login_id
    where s.token_hash = ${tokenHash} and ${isValid(now)}`)
  return row
}

/** That have not ended, whatever their mark. */
export function openSessions(db: Queryable, now: Date): Promise<(StoredSession & { mark: string | null })[]> {
  return db.query(sql`
    select ${columns} from sessions s where s.ends_at > ${now} and s.revoked_at is null order by s.ends_at, s.id limit 10000`)
}

export async function revokeAll(tx: Tx, now: Date): Promise<void> {
  await tx.query(sql`update sessions set revoked_at = ${now} where revoked_at is null`)
}

/** Those of these sessions that are valid now. */
export async function selectValid(db: Queryable, ids: readonly string[], now: Date): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select s.id from sessions s join (${activeLoginsSql}) l on l.id = s.login_id
    where s.id = any(${ids}::text[]) and ${isValid(now)}`)
  return rows.map(({ id }) => id)
}

/** Only if it is as it was read: its mark covers what it says. */
export async function updateLastUsed(
  tx: Tx,
  { id, mark }: { id: string; mark: string | null },
  next: { lastUsedAt: Date; mark: string },
): Promise<void> {
  await tx.query(sql`
    update sessions set last_used_at = ${next.lastUsedAt}, mark = ${next.mark} where id = ${id} and mark = ${mark}`)
}

export async function lockSession(tx: Tx, id: string, now: Date) {
  const [row] = await tx.query<StoredSession & { mark: string | null }>(sql`
    select ${columns} from sessions s where s.id = ${id} and ${isValid(now)} for update`)
  return row
}

/** The caller has locked it. */
export async function updateSession(tx: Tx, one: StoredSession, mark: string): Promise<void> {
  await tx.query(sql`
    update sessions set token_hash = ${one.tokenHash}, second_factor_at = ${one.secondFactorAt}, stepped_up_at = ${one.steppedUpAt},
      ends_at = ${one.endsAt}, mark = ${mark}, last_used_at = ${one.lastUsedAt}
    where id = ${one.id}`)
}

export type ListedSession = Pick<
  SessionRow,
  'id' | 'loginId' | 'audience' | 'name' | 'merchantId' | 'kind' | 'createdAt' | 'lastUsedAt' | 'endsAt'
> & { address: string | null; userAgent: string | null }

/** Sessions that are valid now, the last used first. */
export function selectSessions(
  db: Queryable,
  only: { audience?: Audience; name?: string; loginId?: string; merchantId?: string },
  now: Date,
): Promise<ListedSession[]> {
  const { audience = null, name = null, loginId = null, merchantId = null } = only
  return db.query<ListedSession>(sql`
    select s.id, s.login_id as "loginId", l.audience, l.name, l.merchant_id as "merchantId", s.kind, s.created_at as "createdAt",
      s.last_used_at as "lastUsedAt", s.ends_at as "endsAt", s.address, s.user_agent as "userAgent"
    from sessions s join (${activeLoginsSql}) l on l.id = s.login_id
    where ${isValid(now)} and (${audience}::text is null or l.audience = ${audience})
      and (${name}::text is null or l.name = ${name}) and (${loginId}::text is null or l.id = ${loginId})
      and (${merchantId}::text is null or l.merchant_id = ${merchantId})
    order by s.last_used_at desc, s.id desc limit 200`)
}

export type StaffLogin = { name: string; hasFactor: boolean; lastLoginAt: Date | null }

/** Operators' logins that work. A login that was not completed does not count; those of the last month are known. */
export function selectStaffLogins(db: Queryable, { sandbox }: { sandbox: boolean }): Promise<StaffLogin[]> {
  const hasFactor = hasFactorSql(sql`l.id`)
  return db.query<StaffLogin>(sql`
    select l.name, ${hasFactor} as "hasFactor", (
      select max(s.created_at) from sessions s
      where s.login_id = l.id and (s.second_factor_at is not null or (${sandbox} and not ${hasFactor}))
    ) as "lastLoginAt"
    from (${activeLoginsSql}) l where l.audience = 'operator' order by l.name`)
}

/** Whose session it is, also after it has ended. */
export async function selectOwner(tx: Tx, id: string) {
  const [row] = await tx.query<{ loginId: string; audience: Audience; name: string; merchantId: string | null }>(sql`
    select l.id as "loginId", l.audience, l.name, l.merchant_id as "merchantId"
    from sessions s join (${activeLoginsSql}) l on l.id = s.login_id where s.id = ${id}`)
  return row
}

export async function revoke(tx: Tx, ids: { sessionId: string } | { loginId: string; except?: string }, now: Date) {
  const which =
    'sessionId' in ids ? sql`id = ${ids.sessionId}` : sql`login_id = ${ids.loginId} and id <> ${ids.except ?? ''}`
  await tx.query(sql`update sessions set revoked_at = ${now}, mark = null where ${which} and revoked_at is null`)
}

export async function deleteSessions(tx: Tx, endedBefore: Date): Promise<number> {
  const rows = await tx.query(sql`delete from sessions where ends_at < ${endedBefore} returning id`)
  return rows.length
}

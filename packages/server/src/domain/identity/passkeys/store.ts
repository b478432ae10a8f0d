import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'

export type Passkey = {
  id: string
  loginId: string
  publicKey: string
  counter: number
  transports: string[]
  label: string
  createdAt: Date
  lastUsedAt: Date | null
  mark: string | null
}

const columns = sql`
  id, login_id as "loginId", public_key as "publicKey", counter::float8 as "counter", transports, label, created_at as "createdAt",
  last_used_at as "lastUsedAt", mark`

export function hasPasskeySql(loginId: Sql): Sql {
  return sql`exists (select from passkeys p where p.login_id = ${loginId})`
}

export function selectPasskeys(db: Queryable, loginId: string): Promise<Passkey[]> {
  return db.query<Passkey>(sql`select ${columns} from passkeys where login_id = ${loginId} order by created_at, id`)
}

export function allPasskeys(db: Queryable): Promise<Passkey[]> {
  return db.query<Passkey>(sql`select ${columns} from passkeys order by id`)
}

export async function updatePasskeyMark(tx: Tx, id: string, mark: string): Promise<void> {
  await tx.query(sql`update passkeys set mark = ${mark} where id = ${id}`)
}

export async function findPasskey(db: Queryable, id: string): Promise<Passkey | undefined> {
  const [row] = await db.query<Passkey>(sql`select ${columns} from passkeys where id = ${id}`)
  return row
}

/** False if the passkey is known already, to whomever. */
export async function insertPasskey(tx: Tx, one: Omit<Passkey, 'lastUsedAt'>): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into passkeys (id, login_id, public_key, counter, transports, label, created_at, mark)
    values (${one.id}, ${one.loginId}, ${one.publicKey}, ${one.counter}, ${one.transports}::text[], ${one.label}, ${one.createdAt},
      ${one.mark})
    on conflict do nothing returning id`)
  return rows.length > 0
}

/** False if the counter did not rise, as that of a copied authenticator. Those that do not count stay at 0. */
export async function updateCounter(tx: Tx, id: string, counter: number, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    update passkeys set counter = ${counter}, last_used_at = ${now}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0)) returning id`)
  return rows.length > 0
}

export async function updateLabel(tx: Tx, { loginId, id }: { loginId: string; id: string }, label: string) {
  await tx.query(sql`update passkeys set label = ${label} where login_id = ${loginId} and id = ${id}`)
}

export async function deletePasskeys(tx: Tx, which: { loginId: string; id?: string }): Promise<void> {
  const { loginId, id = null } = which
  await tx.query(sql`delete from passkeys where login_id = ${loginId} and (${id}::text is null or id = ${id})`)
}

export type Purpose = 'register' | 'log_in' | 'prove'
type Challenge = { hash: string; purpose: Purpose; loginId: string | null }

export async function insertChallenge(tx: Tx, { hash, purpose, loginId }: Challenge, expiresAt: Date): Promise<void> {
  await tx.query(sql`
    insert into passkey_challenges (challenge_hash, purpose, login_id, expires_at)
    values (${hash}, ${purpose}, ${loginId}, ${expiresAt})`)
}

/** For one that was never stored. Of two who use it at once, one gets it. */
export async function spendChallenge(tx: Tx, { hash, purpose, loginId }: Challenge, expiresAt: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into passkey_challenges (challenge_hash, purpose, login_id, expires_at)
    values (${hash}, ${purpose}, ${loginId}, ${expiresAt}) on conflict do nothing returning challenge_hash`)
  return rows.length > 0
}

/** Of two who use it at once, one gets it. */
export async function takeChallenge(tx: Tx, { hash, purpose, loginId }: Challenge, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from passkey_challenges
    where challenge_hash = ${hash} and purpose = ${purpose} and login_id is not distinct from ${loginId} and expires_at > ${now}
    returning challenge_hash`)
  return rows.length > 0
}

export async function deleteChallenges(tx: Tx, before: Date): Promise<number> {
  const rows = await tx.query(sql`delete from passkey_challenges where expires_at < ${before} returning challenge_hash`)
  return rows.length
}

import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import type { SealedTable } from '../../../platform/postgres/sealed-rows.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/** The merchant of each of these keys, if the key is valid. */
export function liveKeys(apiKeys: string[]): Sql {
  return sql`select api_key, merchant_id from merchant_keys where api_key = any(${apiKeys}::text[]) and revoked_at is null`
}

export async function insertKey(tx: Tx, key: { apiKey: string; merchantId: string; createdAt: Date }): Promise<void> {
  await tx.query(sql`
    insert into merchant_keys (api_key, merchant_id, created_at)
    values (${key.apiKey}, ${key.merchantId}, ${key.createdAt})`)
}

export type KeyRow = { apiKey: string; createdAt: Date; revokedAt: Date | null; liveSecrets: number }

export function selectKeys(db: Queryable, merchantId: string, now: Date): Promise<KeyRow[]> {
  return db.query<KeyRow>(sql`
    select k.api_key as "apiKey", k.created_at as "createdAt", k.revoked_at as "revokedAt",
      (select count(*)::int from merchant_secrets s
        where s.api_key = k.api_key and (s.ends_at is null or s.ends_at > ${now})) as "liveSecrets"
    from merchant_keys k where k.merchant_id = ${merchantId} order by k.created_at`)
}

/** Locked, so that two concurrent rotations leave two valid secrets and not three. */
export async function lockLiveKey(tx: Tx, merchantId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ apiKey: string }>(sql`
    select api_key as "apiKey" from merchant_keys
    where merchant_id = ${merchantId} and revoked_at is null order by created_at desc limit 1 for update`)
  return row?.apiKey
}

export async function revokeKeys(tx: Tx, merchantId: string, at: Date): Promise<string[]> {
  const rows = await tx.query<{ apiKey: string }>(sql`
    update merchant_keys set revoked_at = ${at}
    where merchant_id = ${merchantId} and revoked_at is null returning api_key as "apiKey"`)
  return rows.map(({ apiKey }) => apiKey)
}

/** Of secrets that a call was signed with. */
export async function updateLastUsed(tx: Tx, used: { apiKey: string; id: string; at: Date }[]): Promise<void> {
  await tx.query(sql`
    update merchant_secrets s set last_used_at = u.at
    from ${rowsOf('u', used, { apiKey: 'text', id: 'text', at: 'timestamptz' })}
    where s.api_key = u.api_key and s.id = u.id and (s.last_used_at is null or s.last_used_at < u.at)`)
}

export type SecretRow = {
  id: string
  apiKey: string
  sealed: string
  createdAt: Date
  endsAt: Date | null
  lastUsedAt: Date | null
}

export async function insertSecret(tx: Tx, secret: Omit<SecretRow, 'endsAt' | 'lastUsedAt'>): Promise<void> {
  await tx.query(sql`
    insert into merchant_secrets (api_key, id, sealed, created_at)
    values (${secret.apiKey}, ${secret.id}, ${secret.sealed}, ${secret.createdAt})`)
}

/** Newest first within each key. */
export function selectLiveSecrets(db: Queryable, apiKeys: string[], now: Date): Promise<SecretRow[]> {
  return db.query<SecretRow>(sql`
    select id, api_key as "apiKey", sealed, created_at as "createdAt", ends_at as "endsAt", last_used_at as "lastUsedAt"
    from merchant_secrets
    where api_key = any(${apiKeys}::text[]) and (ends_at is null or ends_at > ${now})
    order by api_key, ends_at is null desc, created_at desc, id desc`)
}

/** Bound to the merchant too: a key that is reassigned to another merchant has no secret that opens. */
export const apiSecrets: SealedTable = {
  name: 'merchant_secrets',
  select: (db) =>
    db.query(sql`
      select array[k.merchant_id, s.api_key, s.id] as key, s.sealed
      from merchant_secrets s join merchant_keys k on k.api_key = s.api_key order by s.api_key, s.id`),
  async update(tx, changes) {
    const column = (at: number) => changes.map(({ key }) => key[at])
    await tx.query(sql`
      update merchant_secrets s set sealed = c.renewed
      from unnest(${column(1)}::text[], ${column(2)}::text[], ${changes.map(({ sealed }) => sealed)}::text[],
        ${changes.map(({ renewed }) => renewed)}::text[]) as c (api_key, id, sealed, renewed)
      where s.api_key = c.api_key and s.id = c.id and s.sealed = c.sealed`)
  },
}

export async function endSecrets(tx: Tx, apiKey: string, ids: string[], endsAt: Date): Promise<void> {
  await tx.query(sql`
    update merchant_secrets set ends_at = ${endsAt} where api_key = ${apiKey} and id = any(${ids}::text[])`)
}

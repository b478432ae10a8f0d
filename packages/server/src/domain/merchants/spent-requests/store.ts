import type { Tx } from '../../../platform/postgres/db.ts'
import type { StoredRefusal } from '../../../platform/refusal.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/** A request, identified by its signature. */
export type RequestKey = { merchantId: string; signature: string }

export type NewSpentRequest = RequestKey & { expiresAt: Date; refusal: StoredRefusal | null }

/** `added` is false if the request existed; the other fields then describe its first arrival, if that has committed. */
export type SpentRequest = RequestKey & { added: boolean; receivedAt: Date | null; refusal: StoredRefusal | null }

/**
 * Inserted in key order: processes with the same requests wait for each other without deadlock. `offset 0` here and
 * below forces a lookup by key for each row, whatever plan is cached.
 */
export function insertSpentRequests(tx: Tx, requests: NewSpentRequest[], receivedAt: Date): Promise<SpentRequest[]> {
  return tx.query<SpentRequest>(sql`
    with wanted as (
      select merchant_id, signature, expires_at, refusal from unnest(
        ${requests.map(({ merchantId }) => merchantId)}::text[],
        ${requests.map(({ signature }) => signature)}::text[],
        ${requests.map(({ expiresAt }) => expiresAt.toISOString())}::timestamptz[],
        ${requests.map(({ refusal }) => refusal && JSON.stringify(refusal))}::json[]
      ) as w (merchant_id, signature, expires_at, refusal)
    ), added as (
      insert into spent_requests (merchant_id, signature, received_at, expires_at, refusal)
      select merchant_id, signature, ${receivedAt}::timestamptz, expires_at, refusal from wanted order by merchant_id, signature
      on conflict (merchant_id, signature) do nothing
      returning merchant_id, signature
    )
    select w.merchant_id as "merchantId", w.signature, s.received_at as "receivedAt", s.refusal,
      exists (select from added a where a.merchant_id = w.merchant_id and a.signature = w.signature) as added
    from wanted w left join lateral (
      select received_at, refusal from spent_requests
      where merchant_id = w.merchant_id and signature = w.signature offset 0
    ) as s on true`)
}

/** A condition for use inside another statement, such as the insert of deposits. */
export function isSpentSql(merchantId: Sql, signature: Sql): Sql {
  // The first part is evaluated once per statement and is nearly always false, which saves the lookup per row.
  return sql`(exists (select from spent_requests) and exists (
    select from spent_requests s where s.merchant_id = ${merchantId} and s.signature = ${signature} offset 0))`
}

/** Concurrent workers take different rows. */
export async function deleteExpired(tx: Tx, now: Date, limit: number): Promise<number> {
  const rows = await tx.query(sql`
    delete from spent_requests where ctid = any(array(
      select ctid from spent_requests
      where expires_at < ${now} order by expires_at limit ${limit} for update skip locked
    )) returning signature`)
  return rows.length
}

/** Extends the table by 256 kB, as a full disk would not allow. For a transaction that is rolled back. */
export async function insertLargeRow(tx: Tx, now: Date): Promise<void> {
  await tx.query(sql`
    insert into spent_requests (merchant_id, signature, received_at, expires_at, refusal)
    select 'doctor', gen_random_uuid()::text, ${now}::timestamptz, ${now}::timestamptz,
      to_json((select string_agg(md5(random()::text), '') from generate_series(1, 8192)))`)
}

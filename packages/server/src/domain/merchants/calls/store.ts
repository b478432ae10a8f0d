import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import { sql } from '../../../platform/postgres/sql.ts'

export type ApiCall = {
  merchantId: string
  id: string
  at: Date
  method: string
  path: string
  status: number
  code: string | null
  problem: string | null
  durationMs: number
  address: string | null
  requestId: string
}

export async function insertCalls(tx: Tx, calls: ApiCall[]): Promise<void> {
  await tx.query(sql`
    insert into api_calls (merchant_id, id, at, method, path, status, code, problem, duration_ms, address, request_id)
    select made.* from ${rowsOf('made', calls, {
      merchantId: 'text',
      id: 'text',
      at: 'timestamptz',
      method: 'text',
      path: 'text',
      status: 'int',
      code: 'text',
      problem: 'text',
      durationMs: 'int',
      address: 'text',
      requestId: 'text',
    })} on conflict do nothing`)
}

export type CallFilter = { failed: boolean; before: string | undefined; limit: number }

/** Newest first. */
export function selectCalls(
  db: Queryable,
  merchantId: string,
  { failed, before, limit }: CallFilter,
): Promise<ApiCall[]> {
  const earlier = before === undefined ? sql`` : sql`and id < ${before}`
  const refused = failed ? sql`and status >= 400` : sql``
  return db.query<ApiCall>(sql`
    select merchant_id as "merchantId", id, at, method, path, status, code, problem, duration_ms as "durationMs", address,
      request_id as "requestId"
    from api_calls where merchant_id = ${merchantId} ${earlier} ${refused} order by id desc limit ${limit}`)
}

export async function selectCall(db: Queryable, merchantId: string, id: string): Promise<ApiCall | undefined> {
  const [row] = await db.query<ApiCall>(sql`
    select merchant_id as "merchantId", id, at, method, path, status, code, problem, duration_ms as "durationMs", address,
      request_id as "requestId"
    from api_calls where merchant_id = ${merchantId} and id = ${id}`)
  return row
}

/** Of one merchant: all that are older than `before`, and the oldest beyond `most`. Returns the number of rows. */
export async function deleteCalls(
  tx: Tx,
  merchantId: string,
  { before, most, limit }: { before: string; most: number; limit: number },
): Promise<number> {
  const rows = await tx.query(sql`
    delete from api_calls c using (
      select id from api_calls where merchant_id = ${merchantId} and id <= greatest(${before}, (
        select k.id from api_calls k where k.merchant_id = ${merchantId} order by k.id desc offset ${most} limit 1
      )) order by id limit ${limit}
    ) as old where c.merchant_id = ${merchantId} and c.id = old.id returning 1`)
  return rows.length
}

export type RejectedAddress = { merchantId: string; address: string; times: number; firstAt: Date; lastAt: Date }

export async function upsertRejected(tx: Tx, rejected: RejectedAddress[]): Promise<void> {
  await tx.query(sql`
    insert into rejected_addresses as known (merchant_id, address, times, first_at, last_at)
    select made.* from ${rowsOf('made', rejected, {
      merchantId: 'text',
      address: 'text',
      times: 'bigint',
      firstAt: 'timestamptz',
      lastAt: 'timestamptz',
    })}
    on conflict (merchant_id, address) do update
      set times = known.times + excluded.times, last_at = greatest(known.last_at, excluded.last_at)`)
}

/** The latest first. */
export function selectRejected(db: Queryable, merchantId: string, limit: number): Promise<RejectedAddress[]> {
  return db.query<RejectedAddress>(sql`
    select merchant_id as "merchantId", address, times::int, first_at as "firstAt", last_at as "lastAt"
    from rejected_addresses where merchant_id = ${merchantId} order by last_at desc, address limit ${limit}`)
}

export async function deleteRejected(
  tx: Tx,
  merchantId: string,
  { before, most }: { before: Date; most: number },
): Promise<void> {
  await tx.query(sql`
    delete from rejected_addresses where merchant_id = ${merchantId} and (last_at < ${before} or address in (
      select r.address from rejected_addresses r where r.merchant_id = ${merchantId}
      order by r.last_at desc, r.address offset ${most}
    ))`)
}

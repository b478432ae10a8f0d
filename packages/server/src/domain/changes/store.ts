import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import type { Sql } from '../../platform/postgres/sql.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { ChangeRequest, ChangeState } from './change.ts'
import { readRows } from './read-rows.ts'

const columns = sql`
  c.id, c.kind, c.target, c.merchant_id as "merchantId", c.payload, c.payload_sha256 as "payloadSha256", c.description,
  c.seen_sha256 as "seenSha256", c.reason, c.proposed_by as "proposedBy", c.proposed_at as "proposedAt", c.state,
  c.decided_by as "decidedBy", c.decided_at as "decidedAt", c.note`

type Row = Omit<ChangeRequest, 'rows'> & { description: string }

/** `rest` is what follows `from change_requests c`. */
async function select(db: Queryable, rest: Sql): Promise<ChangeRequest[]> {
  const rows = await db.query<Row>(sql`select ${columns} from change_requests c ${rest}`)
  return rows.map(({ description, ...row }) => ({ ...row, rows: readRows(description) }))
}

export async function insertRequest(tx: Tx, one: ChangeRequest): Promise<void> {
  await tx.query(sql`
    insert into change_requests (id, kind, target, merchant_id, payload, payload_sha256, description, seen_sha256, reason, proposed_by, proposed_at)
    values (${one.id}, ${one.kind}, ${one.target}, ${one.merchantId}, ${one.payload}, ${one.payloadSha256},
      ${JSON.stringify(one.rows)}, ${one.seenSha256}, ${one.reason}, ${one.proposedBy}, ${one.proposedAt})`)
}

export async function findRequest(db: Queryable, id: string): Promise<ChangeRequest | undefined> {
  return (await select(db, sql`where c.id = ${id}`))[0]
}

export async function lockRequest(tx: Tx, id: string): Promise<ChangeRequest | undefined> {
  return (await select(tx, sql`where c.id = ${id} for update`))[0]
}

/** Newest first. A kind whose subjects are more than its target has several of one target. */
export function openAbout(db: Queryable, kind: string | null, target: string): Promise<ChangeRequest[]> {
  return select(
    db,
    sql`where c.target = ${target} and (${kind}::text is null or c.kind = ${kind}) and c.state = 'open' order by c.id desc`,
  )
}

/** Oldest first. */
export function openSince(db: Queryable, since: Date, limit: number): Promise<ChangeRequest[]> {
  return select(db, sql`where c.state = 'open' and c.proposed_at >= ${since} order by c.id limit ${limit}`)
}

export async function countSince(db: Queryable, since: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from change_requests where state = 'open' and proposed_at >= ${since}`,
  )
  return row?.count ?? 0
}

/** Of one merchant, newest first. */
export function requestsOfMerchant(db: Queryable, merchantId: string, limit: number): Promise<ChangeRequest[]> {
  return select(db, sql`where c.merchant_id = ${merchantId} order by c.id desc limit ${limit}`)
}

/** Newest first. */
export function newestRequests(db: Queryable, limit: number): Promise<ChangeRequest[]> {
  return select(db, sql`order by c.id desc limit ${limit}`)
}

type Decided = { state: Exclude<ChangeState, 'open'>; decidedBy: string | null; note: string | null }

/** `isForgotten`: without its terms from now on. */
export async function updateDecided(
  tx: Tx,
  id: string,
  { state, decidedBy, note, isForgotten = false }: Decided & { isForgotten?: boolean | undefined },
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update change_requests set state = ${state}, decided_by = ${decidedBy}, decided_at = ${at}, note = ${note},
      payload = case when ${isForgotten} then 'null' else payload end,
      description = case when ${isForgotten} then '[]' else description end
    where id = ${id} and state = 'open'`)
}

/** Those that are too old; of these kinds without their terms from now on. Returns how many. */
export async function expireBefore(tx: Tx, before: Date, forgotten: string[], at: Date): Promise<number> {
  const rows = await tx.query(sql`
    update change_requests set state = 'expired', decided_at = ${at},
      payload = case when kind = any(${forgotten}::text[]) then 'null' else payload end,
      description = case when kind = any(${forgotten}::text[]) then '[]' else description end
    where state = 'open' and proposed_at < ${before} returning 1`)
  return rows.length
}

import type { Queryable, Tx } from '../../../platform/db.ts'
import { sql } from '../../../platform/sql.ts'
import type { Lane, LaneKey } from './lane.ts'

const laneColumns = sql`
  l.merchant_id as "merchantId", l.endpoint_id as "endpointId", l.failures, l.failing_since as "failingSince",
  l.warned_at as "warnedAt", l.open_until as "openUntil", l.tokens, l.tokens_at as "tokensAt"`

/** Each lane once, as two columns that `unnest` puts side by side. */
export function lanesOf(keys: LaneKey[]) {
  const lanes = [...new Map(keys.map((key) => [key.endpointId, key])).values()]
  return sql`unnest(
    ${lanes.map(({ merchantId }) => merchantId)}::text[],
    ${lanes.map(({ endpointId }) => endpointId)}::text[]
  ) as key (merchant_id, endpoint_id)`
}

/**
 * For claims and answers: if PostgreSQL is lost within the next moment, so are the last of them, and these calls are made
 * again, which a receiver must expect anyway. Waiting for the disk would hold the lane for longer than everything else.
 */
export async function commitWithoutWaiting(tx: Tx): Promise<void> {
  await tx.query(sql`set local synchronous_commit = off`)
}

export async function openLanes(tx: Tx, keys: LaneKey[], realNow: Date): Promise<void> {
  await tx.query(sql`
    insert into callback_lanes (merchant_id, endpoint_id, tokens_at)
    select merchant_id, endpoint_id, ${realNow}::timestamptz from ${lanesOf(keys)}
    order by merchant_id, endpoint_id on conflict do nothing`)
}

/** Always in key order, before any delivery is touched: then nobody waits in a circle. */
export function lockLanes(tx: Tx, keys: LaneKey[]): Promise<Lane[]> {
  return tx.query<Lane>(sql`
    select ${laneColumns} from ${lanesOf(keys)} join callback_lanes l using (merchant_id, endpoint_id)
    order by l.merchant_id, l.endpoint_id for update of l`)
}

/** Lanes that may have something due; those that another process holds at the moment are its business. */
export function lockAwakeLanes(tx: Tx, now: Date, limit: number): Promise<Lane[]> {
  return tx.query<Lane>(sql`
    select ${laneColumns} from callback_lanes l where l.wake_at <= ${now} order by l.wake_at limit ${limit}
    for update skip locked`)
}

export async function wakeLanes(tx: Tx, keys: LaneKey[], now: Date): Promise<void> {
  await tx.query(sql`
    update callback_lanes l set wake_at = ${now} from ${lanesOf(keys)}
    where l.merchant_id = key.merchant_id and l.endpoint_id = key.endpoint_id`)
}

/** After a claim. Without `wakeAt` the lane sleeps, until its endpoint is enabled or something new comes. */
export async function settleLanes(tx: Tx, lanes: (Lane & { wakeAt: Date | null })[]): Promise<void> {
  await tx.query(sql`
    update callback_lanes l set tokens = done.tokens, tokens_at = done.tokens_at, wake_at = done.wake_at
    from unnest(
      ${lanes.map(({ merchantId }) => merchantId)}::text[],
      ${lanes.map(({ endpointId }) => endpointId)}::text[],
      ${lanes.map(({ tokens }) => tokens)}::float8[],
      ${lanes.map(({ tokensAt }) => iso(tokensAt))}::timestamptz[],
      ${lanes.map(({ wakeAt }) => iso(wakeAt))}::timestamptz[]
    ) as done (merchant_id, endpoint_id, tokens, tokens_at, wake_at)
    where l.merchant_id = done.merchant_id and l.endpoint_id = done.endpoint_id`)
}

/** After answers: a place has come free, so the lane is looked at again at once, or when its pause ends. */
export async function updateLanes(tx: Tx, lanes: Lane[], now: Date): Promise<void> {
  await tx.query(sql`
    update callback_lanes l set failures = done.failures, failing_since = done.failing_since,
      warned_at = done.warned_at, open_until = done.open_until, wake_at = greatest(${now}, done.open_until)
    from unnest(
      ${lanes.map(({ merchantId }) => merchantId)}::text[],
      ${lanes.map(({ endpointId }) => endpointId)}::text[],
      ${lanes.map(({ failures }) => failures)}::int[],
      ${lanes.map(({ failingSince }) => iso(failingSince))}::timestamptz[],
      ${lanes.map(({ warnedAt }) => iso(warnedAt))}::timestamptz[],
      ${lanes.map(({ openUntil }) => iso(openUntil))}::timestamptz[]
    ) as done (merchant_id, endpoint_id, failures, failing_since, warned_at, open_until)
    where l.merchant_id = done.merchant_id and l.endpoint_id = done.endpoint_id`)
}

export function selectLanes(db: Queryable, merchantId: string): Promise<Lane[]> {
  return db.query<Lane>(sql`select ${laneColumns} from callback_lanes l where l.merchant_id = ${merchantId}`)
}

function iso(date: Date | null): string | null {
  return date?.toISOString() ?? null
}

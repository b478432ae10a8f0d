import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Claim, Lane, LaneKey } from './lane.ts'
import { readPositions, writePositions } from './positions.ts'

const laneColumns = sql`
  l.merchant_id as "merchantId", l.endpoint_id as "endpointId", l.failures, l.failing_since as "failingSince",
  l.warned_at as "warnedAt", l.open_until as "openUntil", l.tokens, l.tokens_at as "tokensAt", l.wake_at as "wakeAt", l.fence, l.claimed as claims`

/** Each lane once, and for every item the place of its lane among them: a long list then repeats a number, not two ids. */
export function placesOf(items: LaneKey[]) {
  const places = new Map<string, number>()
  const lanes: LaneKey[] = []
  const ofItems = items.map((item) => {
    let place = places.get(item.endpointId)
    if (place === undefined) places.set(item.endpointId, (place = lanes.push(item)))
    return place
  })
  return {
    merchantIds: lanes.map(({ merchantId }) => merchantId),
    endpointIds: lanes.map(({ endpointId }) => endpointId),
    ofItems,
  }
}

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

type StoredClaim = Omit<Claim, 'positions'> & { positions: string }
type LaneRow = Omit<Lane, 'claims'> & { claims: StoredClaim[] }

function asLane({ claims, ...lane }: LaneRow): Lane {
  return { ...lane, claims: claims.map((claim) => ({ ...claim, positions: readPositions(claim.positions) })) }
}

/** Always in key order, before any delivery is touched: then nobody waits in a circle. */
export async function lockLanes(tx: Tx, keys: LaneKey[]): Promise<Lane[]> {
  const rows = await tx.query<LaneRow>(sql`
    select ${laneColumns} from ${lanesOf(keys)} join callback_lanes l using (merchant_id, endpoint_id)
    order by l.merchant_id, l.endpoint_id for update of l`)
  return rows.map(asLane)
}

/** Lanes that may have something due, beside those this process holds; what another holds at the moment is its business. */
export async function lockAwakeLanes(tx: Tx, held: LaneKey[], now: Date, limit: number): Promise<Lane[]> {
  const ids = [...new Set(held.map(({ endpointId }) => endpointId))]
  const rows = await tx.query<LaneRow>(sql`
    select ${laneColumns} from callback_lanes l
    where l.wake_at <= ${now} and not l.endpoint_id = any(${ids}::text[])
    order by l.wake_at limit ${limit} for update skip locked`)
  return rows.map(asLane)
}

export async function wakeLanes(tx: Tx, keys: LaneKey[], now: Date): Promise<void> {
  await tx.query(sql`
    update callback_lanes l set wake_at = ${now} from ${lanesOf(keys)}
    where l.merchant_id = key.merchant_id and l.endpoint_id = key.endpoint_id`)
}

export async function saveLanes(tx: Tx, lanes: Lane[]): Promise<void> {
  await tx.query(sql`
    update callback_lanes l set failures = done.failures, failing_since = done.failing_since, warned_at = done.warned_at,
      open_until = done.open_until, tokens = done.tokens, tokens_at = done.tokens_at, wake_at = done.wake_at,
      fence = done.fence, claimed = done.claims::json
    from unnest(
      ${lanes.map(({ merchantId }) => merchantId)}::text[],
      ${lanes.map(({ endpointId }) => endpointId)}::text[],
      ${lanes.map(({ failures }) => failures)}::int[],
      ${lanes.map(({ failingSince }) => iso(failingSince))}::timestamptz[],
      ${lanes.map(({ warnedAt }) => iso(warnedAt))}::timestamptz[],
      ${lanes.map(({ openUntil }) => iso(openUntil))}::timestamptz[],
      ${lanes.map(({ tokens }) => tokens)}::float8[],
      ${lanes.map(({ tokensAt }) => iso(tokensAt))}::timestamptz[],
      ${lanes.map(({ wakeAt }) => iso(wakeAt))}::timestamptz[],
      ${lanes.map(({ fence }) => fence)}::int[],
      ${lanes.map(({ claims }) => JSON.stringify(claims.map(asStored)))}::text[]
    ) as done (
      merchant_id, endpoint_id, failures, failing_since, warned_at, open_until, tokens, tokens_at, wake_at, fence, claims
    )
    where l.merchant_id = done.merchant_id and l.endpoint_id = done.endpoint_id`)
}

function asStored(claim: Claim): StoredClaim {
  return { ...claim, positions: writePositions(claim.positions) }
}

export async function selectLanes(db: Queryable, merchantId: string): Promise<Lane[]> {
  const rows = await db.query<LaneRow>(sql`
    select ${laneColumns} from callback_lanes l where l.merchant_id = ${merchantId}`)
  return rows.map(asLane)
}

function iso(date: Date | null): string | null {
  return date?.toISOString() ?? null
}

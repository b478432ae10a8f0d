import type { Tx } from '../../../platform/postgres/db.ts'
import type { Endpoint } from '../../merchants/index.ts'
import { DEFAULT_PACE, findEndpoints } from '../../merchants/index.ts'
import type { Lane } from '../lanes/lane.ts'
import { claimedOn, LEASE_MS, positionsOf, refill, refilledAt, room } from '../lanes/lane.ts'
import type { Due } from './delivery.ts'
import { giveUpSome, selectDue } from './store.ts'

/** A delivery that this process may make, now, under the claim of that number. */
export type Claimed = Due & { fence: number; endpoint: Endpoint }

/** A lane that had no room is looked at again after this, or as soon as one of its calls is answered. */
const LOOK_AGAIN_MS = 500
/** Of each endpoint that is gone: few enough that its lane is held briefly, however much had piled up. */
const GIVE_UP_AT_ONCE = 1000

/** As far as the column goes. After two thousand million claims of one lane nobody answers the first any more. */
const LAST_FENCE = 2_147_483_647

/** The lane after its turn, and what it sends. */
export type Turn = { lane: Lane; claimed: Claimed[]; remembered?: Remembered }
/** What stands first in line, from a moment on or from its very beginning; `whole` when that is all of it. */
type Head = { due: Due[]; from: Date | null; whole: boolean }
/** Business time, which schedules go by, and real time, which paces go by; and whether memory is to be trusted. */
type Look = { now: Date; realNow: Date; fromBeginning: boolean }

/** How many calls an endpoint allowed, the lane as it was left, when its first claim ends, and from when on its line was not taken yet. */
type Remembered = { most: number; fence: number; wakeAt: Date | null; ends: Date | null; from: Date | null }
/**
 * What a process knows of lanes from its last turns there, by endpoint. Guesses: they save a question under the lock, and the way past
 * all that is being called about to where the line goes on.
 */
export type Memory = Map<string, Remembered>

/** Takes from each of these lanes, which are locked, what it may send now. */
export async function claimFrom(tx: Tx, lanes: Lane[], memory: Memory, look: Look): Promise<Turn[]> {
  const [endpoints, heads] = await Promise.all([findByLane(tx, lanes), findHeads(tx, lanes, memory, look)])
  const moreToGiveUp = await giveUp(tx, lanes, endpoints, look.now)
  return lanes.map((lane) => {
    const endpoint = endpoints.get(lane.endpointId)
    if (!endpoint) return pass(lane, moreToGiveUp ? look.now : firstEnd(lane))
    const head = heads.get(endpoint.id)
    return head && reachable(endpoint) ? takeFrom(lane, endpoint, head, look) : pass(lane, null)
  })
}

/** Read under the lane's lock: whoever switches an endpoint on, and needs that lock to wake it, comes before this look or after. */
async function findByLane(tx: Tx, lanes: Lane[]): Promise<Map<string, Endpoint>> {
  const all = await findEndpoints(tx, [...new Set(lanes.map(({ merchantId }) => merchantId))])
  return new Map(all.map((endpoint) => [endpoint.id, endpoint]))
}

async function findHeads(tx: Tx, lanes: Lane[], memory: Memory, look: Look): Promise<Map<string, Head>> {
  const { now, fromBeginning } = look
  const lines = lanes.map((lane) => {
    const { merchantId, endpointId } = lane
    const remembered = memory.get(endpointId)
    const most = remembered?.most ?? DEFAULT_PACE.maxConcurrent
    const from = remembered && !fromBeginning && untouched(remembered, lane, now) ? remembered.from : null
    // One more than may leave shows when the lane has something to do next.
    return { merchantId, endpointId, claimed: positionsOf(lane), from, limit: room(lane, { most, now }) + 1 }
  })
  const found = Map.groupBy(await selectDue(tx, lines), ({ endpointId }) => endpointId)
  return new Map(
    lines.map(({ endpointId, from, limit }) => {
      const due = found.get(endpointId) ?? []
      return [endpointId, { due, from, whole: due.length < limit }]
    }),
  )
}

/** Nobody else has claimed from it or added to it since, nothing has become free again, and no clock was set back. */
function untouched({ fence, wakeAt, ends, from }: Remembered, found: Lane, now: Date): boolean {
  const same = fence === found.fence && wakeAt?.getTime() === found.wakeAt?.getTime()
  // What a clock that was set back lets go, or lets wait, may stand before the place where the line went on.
  return same && (ends === null || ends > now) && (from === null || from <= now)
}

/** What waits for endpoints that are gone; answers whether there may be more. */
async function giveUp(tx: Tx, lanes: Lane[], endpoints: Map<string, Endpoint>, now: Date): Promise<boolean> {
  const gone = lanes.filter(({ endpointId }) => !endpoints.has(endpointId))
  if (gone.length === 0) return false
  return (await giveUpSome(tx, gone, { claimed: claimedOn(gone), now, limit: GIVE_UP_AT_ONCE })) >= GIVE_UP_AT_ONCE
}

/** Nothing leaves. The lane of an endpoint that is off sleeps until it is switched on; one that is gone ends with its last call. */
function pass(lane: Lane, wakeAt: Date | null): Turn {
  return { lane: { ...lane, wakeAt }, claimed: [] }
}

function takeFrom(before: Lane, endpoint: Endpoint, head: Head, { now, realNow }: Look): Turn {
  const tokens = refill(before, endpoint.maxPerSecond, realNow)
  const places = Math.min(room(before, { most: endpoint.maxConcurrent, now }), Math.floor(tokens))
  const claimed = head.due.slice(0, places).filter(({ nextAt }) => nextAt <= now)
  const after = {
    ...withClaim(before, claimed, now),
    tokens: tokens - claimed.length,
    tokensAt: refilledAt(before, realNow),
  }
  // The end of a line that was not read from its beginning is looked at once more, from there.
  const nextDue = head.due[claimed.length]?.nextAt ?? (head.whole && head.from === null ? null : now)
  const next = [nextDue, firstEnd(after)].flatMap((date) => date?.getTime() ?? [])
  // Without room left it is looked at again in a while; else as soon as the next one is due, which may be now.
  const full = claimed.length === places
  const notBefore = Math.max(full ? now.getTime() + LOOK_AGAIN_MS : 0, after.openUntil?.getTime() ?? 0)
  const lane = { ...after, wakeAt: next.length === 0 ? null : new Date(Math.max(Math.min(...next), notBefore)) }
  const { fence, wakeAt } = lane
  const from = claimed.at(-1)?.nextAt ?? head.from
  const remembered = { most: endpoint.maxConcurrent, fence, wakeAt, ends: firstEnd(lane), from }
  return { lane, claimed: claimed.map((one) => ({ ...one, fence, endpoint })), remembered }
}

function withClaim(lane: Lane, claimed: Due[], now: Date): Lane {
  if (claimed.length === 0) return lane
  const claim = {
    fence: lane.fence < LAST_FENCE ? lane.fence + 1 : 1,
    until: now.getTime() + LEASE_MS,
    positions: claimed.map(({ position }) => position),
  }
  return { ...lane, fence: claim.fence, claims: [...lane.claims, claim] }
}

/** When the first of its claims runs out. */
function firstEnd({ claims }: Lane): Date | null {
  return claims.length === 0 ? null : new Date(Math.min(...claims.map(({ until }) => until)))
}

function reachable({ state, url }: Endpoint): boolean {
  return state === 'enabled' && url !== null
}

import type { Clock } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/db.ts'
import type { Endpoint } from '../../merchants/index.ts'
import { findEndpoints } from '../../merchants/index.ts'
import { selectBodies } from '../store.ts'
import type { Lane } from '../lanes/lane.ts'
import { refill, room } from '../lanes/lane.ts'
import { lockAwakeLanes, lockLanes, settleLanes, wakeLanes } from '../lanes/store.ts'
import type { Claimed } from './store.ts'
import { claimDue, countCalling, releaseExpiredClaims, selectNextDue, unclaim } from './store.ts'

/** A delivery that this process may make, now. */
export type Call = Claimed & { endpoint: Endpoint; body: string; claimedAt: number }

type Needs = { db: Db; clock: Clock; realClock: Clock }

/** Four times the deadline of a call: one that waits here for its turn still has time for it. */
export const LEASE_MS = 60_000
const LANES_AT_ONCE = 50
/** While some are being sent, as many wait here, so that a connection that comes free is used at once. */
const AHEAD = 2
/** A lane that had no room is looked at again after this, or as soon as one of its calls is answered. */
const LOOK_AGAIN_MS = 500

type Turn = { lane: Lane; endpoint: Endpoint | undefined; room: number; tokens: number }

export async function claimDeliveries(app: Needs): Promise<Call[]> {
  const claimedAt = performance.now()
  const { claims, endpoints } = await app.db.transaction(async (tx) => {
    const [now, realNow] = [app.clock.now(), app.realClock.now()]
    const lanes = await lockAwakeLanes(tx, now, LANES_AT_ONCE)
    if (lanes.length === 0) return { claims: [], endpoints: new Map<string, Endpoint>() }
    const [, calling, endpoints] = await Promise.all([
      releaseExpiredClaims(tx, lanes, now),
      countCalling(tx, lanes),
      findReachable(tx, lanes),
    ])
    const turns = lanes.map((lane) => plan(lane, endpoints.get(lane.endpointId), calling, now, realNow))
    const open = turns.filter((turn) => turn.room > 0).map((turn) => ({ ...turn.lane, room: turn.room }))
    const until = new Date(now.getTime() + LEASE_MS)
    const claims = open.length === 0 ? [] : await claimDue(tx, open, { now, until })
    const taken = Map.groupBy(claims, ({ endpointId }) => endpointId)
    const due = await selectNextDue(tx, lanes)
    const settled = turns.map(({ lane, endpoint, ...turn }) => {
      const nextDue = endpoint && due.get(lane.endpointId)
      const tokens = turn.tokens - (taken.get(lane.endpointId)?.length ?? 0)
      return { ...lane, tokens, tokensAt: realNow, wakeAt: nextDue ? wakeAt(lane, turn.room, nextDue, now) : null }
    })
    void tx.withCommit(settleLanes(tx, settled))
    return { claims, endpoints }
  })
  if (claims.length === 0) return []
  const bodies = await selectBodies(
    app.db,
    claims.map(({ merchantId, eventId }) => ({ merchantId, id: eventId })),
  )
  return claims.map((claim) => {
    const [endpoint, body] = [endpoints.get(claim.endpointId), bodies.get(claim.eventId)]
    if (!endpoint || body === undefined) throw new Error(`Claimed ${claim.eventId}, which has no endpoint or no body.`)
    return { ...claim, endpoint, body, claimedAt }
  })
}

/** Calls that were not made, for another process. It looks at once: their lanes may sleep until the claims run out. */
export async function giveBack({ db, clock }: Pick<Needs, 'db' | 'clock'>, calls: Call[]): Promise<void> {
  if (calls.length === 0) return
  await db.transaction(async (tx) => {
    await lockLanes(tx, calls)
    await unclaim(tx, calls)
    await wakeLanes(tx, calls, clock.now())
  })
}

/**
 * Endpoints that can be sent to. One that is off is left out, and its lane goes to sleep; read under the lane's lock, so that
 * whoever switches it on, and needs that lock to wake it, comes before this look or after this sleep.
 */
async function findReachable(tx: Tx, lanes: Lane[]): Promise<Map<string, Endpoint>> {
  const all = await findEndpoints(tx, [...new Set(lanes.map(({ merchantId }) => merchantId))])
  return new Map(all.filter(({ state, url }) => state === 'enabled' && url !== null).map((one) => [one.id, one]))
}

function plan(
  lane: Lane,
  endpoint: Endpoint | undefined,
  calling: Map<string, number>,
  now: Date,
  realNow: Date,
): Turn {
  if (!endpoint) return { lane, endpoint, room: 0, tokens: lane.tokens }
  const tokens = refill(lane, endpoint.maxPerSecond, realNow)
  const places = room(lane, { calling: calling.get(lane.endpointId) ?? 0, most: endpoint.maxConcurrent * AHEAD, now })
  return { lane, endpoint, tokens, room: Math.min(places, Math.floor(tokens)) }
}

/** Without room it is looked at again in a while; else as soon as the next one is due, which may be now. */
function wakeAt({ openUntil }: Lane, places: number, nextDue: Date, now: Date): Date {
  const notBefore = places === 0 ? now.getTime() + LOOK_AGAIN_MS : 0
  return new Date(Math.max(nextDue.getTime(), notBefore, openUntil?.getTime() ?? 0))
}

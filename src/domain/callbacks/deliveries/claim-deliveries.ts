import type { Clock } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/db.ts'
import type { Endpoint } from '../../merchants/index.ts'
import { findEndpoints } from '../../merchants/index.ts'
import { selectBodies } from '../store.ts'
import type { Lane } from '../lanes/lane.ts'
import { refill, room } from '../lanes/lane.ts'
import { lockAwakeLanes, settleLanes } from '../lanes/store.ts'
import type { Claimed } from './store.ts'
import { claimDue, countCalling, giveUpSome, releaseExpiredClaims, selectNextDue } from './store.ts'

/** A delivery that this process may make, now. */
export type Call = Claimed & { endpoint: Endpoint; body: string; claimedAt: number }

type Needs = { db: Db; clock: Clock; realClock: Clock }

/** Four times the deadline of a call: an answer that takes all of it is still recorded in time. */
export const LEASE_MS = 60_000
const LANES_AT_ONCE = 50
/** A lane that had no room is looked at again after this, or as soon as one of its calls is answered. */
const LOOK_AGAIN_MS = 500

/** Of endpoints that are gone: few enough that a lane is held briefly, however much had piled up. */
const GIVE_UP_AT_ONCE = 1000

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
      findByLane(tx, lanes),
    ])
    const turns = lanes.map((lane) => plan(lane, endpoints.get(lane.endpointId), calling, now, realNow))
    const open = turns.filter((turn) => turn.room > 0).map((turn) => ({ ...turn.lane, room: turn.room }))
    const until = new Date(now.getTime() + LEASE_MS)
    const claims = open.length === 0 ? [] : await claimDue(tx, open, { now, until })
    const taken = Map.groupBy(claims, ({ endpointId }) => endpointId)
    const gone = lanes.filter(({ endpointId }) => !endpoints.has(endpointId))
    const moreToGiveUp = gone.length > 0 && (await giveUpSome(tx, gone, now, GIVE_UP_AT_ONCE)) >= GIVE_UP_AT_ONCE
    const due = await selectNextDue(tx, lanes)
    const settled = turns.map((turn) => {
      const { endpointId } = turn.lane
      const tokens = turn.tokens - (taken.get(endpointId)?.length ?? 0)
      const nextDue = moreToGiveUp && !turn.endpoint ? now : due.get(endpointId)
      return { ...turn.lane, tokens, tokensAt: realNow, wakeAt: nextDue ? wakeAt(turn, nextDue, now) : null }
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

/** Read under the lane's lock: whoever switches an endpoint on or off, and needs that lock too, comes before this look or after. */
async function findByLane(tx: Tx, lanes: Lane[]): Promise<Map<string, Endpoint>> {
  const all = await findEndpoints(tx, [...new Set(lanes.map(({ merchantId }) => merchantId))])
  return new Map(all.map((endpoint) => [endpoint.id, endpoint]))
}

function plan(
  lane: Lane,
  endpoint: Endpoint | undefined,
  calling: Map<string, number>,
  now: Date,
  realNow: Date,
): Turn {
  if (!endpoint || !reachable(endpoint)) return { lane, endpoint, room: 0, tokens: lane.tokens }
  const tokens = refill(lane, endpoint.maxPerSecond, realNow)
  const places = room(lane, { calling: calling.get(lane.endpointId) ?? 0, most: endpoint.maxConcurrent, now })
  return { lane, endpoint, tokens, room: Math.min(places, Math.floor(tokens)) }
}

function reachable({ state, url }: Endpoint): boolean {
  return state === 'enabled' && url !== null
}

/**
 * Without room it is looked at again in a while; else as soon as the next one is due, which may be now. The lane of an
 * endpoint that is off sleeps until it is switched on.
 */
function wakeAt({ lane, endpoint, room }: Turn, nextDue: Date, now: Date): Date | null {
  if (endpoint && !reachable(endpoint)) return null
  const notBefore = room === 0 ? now.getTime() + LOOK_AGAIN_MS : 0
  return new Date(Math.max(nextDue.getTime(), notBefore, lane.openUntil?.getTime() ?? 0))
}

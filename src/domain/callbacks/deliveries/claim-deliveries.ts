import type { Clock } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/db.ts'
import type { Endpoint } from '../../merchants/index.ts'
import { findEndpoints } from '../../merchants/index.ts'
import { selectBodies } from '../store.ts'
import type { Lane } from '../lanes/lane.ts'
import { refill, room } from '../lanes/lane.ts'
import { commitWithoutWaiting, lockAwakeLanes, settleLanes } from '../lanes/store.ts'
import type { Claimed, Due, Head } from './store.ts'
import { claim, selectHeads } from './store.ts'

/** A delivery that this process may make, now. */
export type Call = Claimed & { endpoint: Endpoint; body: string; claimedAt: number }

type Needs = { db: Db; clock: Clock; realClock: Clock }

/** Four times the deadline of a call: an answer that takes all of it is still recorded in time. */
export const LEASE_MS = 60_000
const LANES_AT_ONCE = 50
/** A lane that had no room is looked at again after this, or as soon as one of its calls is answered. */
const LOOK_AGAIN_MS = 500

type Turn = { lane: Lane; endpoint: Endpoint | undefined; claimed: Due[]; tokens: number; wakeAt: Date | null }

export async function claimDeliveries(app: Needs): Promise<Call[]> {
  const claimedAt = performance.now()
  const { turns, written } = await app.db.transaction(async (tx) => {
    const [now, realNow] = [app.clock.now(), app.realClock.now()]
    const [, lanes] = await Promise.all([commitWithoutWaiting(tx), lockAwakeLanes(tx, now, LANES_AT_ONCE)])
    if (lanes.length === 0) return { turns: [] }
    const endpoints = await findReachable(tx, lanes)
    const open = lanes.flatMap((lane) => {
      const endpoint = endpoints.get(lane.endpointId)
      return endpoint ? { ...lane, most: endpoint.maxConcurrent } : []
    })
    const heads = new Map((await selectHeads(tx, open, now)).map((head) => [head.endpointId, head]))
    const until = new Date(now.getTime() + LEASE_MS)
    const turns = lanes.map((lane) => {
      return takeTurn(lane, endpoints.get(lane.endpointId), heads.get(lane.endpointId), { now, realNow, until })
    })
    const claimed = turns.flatMap((turn) => turn.claimed)
    const settled = turns.map(({ lane, tokens, wakeAt }) => ({ ...lane, tokens, tokensAt: realNow, wakeAt }))
    const keys = claimed.map(({ merchantId, eventId }) => ({ merchantId, id: eventId }))
    const writes = Promise.all([selectBodies(tx, keys), claim(tx, claimed, until), settleLanes(tx, settled)])
    return { turns, written: tx.withCommit(writes) }
  })
  const [bodies] = (await written) ?? []
  return bodies ? turns.flatMap((turn) => callsOf(turn, bodies, claimedAt)) : []
}

type Times = { now: Date; realNow: Date; until: Date }

/** What a lane may send now, and when it is to be looked at again. */
function takeTurn(lane: Lane, endpoint: Endpoint | undefined, head: Head | undefined, times: Times): Turn {
  const { now, realNow, until } = times
  if (!endpoint || !head) return { lane, endpoint, claimed: [], tokens: lane.tokens, wakeAt: null }
  const tokens = refill(lane, endpoint.maxPerSecond, realNow)
  const places = Math.min(room(lane, { calling: head.calling, most: endpoint.maxConcurrent, now }), Math.floor(tokens))
  const claimed = head.next.filter(({ nextAt }) => nextAt <= now).slice(0, places)
  const left = head.next[claimed.length]
  const next = [left?.nextAt, head.firstEnd, claimed.length > 0 ? until : null].flatMap((date) => date?.getTime() ?? [])
  // Without room it is looked at again in a while; else as soon as the next one is due, which may be now.
  const notBefore = Math.max(places === 0 ? now.getTime() + LOOK_AGAIN_MS : 0, lane.openUntil?.getTime() ?? 0)
  const wakeAt = next.length === 0 ? null : new Date(Math.max(Math.min(...next), notBefore))
  return { lane, endpoint, claimed, tokens: tokens - claimed.length, wakeAt }
}

function callsOf({ endpoint, claimed }: Turn, bodies: Map<string, string>, claimedAt: number): Call[] {
  return claimed.map((due) => {
    const body = bodies.get(due.eventId)
    if (!endpoint || body === undefined) throw new Error(`Claimed ${due.eventId}, which has no body.`)
    return { ...due, fence: due.fence + 1, endpoint, body, claimedAt }
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

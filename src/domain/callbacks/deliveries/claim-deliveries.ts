import type { Clock } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/db.ts'
import type { Endpoint } from '../../merchants/index.ts'
import { findEndpoints } from '../../merchants/index.ts'
import { selectBodies } from '../store.ts'
import type { Lane } from '../lanes/lane.ts'
import { refill, room } from '../lanes/lane.ts'
import { commitWithoutWaiting, lockAwakeLanes, settleLanes } from '../lanes/store.ts'
import type { Claimed, Due, Head } from './store.ts'
import { claim, giveUpSome, selectHeads } from './store.ts'

/** A delivery that this process may make, now. */
export type Call = Claimed & { endpoint: Endpoint; body: string; claimedAt: number }

type Needs = { db: Db; clock: Clock; realClock: Clock }

/** Four times the deadline of a call: an answer that takes all of it is still recorded in time. */
export const LEASE_MS = 60_000
const LANES_AT_ONCE = 50
/** A lane that had no room is looked at again after this, or as soon as one of its calls is answered. */
const LOOK_AGAIN_MS = 500
/** Of each endpoint that is gone: few enough that its lane is held briefly, however much had piled up. */
const GIVE_UP_AT_ONCE = 1000

type Turn = { lane: Lane; endpoint: Endpoint | undefined; claimed: Due[]; tokens: number; wakeAt: Date | null }

export async function claimDeliveries(app: Needs): Promise<Call[]> {
  const claimedAt = performance.now()
  const { turns, written } = await app.db.transaction(async (tx) => {
    const [now, realNow] = [app.clock.now(), app.realClock.now()]
    const [, lanes] = await Promise.all([commitWithoutWaiting(tx), lockAwakeLanes(tx, now, LANES_AT_ONCE)])
    if (lanes.length === 0) return { turns: [] }
    const endpoints = await findByLane(tx, lanes)
    const gone = lanes.filter(({ endpointId }) => !endpoints.has(endpointId))
    const moreToGiveUp = gone.length > 0 && (await giveUpSome(tx, gone, now, GIVE_UP_AT_ONCE)) >= GIVE_UP_AT_ONCE
    const open = lanes.map((lane) => ({ ...lane, most: endpoints.get(lane.endpointId)?.maxConcurrent ?? 1 }))
    const heads = new Map((await selectHeads(tx, open, now)).map((head) => [head.endpointId, head]))
    const until = new Date(now.getTime() + LEASE_MS)
    const turns = lanes.map((lane) => {
      const [endpoint, head] = [endpoints.get(lane.endpointId), heads.get(lane.endpointId)]
      if (!endpoint) return pass(lane, moreToGiveUp ? now : (head?.firstEnd ?? null))
      return head && reachable(endpoint) ? takeTurn(lane, endpoint, head, { now, realNow, until }) : pass(lane, null)
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

/** Nothing leaves. The lane of an endpoint that is off sleeps until it is switched on; one that is gone ends with its last call. */
function pass(lane: Lane, wakeAt: Date | null): Turn {
  return { lane, endpoint: undefined, claimed: [], tokens: lane.tokens, wakeAt }
}

/** What a lane may send now, and when it is to be looked at again. */
function takeTurn(lane: Lane, endpoint: Endpoint, head: Head, { now, realNow, until }: Times): Turn {
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

/** Read under the lane's lock: whoever switches an endpoint on, and needs that lock to wake it, comes before this look or after. */
async function findByLane(tx: Tx, lanes: Lane[]): Promise<Map<string, Endpoint>> {
  const all = await findEndpoints(tx, [...new Set(lanes.map(({ merchantId }) => merchantId))])
  return new Map(all.map((endpoint) => [endpoint.id, endpoint]))
}

function reachable({ state, url }: Endpoint): boolean {
  return state === 'enabled' && url !== null
}

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db.ts'
import { selectBodies } from '../store.ts'
import type { Address, AddressBook } from './address-book.ts'
import type { Lane } from './lane.ts'
import { refill, room } from './lane.ts'
import type { Claimed } from './store.ts'
import { claimDue, countCalling, lockAwakeLanes, releaseExpiredClaims, settleLanes, sleepLanes } from './store.ts'

/** A delivery that this process may make, now, with everything it needs. */
export type Call = Claimed & { address: Address; body: string; claimedAt: number }

type Needs = { db: Db; clock: Clock; realClock: Clock }

/** Four times the deadline of a call: one that waits here for its turn still has time for it. */
export const LEASE_MS = 60_000
const LANES_AT_ONCE = 50
/** While some are being sent, as many wait here, so that a connection that comes free is used at once. */
const AHEAD = 2
/** A lane that had no room is looked at again after this, or as soon as one of its calls is answered. */
const LOOK_AGAIN_MS = 500

type Turn = { lane: Lane; address: Address | undefined; room: number; tokens: number }

export async function claimDeliveries(app: Needs, book: AddressBook): Promise<Call[]> {
  const claimedAt = performance.now()
  const { claims, addresses } = await app.db.transaction(async (tx) => {
    const [now, realNow] = [app.clock.now(), app.realClock.now()]
    const lanes = await lockAwakeLanes(tx, now, LANES_AT_ONCE)
    if (lanes.length === 0) return { claims: [], addresses: new Map<string, Address>() }
    const [, calling, addresses] = await Promise.all([
      releaseExpiredClaims(tx, lanes, now),
      countCalling(tx, lanes),
      lookUp(book, lanes),
    ])
    const turns = lanes.map((lane) => plan(lane, addresses.get(lane.endpointId), calling, now, realNow))
    const open = turns.filter((turn) => turn.room > 0).map((turn) => ({ ...turn.lane, room: turn.room }))
    const until = new Date(now.getTime() + LEASE_MS)
    const claims = open.length === 0 ? [] : await claimDue(tx, open, { now, until })
    const taken = Map.groupBy(claims, ({ endpointId }) => endpointId)
    const [awake, asleep] = [turns.filter(({ address }) => address), turns.filter(({ address }) => !address)]
    const settled = awake.map((turn) => settle(turn, taken.get(turn.lane.endpointId)?.length ?? 0, now, realNow))
    const sleeping = asleep.map(({ lane }) => lane)
    void tx.withCommit(Promise.all([settleLanes(tx, settled), sleepLanes(tx, sleeping)]))
    return { claims, addresses }
  })
  if (claims.length === 0) return []
  const bodies = await selectBodies(
    app.db,
    claims.map(({ merchantId, eventId }) => ({ merchantId, id: eventId })),
  )
  return claims.map((claim) => {
    const [address, body] = [addresses.get(claim.endpointId), bodies.get(claim.eventId)]
    if (!address || body === undefined) throw new Error(`Claimed ${claim.eventId}, which has no address or no body.`)
    return { ...claim, address, body, claimedAt }
  })
}

/** Endpoints that can be sent to; one that is off, or has no address, is left out, and its lane goes to sleep. */
async function lookUp(book: AddressBook, lanes: Lane[]): Promise<Map<string, Address>> {
  const books = await Promise.all([...new Set(lanes.map(({ merchantId }) => merchantId))].map(book))
  const all = books.flatMap((one) => [...one.values()])
  return new Map(all.filter(({ state, url }) => state === 'enabled' && url !== null).map((one) => [one.id, one]))
}

function plan(lane: Lane, address: Address | undefined, calling: Map<string, number>, now: Date, realNow: Date): Turn {
  if (!address) return { lane, address, room: 0, tokens: lane.tokens }
  const tokens = refill(lane, address.maxPerSecond, realNow)
  const places = room(lane, { calling: calling.get(lane.endpointId) ?? 0, most: address.maxConcurrent * AHEAD, now })
  return { lane, address, tokens, room: Math.min(places, Math.floor(tokens)) }
}

function settle({ lane, room: places, tokens }: Turn, taken: number, now: Date, realNow: Date) {
  // Taken less than it might: nothing else is due, and the next to fall due wakes it. Else it wants another turn, soon.
  const pause = places === 0 ? LOOK_AGAIN_MS : 0
  const notBefore = new Date(Math.max(now.getTime() + pause, lane.openUntil?.getTime() ?? 0))
  return { ...lane, tokens: tokens - taken, tokensAt: realNow, notBefore }
}

import type { Clock } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/db.ts'
import type { Log } from '../../../platform/log.ts'
import type { Answer } from '../../../platform/outbound.ts'
import type { Random } from '../../../platform/random.ts'
import { setEndpointState } from '../../merchants/index.ts'
import { insertAttempts } from '../attempts/store.ts'
import type { Lane } from '../lanes/lane.ts'
import { afterAnswer, GONE } from '../lanes/lane.ts'
import { nextTry } from './schedule.ts'
import type { Claimed, Ended } from './store.ts'
import { commitWithoutWaiting, lockLanes, updateLanes } from '../lanes/store.ts'
import { endClaims, promoteNext } from './store.ts'

export type Answered = { claim: Claimed; answer: Answer; at: Date }
type Needs = { db: Db; clock: Clock; random: Random; log: Log }

/** What came of a list of calls: each an attempt for ever, and each delivery through, due again, or given up. */
export async function recordAnswers(app: Needs, list: Answered[]): Promise<('recorded' | 'late')[]> {
  const current = await app.db.transaction(async (tx) => {
    const claims = list.map(({ claim }) => claim)
    const [, lanes] = await Promise.all([commitWithoutWaiting(tx), lockLanes(tx, claims)])
    const now = app.clock.now()
    const ended = list.map((one) => end(app, one, now))
    const writes = Promise.all([endClaims(tx, ended, now), insertAttempts(tx, list.map(attempt))])
    writes.catch(() => undefined)
    await judgeLanes(app, tx, lanes, list, now)
    const [current] = await writes
    const followed = current.filter((one) => one.followed)
    if (followed.length > 0) await promoteNext(tx, followed, now)
    return current
  })
  const recorded = new Set(current.map(keyOf))
  return list.map(({ claim }) => (recorded.has(keyOf(claim)) ? 'recorded' : 'late'))
}

function end({ random }: Needs, { claim, answer }: Answered, now: Date): Ended {
  const { merchantId, endpointId, eventId, fence } = claim
  const { outcome, status, retryAfterSeconds } = answer
  const known = { merchantId, endpointId, eventId, fence, outcome, status }
  if (outcome === 'accepted') return { ...known, state: 'delivered', nextAt: now }
  const chance = random.bytes(4).readUInt32BE() / 0xffffffff
  const next = nextTry({ tries: claim.tries + 1, since: claim.since, now, retryAfterSeconds, chance })
  return next ? { ...known, state: 'waiting', nextAt: next } : { ...known, state: 'given_up', nextAt: now }
}

function attempt({ claim: { merchantId, eventId, endpointId, fence }, answer, at }: Answered) {
  return { merchantId, eventId, endpointId, number: fence, at, answer }
}

async function judgeLanes(app: Needs, tx: Tx, lanes: Lane[], list: Answered[], now: Date): Promise<void> {
  const judged: Lane[] = []
  for (const before of lanes) {
    let lane = before
    let disable: string | null = null
    for (const { answer } of list.filter(({ claim }) => claim.endpointId === lane.endpointId)) {
      const verdict = afterAnswer(lane, answer, now)
      const { merchantId, endpointId } = lane
      if (verdict.warn)
        app.log.warn({ merchantId, endpointId, failingSince: verdict.lane.failingSince }, 'callbacks only fail')
      lane = verdict.lane
      // Who says Gone wants no more, whatever else it answered in the same moment.
      if (disable !== GONE) disable = verdict.disable
    }
    if (disable !== null) {
      const { merchantId, endpointId } = lane
      await setEndpointState(tx, merchantId, endpointId, 'disabled', disable)
      app.log.warn({ merchantId, endpointId, reason: disable }, 'callback endpoint disabled; its events wait')
    }
    judged.push(lane)
  }
  await updateLanes(tx, judged, now)
}

function keyOf({ endpointId, eventId }: { endpointId: string; eventId: string }): string {
  return `${endpointId}/${eventId}`
}

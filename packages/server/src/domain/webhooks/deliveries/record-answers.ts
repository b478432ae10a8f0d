import type { Tx } from '../../../platform/postgres/db.ts'
import type { Log } from '../../../platform/log.ts'
import type { Answer } from '../../../platform/http-client/outbound.ts'
import type { Random } from '../../../platform/crypto/random.ts'
import { setEndpointState } from '../../merchants/index.ts'
import { insertAttempts } from '../attempts/store.ts'
import type { Lane } from '../lanes/lane.ts'
import { afterAnswer, asOf, GONE, settleClaims } from '../lanes/lane.ts'
import type { Claimed } from './claim-deliveries.ts'
import { nextTry } from './schedule.ts'
import { endDelivered, endFailed, promoteNext } from './store.ts'

export type Answered = { claim: Omit<Claimed, 'endpoint' | 'nextAt'>; answer: Answer; at: Date }
/** Or it never left, and may be claimed again: nobody was called, and nobody failed. */
export type CameBack = Answered | (Omit<Answered, 'answer'> & { answer: null })
type Deps = { random: Random; log: Log }

type Recorded = {
  /** As they are after these answers. */
  lanes: Lane[]
  /** Those that still counted; the others came too late to decide anything. */
  covered: Set<Answered['claim']>
  written: Promise<unknown>
}

/** What came of a list of calls: each an attempt for ever, and each delivery through, due again, or given up. The lanes are locked. */
export function recordAnswers(app: Deps, tx: Tx, locked: Lane[], list: CameBack[], now: Date): Recorded {
  const byLane = Map.groupBy(list, ({ claim }) => claim.endpointId)
  const settled = locked.map((lane) => settle(app, lane, byLane.get(lane.endpointId) ?? [], now))
  const covered = new Set(settled.flatMap((one) => one.covered))
  const made = list.filter((one): one is Answered => one.answer !== null)
  const counted = made.filter(({ claim }) => covered.has(claim))
  const late = made.filter(({ claim }) => !covered.has(claim))
  const written = Promise.all([
    counted.length > 0 && insertAttempts(tx, counted.map(attempt), { late: false }),
    late.length > 0 && insertAttempts(tx, late.map(attempt), { late: true }),
    end(app, tx, counted, now),
    ...settled.map(({ lane, disable }) => switchOff(app, tx, lane, disable)),
  ])
  // Awaited with the commit; until then nobody else looks.
  written.catch(() => undefined)
  return { lanes: settled.map(({ lane }) => lane), covered, written }
}

function attempt({ claim: { merchantId, eventId, endpointId, fence }, answer, at }: Answered) {
  return { merchantId, eventId, endpointId, number: fence, at, answer }
}

async function end(app: Deps, tx: Tx, counted: Answered[], now: Date): Promise<void> {
  const delivered = counted.filter(({ answer }) => answer.outcome === 'accepted').map(({ claim }) => claim)
  const failed = counted.filter(({ answer }) => answer.outcome !== 'accepted').map((one) => afterFailure(app, one, now))
  const givenUp = failed.filter(({ state }) => state === 'given_up')
  await Promise.all([
    delivered.length > 0 && endDelivered(tx, delivered, now),
    failed.length > 0 && endFailed(tx, failed, now),
    givenUp.length > 0 && promoteNext(tx, givenUp, now),
  ])
}

function afterFailure({ random }: Deps, { claim, answer }: Answered, now: Date) {
  const { tries, since, ...one } = claim
  const { outcome, status, retryAfterSeconds } = answer
  const chance = random.bytes(4).readUInt32BE() / 0xffffffff
  const next = nextTry({ tries: tries + 1, since, now, retryAfterSeconds, chance })
  return { ...one, outcome, status, state: next ? ('waiting' as const) : ('given_up' as const), nextAt: next ?? now }
}

/** Which of these answers still count, the lane after all of them, and why its endpoint is to be switched off, if it is. */
function settle({ log }: Deps, before: Lane, list: CameBack[], now: Date) {
  const { covered, left } = settleClaims(
    before.claims,
    list.map(({ claim }) => claim),
  )
  // Claims are committed without waiting for the disk. If PostgreSQL was lost, so may be the last of them, and an answer bears a number that
  // the lane has not given out yet: the next claim must not give it out once more.
  const fence = Math.max(before.fence, ...list.map(({ claim }) => claim.fence))
  let lane = asOf({ ...before, claims: left, fence }, now)
  let disable: string | null = null
  for (const { answer } of list) {
    if (answer === null) continue
    const verdict = afterAnswer(lane, answer, now)
    const { merchantId, endpointId } = lane
    if (verdict.warn)
      log.warn({ merchantId, endpointId, failingSince: verdict.lane.failingSince }, 'callbacks only fail')
    lane = verdict.lane
    // Who says Gone wants no more, whatever else it answered in the same moment.
    if (disable !== GONE) disable = verdict.disable
  }
  return { lane, covered, disable }
}

async function switchOff({ log }: Deps, tx: Tx, lane: Lane, reason: string | null): Promise<void> {
  if (reason === null) return
  const { merchantId, endpointId } = lane
  await setEndpointState(tx, merchantId, endpointId, 'disabled', reason)
  log.warn({ merchantId, endpointId, reason }, 'callback endpoint disabled; its events wait')
}

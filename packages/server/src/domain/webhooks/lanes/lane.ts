import type { Outcome } from '../../../platform/http-client/outbound.ts'

export type LaneKey = { merchantId: string; endpointId: string }

/** Deliveries, by their positions, that one process may call about until then. Only under a claim that stands may it record. */
export type Claim = { fence: number; until: number; positions: string[] }

/** What is known about the way to one endpoint. */
export type Lane = LaneKey & {
  /** Failures in a row, and since when there was nothing else. */
  failures: number
  failingSince: Date | null
  warnedAt: Date | null
  /** Nothing before this moment, then one at a time until one is accepted. */
  openUntil: Date | null
  tokens: number
  tokensAt: Date
  /** When it is to be looked at next. Null: not until its endpoint is enabled or something new comes. */
  wakeAt: Date | null
  /** Counts the claims that were ever made. */
  fence: number
  claims: Claim[]
}

/** A receiver that fails this often in a row is down, not unlucky: its queue waits instead of being used up. */
const OPENS_AFTER_FAILURES = 10
/** Shorter than the schedule's longer pauses, so that it never delays a try that comes hours later. */
const FIRST_PAUSE_MS = 5000
const LONGEST_PAUSE_MS = 60_000

const DAY_MS = 24 * 60 * 60 * 1000
/** People should hear of it while the first retries are still hours apart, and be asked before much has piled up. */
const WARN_AFTER_MS = DAY_MS
const DISABLE_AFTER_MS = 7 * DAY_MS

/** Why an endpoint that says so is switched off. */
export const GONE = 'it answered 410 Gone'

export type Verdict = { lane: Lane; warn: boolean; disable: string | null }

/** The lane after one more answer, and what must be done about the endpoint. */
export function afterAnswer(
  lane: Lane,
  { outcome, status }: { outcome: Outcome; status: number | null },
  now: Date,
): Verdict {
  if (outcome === 'accepted') {
    // Nearly always, and for every call: nothing to change.
    if (lane.failingSince === null) return { lane, warn: false, disable: null }
    const well = { ...lane, failures: 0, failingSince: null, warnedAt: null, openUntil: null }
    return { lane: well, warn: false, disable: null }
  }
  // It had left before the pause: ten that fail together are one outage, and must not make its pause the longest at once.
  const duringPause = lane.openUntil !== null && lane.openUntil > now
  const failures = duringPause ? lane.failures : lane.failures + 1
  const failingSince = lane.failingSince ?? now
  const failingMs = now.getTime() - failingSince.getTime()
  const warn = failingMs >= WARN_AFTER_MS && lane.warnedAt === null
  const failing = {
    ...lane,
    failures,
    failingSince,
    warnedAt: warn ? now : lane.warnedAt,
    openUntil: duringPause ? lane.openUntil : pauseUntil(failures, now),
  }
  if (status === 410) return { lane: failing, warn, disable: GONE }
  const tooLong = failingMs >= DISABLE_AFTER_MS
  return { lane: failing, warn, disable: tooLong ? 'it has only failed for seven days' : null }
}

function pauseUntil(failures: number, now: Date): Date | null {
  const beyond = failures - OPENS_AFTER_FAILURES
  if (beyond < 0) return null
  return new Date(now.getTime() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** beyond))
}

/** Four times the deadline of a call: an answer that takes all of it is still recorded in time. */
export const LEASE_MS = 60_000

/**
 * Without what is over. A claim that has run out is free again. Nothing lasts longer than if it had begun now: after a clock was set
 * back, by a day in a sandbox, the pause or the claims of a process that died would else stop an endpoint for that day.
 */
export function asOf(lane: Lane, now: Date): Lane {
  const time = now.getTime()
  const claims = lane.claims
    .filter(({ until }) => until > time)
    .map((claim) => ({ ...claim, until: Math.min(claim.until, time + LEASE_MS) }))
  const openUntil = lane.openUntil && new Date(Math.min(lane.openUntil.getTime(), time + LONGEST_PAUSE_MS))
  return { ...lane, claims, openUntil }
}

/** Everything under a claim, whether it has run out or not: an answer to it may still come. */
export function positionsOf({ claims }: Lane): string[] {
  return claims.flatMap(({ positions }) => positions)
}

export function claimedOn(lanes: Lane[]): { endpointId: string; position: string }[] {
  return lanes.flatMap((lane) => positionsOf(lane).map((position) => ({ endpointId: lane.endpointId, position })))
}

/** Which of these the claims still cover, and the claims without them. */
export function settleClaims<Answered extends { fence: number; position: string }>(
  claims: Claim[],
  answered: Answered[],
) {
  const byFence = Map.groupBy(answered, ({ fence }) => fence)
  const covered: Answered[] = []
  const left = claims.flatMap((claim) => {
    const open = new Set(claim.positions)
    covered.push(...(byFence.get(claim.fence) ?? []).filter(({ position }) => open.delete(position)))
    return open.size > 0 ? { ...claim, positions: [...open] } : []
  })
  return { covered, left }
}

/** A paused lane takes none, then one at a time: the first that is accepted opens it again. */
export function room(lane: Lane, { most, now }: { most: number; now: Date }): number {
  const calling = positionsOf(lane).length
  if (lane.openUntil === null) return Math.max(0, most - calling)
  return lane.openUntil > now ? 0 : Math.max(0, 1 - calling)
}

/** The clocks of two processes may differ by this much. */
const CLOCKS_DIFFER_MS = 10_000

/** Until when a lane has been refilled: by the faster clock, or every change from one process to the other would fill it again. */
export function refilledAt({ tokensAt }: Lane, now: Date): Date {
  const aheadMs = tokensAt.getTime() - now.getTime()
  // One that was more than a little wrong is not waited for.
  return aheadMs > 0 && aheadMs <= CLOCKS_DIFFER_MS ? tokensAt : now
}

/** What may be claimed now of so many a second; a second's worth gathers at most. */
export function refill({ tokens, tokensAt }: Lane, perSecond: number, now: Date): number {
  const gained = ((now.getTime() - tokensAt.getTime()) / 1000) * perSecond
  return Math.min(perSecond, tokens + Math.max(0, gained))
}

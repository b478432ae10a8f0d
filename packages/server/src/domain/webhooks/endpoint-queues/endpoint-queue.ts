import type { Outcome } from '../../../platform/http-client/outbound.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'

export type QueueKey = { merchantId: string; endpointId: string }

/** The state of one endpoint. Its row must be locked to change its deliveries. */
export type EndpointQueue = QueueKey & {
  /** Consecutive failures, and since when there was nothing else. */
  failures: number
  failingSince: Date | null
  warnedAt: Date | null
  /** No call before this time, then one at a time until one is accepted. */
  pausedUntil: Date | null
  /** Remaining calls of `maxPerSecond`, as of `tokensAt`. */
  tokens: number
  tokensAt: Date
  /** When to check for due deliveries next; null until the endpoint is enabled or a new delivery arrives. */
  wakeAt: Date | null
  /** Number of the newest claim. */
  lastClaim: number
}

/** After this many consecutive failures an endpoint counts as down. */
const PAUSE_AFTER_FAILURES = 10
/** Shorter than the longer pauses of the retry schedule, so that a pause does not delay those retries. */
const FIRST_PAUSE_MS = 5000
const LONGEST_PAUSE_MS = 60_000

const WARN_AFTER_MS = DAY_MS
const DISABLE_AFTER_MS = 7 * DAY_MS

const GONE = 'it answered 410 Gone'

/** `disable`: the reason to disable the endpoint, or null. */
export type Verdict = { queue: EndpointQueue; warn: boolean; disable: string | null }
type Result = { outcome: Outcome; status: number | null }

/** The queue after these results, and the action required for the endpoint. */
export function afterResults(queue: EndpointQueue, results: Result[], now: Date): Verdict {
  let verdict: Verdict = { queue, warn: false, disable: null }
  for (const result of results) {
    const next = afterResult(verdict.queue, result, now)
    // 410 takes precedence over all other results of the batch.
    const disable = verdict.disable === GONE ? GONE : next.disable
    verdict = { queue: next.queue, warn: verdict.warn || next.warn, disable }
  }
  return verdict
}

function afterResult(queue: EndpointQueue, { outcome, status }: Result, now: Date): Verdict {
  if (outcome === 'accepted') {
    const healthy = { ...queue, failures: 0, failingSince: null, warnedAt: null, pausedUntil: null }
    return { queue: healthy, warn: false, disable: null }
  }
  // Calls started before the pause do not extend it: ten that fail together are one outage.
  const duringPause = queue.pausedUntil !== null && queue.pausedUntil > now
  const failures = duringPause ? queue.failures : queue.failures + 1
  const failingSince = queue.failingSince ?? now
  const failingMs = now.getTime() - failingSince.getTime()
  const warn = failingMs >= WARN_AFTER_MS && queue.warnedAt === null
  const failing = {
    ...queue,
    failures,
    failingSince,
    warnedAt: warn ? now : queue.warnedAt,
    pausedUntil: duringPause ? queue.pausedUntil : pauseUntil(failures, now),
  }
  if (status === 410) return { queue: failing, warn, disable: GONE }
  const tooLong = failingMs >= DISABLE_AFTER_MS
  return { queue: failing, warn, disable: tooLong ? 'it has only failed for seven days' : null }
}

function pauseUntil(failures: number, now: Date): Date | null {
  const beyond = failures - PAUSE_AFTER_FAILURES
  if (beyond < 0) return null
  return new Date(now.getTime() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** beyond))
}

/** After a clock was set back, in a sandbox by a day, a pause still ends within a minute. */
export function limitPause(queue: EndpointQueue, now: Date): EndpointQueue {
  const latest = now.getTime() + LONGEST_PAUSE_MS
  const { pausedUntil } = queue
  return pausedUntil && pausedUntil.getTime() > latest ? { ...queue, pausedUntil: new Date(latest) } : queue
}

/** Maximum clock difference between two processes. */
const CLOCKS_DIFFER_MS = 10_000

/** Refills tokens up to now, at most one second's worth. The faster clock counts, so that two clocks that differ do not refill twice. */
export function refill(queue: EndpointQueue, perSecond: number, now: Date): EndpointQueue {
  const aheadMs = queue.tokensAt.getTime() - now.getTime()
  const gained = Math.max(0, (-aheadMs / 1000) * perSecond)
  const tokensAt = aheadMs > 0 && aheadMs <= CLOCKS_DIFFER_MS ? queue.tokensAt : now
  return { ...queue, tokens: Math.min(perSecond, queue.tokens + gained), tokensAt }
}

/** How many calls may start now, given the calls in progress. */
export function freeCalls(
  { pausedUntil, tokens }: EndpointQueue,
  { calling, maxConcurrent, now }: { calling: number; maxConcurrent: number; now: Date },
): number {
  if (pausedUntil && pausedUntil > now) return 0
  return Math.max(0, Math.min((pausedUntil ? 1 : maxConcurrent) - calling, Math.floor(tokens)))
}

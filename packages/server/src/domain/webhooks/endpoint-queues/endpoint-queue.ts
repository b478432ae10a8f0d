import type { Outcome } from '../../../platform/http-client/outbound.ts'

export type QueueKey = { merchantId: string; endpointId: string }

/** The state of one endpoint. Whoever changes its deliveries holds the lock of its row. */
export type EndpointQueue = QueueKey & {
  /** Failures in a row, and since when there was nothing else. */
  failures: number
  failingSince: Date | null
  warnedAt: Date | null
  /** No call before this moment, then one at a time until one is accepted. */
  pausedUntil: Date | null
  /** Calls left of `maxPerSecond`, as of `tokensAt`. */
  tokens: number
  tokensAt: Date
  /** When to look for due deliveries next; null until the endpoint is enabled or something new comes. */
  wakeAt: Date | null
  /** Number of the newest claim. */
  lastClaim: number
}

/** An endpoint that fails this often in a row is down. */
const PAUSE_AFTER_FAILURES = 10
/** Shorter than the longer pauses of the retry schedule, so that a pause does not delay those. */
const FIRST_PAUSE_MS = 5000
const LONGEST_PAUSE_MS = 60_000

const DAY_MS = 24 * 60 * 60 * 1000
const WARN_AFTER_MS = DAY_MS
const DISABLE_AFTER_MS = 7 * DAY_MS

const GONE = 'it answered 410 Gone'

/** `disable` is the reason for disabling the endpoint, if it must be. */
export type Verdict = { queue: EndpointQueue; warn: boolean; disable: string | null }
type Result = { outcome: Outcome; status: number | null }

/** The queue after these results, and what must be done about the endpoint. */
export function afterResults(queue: EndpointQueue, results: Result[], now: Date): Verdict {
  let verdict: Verdict = { queue, warn: false, disable: null }
  for (const result of results) {
    const next = afterResult(verdict.queue, result, now)
    // 410 counts whatever else was returned at the same time.
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
  // Calls that left before the pause do not lengthen it: ten that fail together are one outage.
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

/** The clocks of two processes may differ by this much. */
const CLOCKS_DIFFER_MS = 10_000

/** With the tokens of this moment, at most one second's worth. The faster clock counts: two that differ must not refill twice. */
export function refill(queue: EndpointQueue, perSecond: number, now: Date): EndpointQueue {
  const aheadMs = queue.tokensAt.getTime() - now.getTime()
  const gained = Math.max(0, (-aheadMs / 1000) * perSecond)
  const tokensAt = aheadMs > 0 && aheadMs <= CLOCKS_DIFFER_MS ? queue.tokensAt : now
  return { ...queue, tokens: Math.min(perSecond, queue.tokens + gained), tokensAt }
}

/** How many calls may start now, with so many under way. */
export function freeCalls(
  { pausedUntil, tokens }: EndpointQueue,
  { calling, maxConcurrent, now }: { calling: number; maxConcurrent: number; now: Date },
): number {
  if (pausedUntil && pausedUntil > now) return 0
  return Math.max(0, Math.min((pausedUntil ? 1 : maxConcurrent) - calling, Math.floor(tokens)))
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Pause after each failed attempt; after the last of these, every eight hours. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR]
const LAST_PAUSE_MS = 8 * HOUR
const GIVE_UP_AFTER_MS = 30 * 24 * HOUR
/** 20 % in both directions, so that deliveries that failed together are not retried together. */
const JITTER = 0.2

type Tried = {
  /** Failed attempts so far, including this one. */
  tries: number
  /** When the first attempt was due. */
  since: Date
  now: Date
  /** Retry-After of the receiver. */
  retryAfterSeconds: number | null
  /** Random number from 0 to 1. */
  chance: number
}

/** When to retry, or null once thirty days have passed. */
export function nextTry({ tries, since, now, retryAfterSeconds, chance }: Tried): Date | null {
  const pause = PAUSES_MS[tries - 1] ?? LAST_PAUSE_MS
  const jittered = pause * (1 + JITTER * (2 * chance - 1))
  const asked = (retryAfterSeconds ?? 0) * SECOND
  const next = now.getTime() + Math.max(jittered, asked)
  return next > since.getTime() + GIVE_UP_AFTER_MS ? null : new Date(next)
}

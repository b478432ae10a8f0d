const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Banks resolve most unknown outcomes within minutes; the rest need their next file or a person. */
const FIRST_INTERVALS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS]

/** When to query a payout with an unknown outcome again, after this many queries without a definite response. */
export function nextQuery(queries: number, now: Date): Date {
  return new Date(now.getTime() + (FIRST_INTERVALS_MS[queries] ?? HOUR_MS))
}

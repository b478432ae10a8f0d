const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Banks resolve most unknown outcomes within minutes; the rest need their next file or a person. */
const FIRST_ASKS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS]

/** When to query a payout with an unknown outcome again, after this many queries without a definite response. */
export function nextAsk(asks: number, now: Date): Date {
  return new Date(now.getTime() + (FIRST_ASKS_MS[asks] ?? HOUR_MS))
}

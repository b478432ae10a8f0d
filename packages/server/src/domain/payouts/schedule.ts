const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Banks settle most doubts within minutes; later ones need their next file or a person. */
const FIRST_ASKS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS]

/** When to ask again about a payout in doubt, after so many questions without a clear answer. */
export function nextAsk(asks: number, now: Date): Date {
  return new Date(now.getTime() + (FIRST_ASKS_MS[asks] ?? HOUR_MS))
}

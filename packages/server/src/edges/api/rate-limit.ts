import { Refusal } from '../../platform/refusal.ts'

/** A burst of this many seconds' worth passes at once. */
const BURST_SECONDS = 5
/** Keys that have not been seen for this many others are forgotten; a forgotten key starts with a full bucket. */
const MAX_KEYS = 10_000

/**
 * One bucket per API key and process, asked only after the signature held: nobody can use up a merchant's allowance
 * who does not have its secret.
 */
export function rateLimiter(): (apiKey: string, perSecond: number) => void {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return (apiKey, perSecond) => {
    const now = performance.now()
    const burst = perSecond * BURST_SECONDS
    let bucket = buckets.get(apiKey)
    if (!bucket) {
      if (buckets.size >= MAX_KEYS) buckets.clear()
      buckets.set(apiKey, (bucket = { tokens: burst, at: now }))
    }
    const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    // A refused request costs nothing, or whoever keeps asking would never be let in again.
    bucket.tokens = tokens < 1 ? tokens : tokens - 1
    bucket.at = now
    if (tokens < 1) {
      throw new Refusal(
        'RATE_LIMITED',
        `More than ${perSecond} requests a second with this key. Slow down and try again.`,
        {
          retryAfterSeconds: Math.ceil((1 - tokens) / perSecond),
        },
      )
    }
  }
}

/** The least recently used is dropped beyond this; a dropped one starts again with a full bucket. */
const MAX_BUCKETS = 10_000

/** How many pass per second, and how many at once after a pause. */
type Budget = { perSecond: number; burst: number }

/** Takes a token of `who`: returns 0, or the seconds until there is one. What is refused costs no token. */
type TokenBuckets = (who: string, budget: Budget) => number

export function tokenBuckets(): TokenBuckets {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return (who, { perSecond, burst }) => {
    const now = performance.now()
    const bucket = buckets.get(who) ?? { tokens: burst, at: now }
    const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    // Without charging a refusal: whoever keeps asking would otherwise never pass again.
    bucket.tokens = tokens < 1 ? tokens : tokens - 1
    bucket.at = now
    buckets.delete(who)
    buckets.set(who, bucket)
    if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value ?? '')
    return tokens < 1 ? Math.ceil((1 - tokens) / perSecond) : 0
  }
}

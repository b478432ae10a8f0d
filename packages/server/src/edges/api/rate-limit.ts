import { tokenBuckets } from '../../platform/concurrency/token-buckets.ts'
import { Refusal } from '../../platform/refusal.ts'

/** A burst of up to this many seconds' worth of requests is allowed. */
const BURST_SECONDS = 5

/** One bucket per API key and process, checked only after the signature: no one can use up a merchant's allowance without its secret. */
export function rateLimiter(): (apiKey: string, perSecond: number) => void {
  const take = tokenBuckets()
  return (apiKey, perSecond) => {
    const wait = take(apiKey, { perSecond, burst: perSecond * BURST_SECONDS })
    if (wait === 0) return
    throw new Refusal(
      'RATE_LIMITED',
      `More than ${perSecond} requests a second with this key. Slow down and try again.`,
      { retryAfterSeconds: wait },
    )
  }
}

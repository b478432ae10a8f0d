import { Refusal } from '../../platform/refusal.ts'

/** Lists of all merchants share few database connections. With at most so many of each merchant, the others wait for a few only. */
const MOST_AT_ONCE = 4

/** Counts lists under way, or waiting for the database, per merchant and process. One more is refused. */
export function listLimiter(): <Result>(merchantId: string, list: () => Promise<Result>) => Promise<Result> {
  const counts = new Map<string, number>()
  return async (merchantId, list) => {
    const before = counts.get(merchantId) ?? 0
    if (before >= MOST_AT_ONCE)
      throw new Refusal(
        'RATE_LIMITED',
        `${MOST_AT_ONCE} lists of this account are being read already. Wait for one to end, then ask for the next.`,
        { retryAfterSeconds: 1 },
      )
    counts.set(merchantId, before + 1)
    try {
      return await list()
    } finally {
      const left = (counts.get(merchantId) ?? 1) - 1
      if (left > 0) counts.set(merchantId, left)
      else counts.delete(merchantId)
    }
  }
}

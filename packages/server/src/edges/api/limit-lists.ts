import { Refusal } from '../../platform/refusal.ts'

/** Lists of all merchants share few database connections. This limit keeps one merchant from blocking the others. */
const MAX_CONCURRENT = 4

/** Counts running and queued lists per merchant and process. Refuses calls above the limit. */
export function listLimiter(): <Result>(merchantId: string, list: () => Promise<Result>) => Promise<Result> {
  const counts = new Map<string, number>()
  return async (merchantId, list) => {
    const before = counts.get(merchantId) ?? 0
    if (before >= MAX_CONCURRENT)
      throw new Refusal(
        'RATE_LIMITED',
        `${MAX_CONCURRENT} lists of this account are being read already. Wait for one to end, then ask for the next.`,
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

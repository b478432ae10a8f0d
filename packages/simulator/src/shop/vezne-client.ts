import type { Vezne } from '@vezne/sdk'
import { vezne } from '@vezne/sdk'
import type { Now } from '../time.ts'

export type VezneAccess = { baseUrl: string; apiKey: string; apiSecret: string }

/** A customer waits for the page: ten seconds a try, and three tries. */
export function vezneClient(access: VezneAccess, now: Now): Vezne {
  return vezne({ ...access, now, timeoutMs: 10_000, maxTries: 3 })
}

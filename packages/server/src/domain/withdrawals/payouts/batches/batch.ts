import type { Said } from '../../../../platform/refusal.ts'
import type { OrdersProfile } from '@vezne/bank-formats'
import { MINUTE_MS } from '../../../../platform/time/clock.ts'

/** A connection that takes payouts as files. `folder` has staging/ and outbox/ on one file system. */
export type OrderConnection = { name: string; folder: string; profile: OrdersProfile }

export type BatchState = 'cut' | 'staged' | 'released' | 'fetched' | 'cancelling' | 'cancelled'

/**
 * `fetched` from `cancelling`: the bank was faster. From `fetched`: a program has put the file back into outbox/. `staged` from `released`:
 * the file was taken out of outbox/ because it must not be sent.
 */
export const NEXT: Record<BatchState, readonly BatchState[]> = {
  cut: ['staged', 'cancelling'],
  staged: ['released', 'cancelling'],
  released: ['fetched', 'staged', 'cancelling'],
  cancelling: ['cancelled', 'fetched'],
  fetched: ['released', 'staged'],
  cancelled: [],
}

export const BATCH_STATES = Object.keys(NEXT) as BatchState[]

/** Its file may still come to the bank through us. */
export const UNFETCHED: readonly BatchState[] = ['cut', 'staged', 'released', 'cancelling']

export type Batch = {
  id: string
  connection: string
  sourceAccountId: string
  state: BatchState
  folder: string
  fileName: string
  stagedName: string | null
  format: string
  sha256: string
  orders: number
  amount: bigint
  currency: string
  problem: Said | null
  createdAt: Date
  releasedAt: Date | null
  fetchedAt: Date | null
  cancelledBy: string | null
  cancelReason: string | null
  holdUntil: Date | null
  cancelledAt: Date | null
  /** Of its file and where that goes, made with the master key. */
  mark: string | null
}

export type BatchItem = { number: number; merchantId: string; withdrawalId: string; cancelled: boolean }

/** Minutes of the day are those of Istanbul. */
const ISTANBUL_OFFSET_MS = 3 * 60 * MINUTE_MS

/** The last time at which files of this profile were due. What was stored before it goes into a file now. */
export function lastCut(now: Date, { everyMinutes, atMinute }: Pick<OrdersProfile, 'everyMinutes' | 'atMinute'>): Date {
  const shift = ISTANBUL_OFFSET_MS - atMinute * MINUTE_MS
  const every = everyMinutes * MINUTE_MS
  return new Date(Math.floor((now.getTime() + shift) / every) * every - shift)
}

import type { Queryable } from '../../../../platform/postgres/db.ts'
import { refuse } from '../../../../kernel/refusals/refuse.ts'
import type { Payout } from '../payout.ts'
import { selectPayoutsById } from '../store.ts'
import type { Batch, BatchItem } from './batch.ts'
import type { ReportItem, StoredReport } from './reports/store.ts'
import { listReports, selectReportItems } from './reports/store.ts'
import { findBatch, selectItems } from './store.ts'

/** Of one batch, the newest. */
export const MAX_REPORTS = 20

export type BatchPayout = Pick<BatchItem, 'number' | 'withdrawalId' | 'cancelled'> &
  Pick<Payout, 'amount' | 'currency' | 'state' | 'reason' | 'bankReference'>

export type ShownBatch = {
  batch: Batch
  payouts: BatchPayout[]
  reports: (StoredReport & { items: ReportItem[] })[]
}

/** A batch with its payouts, and what the bank reported about them. */
export async function showBatch(db: Queryable, id: string): Promise<ShownBatch> {
  const batch = await findBatch(db, id)
  if (!batch) throw refuse('batch_unknown', { batch: id })
  const items = await selectItems(db, id)
  const ids = items.map(({ withdrawalId }) => withdrawalId)
  const byId = new Map((await selectPayoutsById(db, ids)).map((payout) => [payout.withdrawalId, payout]))
  const payouts = items.flatMap(({ number, withdrawalId, cancelled }) => {
    const payout = byId.get(withdrawalId)
    if (!payout) return []
    const { amount, currency, state, reason, bankReference } = payout
    return { number, withdrawalId, cancelled, amount, currency, state, reason, bankReference }
  })
  const reports = await Promise.all(
    (await listReports(db, id, MAX_REPORTS)).map(async (report) => ({
      ...report,
      items: await selectReportItems(db, report.id),
    })),
  )
  return { batch, payouts, reports }
}

import type { Db } from '../../../../platform/postgres/db.ts'
import type { Clock } from '../../../../platform/time/clock.ts'
import { DAY_MS, HOUR_MS } from '../../../../platform/time/clock.ts'
import type { BankDirectory } from '../../../banks/index.ts'
import { businessDaysAgo } from '../../../banks/index.ts'
import { OVERDUE_BUSINESS_DAYS } from '../decide-ended.ts'
import type { Batch } from './batch.ts'
import type { Unfitting } from './reports/store.ts'
import { countUnfitting, listUnfitting } from './reports/store.ts'
import { selectHeld, selectSilent, selectStopped, selectUnfetched } from './store.ts'

/** A report that fits nothing is shown for so long. */
const SHOWN_DAYS = 7
/** No program sends an order file that is older. */
const RETURN_DAYS = 90

/**
 * `held`: not sent, with a reason. `unfetched`: no one took the file for an hour. `silent`: fetched, and no report or debit for two business days. `stopped`: the file
 * came back to outbox/ and must not be sent.
 */
export type OverdueBatches = {
  held: Batch[]
  unfetched: Batch[]
  silent: Batch[]
  stopped: Batch[]
  unfittingReports: number
}

/** Order batches that a person must look after. */
export async function overdueBatches(app: { db: Db; clock: Clock; banks: BankDirectory }): Promise<OverdueBatches> {
  const now = app.clock.now()
  const ago = (ms: number) => new Date(now.getTime() - ms)
  return {
    held: await selectHeld(app.db.report),
    unfetched: await selectUnfetched(app.db.report, ago(HOUR_MS)),
    silent: await selectSilent(app.db.report, businessDaysAgo(now, OVERDUE_BUSINESS_DAYS, await app.banks.holidays())),
    stopped: await selectStopped(app.db.report, ago(RETURN_DAYS * DAY_MS)),
    unfittingReports: await countUnfitting(app.db.report, ago(SHOWN_DAYS * DAY_MS)),
  }
}

/** Those that `overdueBatches` counts, newest first. */
export function recentUnfitting(app: { db: Db; clock: Clock }, limit: number): Promise<Unfitting[]> {
  return listUnfitting(app.db.report, new Date(app.clock.now().getTime() - SHOWN_DAYS * DAY_MS), limit)
}

import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Log } from '../../platform/log.ts'
import { claimCheck, finishCheck, findDrift } from './store.ts'

/** Reads every transfer, so it runs rarely; drift persists until it is corrected. */
const INTERVAL_MS = 3_600_000

/** Compares balances with transfers once an hour, in one process at a time, and stores the result for display. */
export async function checkLedger({ db, clock, log }: { db: Db; clock: Clock; log: Log }): Promise<void> {
  // If this process ends during the check, the next one is in an hour, and the age of the last result shows the gap.
  if (!(await db.transaction((tx) => claimCheck(tx, clock.now(), INTERVAL_MS)))) return
  const drift = await findDrift(db.report)
  await db.transaction((tx) => finishCheck(tx, drift.length, clock.now()))
  if (drift.length > 0)
    log.error({ drifted: drift.length }, 'the ledger drifted; see docs/operations.md, "The ledger drifted"')
}

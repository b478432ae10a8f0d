import type { Clock } from '../../platform/time/clock.ts'
import { HOUR_MS } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Log } from '../../platform/log.ts'
import { claimCheck, finishCheck, findDrift, recordDrift, selectUnbalanced } from './store.ts'

/** Reads every transfer: once a minute, and for at most a twentieth of the time. If a process ends during its check, the next is in an hour. */
const PACE = { atLeastMs: 60_000, timesDuration: 20, unfinishedMs: HOUR_MS }

const DRIFTED = 'the ledger drifted, and no payout is sent; see docs/operations.md, "The ledger drifted"'

type Deps = { db: Db; clock: Clock; log: Log }

/** Compares balances with transfers, in one process at a time. Payouts wait while the last check has found a difference. */
export async function checkLedger({ db, clock, log }: Deps): Promise<void> {
  if (!(await db.transaction((tx) => claimCheck(tx, clock.now(), PACE)))) return
  const drift = await findDrift(db.report)
  await db.transaction((tx) => finishCheck(tx, drift.length, clock.now()))
  if (drift.length > 0) log.error({ drifted: drift.length }, DRIFTED)
}

/** Before withdrawals are routed: a balance that was raised since the last check leaves the books unbalanced, and stops payouts at once. */
export async function isBalanced({ clock, log }: Omit<Deps, 'db'>, tx: Tx): Promise<boolean> {
  const unbalanced = await selectUnbalanced(tx)
  if (unbalanced.length === 0) return true
  await recordDrift(tx, unbalanced.length, clock.now())
  log.error({ unbalanced }, DRIFTED)
  return false
}

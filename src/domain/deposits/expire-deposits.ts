import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { Ids } from '../../platform/ids.ts'
import type { BankDirectory } from '../banks/index.ts'
import { changeStatus } from './change-status.ts'
import { claimExpired } from './store.ts'

/** One transaction's worth: short enough that a customer's payment never waits long for a row. */
const AT_ONCE = 500

/** Answers how many it expired; 0 means that none is due. */
export async function expireDeposits(app: { db: Db; clock: Clock; ids: Ids; banks: BankDirectory }): Promise<number> {
  return app.db.transaction(async (tx) => {
    const due = await claimExpired(tx, app.clock.now(), AT_ONCE)
    await changeStatus(app, tx, due, 'expired')
    return due.length
  })
}

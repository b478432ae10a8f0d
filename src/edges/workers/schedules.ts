import type { BankDirectory } from '../../domain/banks/index.ts'
import { expireDeposits } from '../../domain/deposits/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { Poller } from '../../platform/poller.ts'
import { poll } from '../../platform/poller.ts'

/** Which domain function runs when. Any number of processes may run these at once. */
export function startWorkers(app: { db: Db; clock: Clock; ids: Ids; log: Log; banks: BankDirectory }): Poller[] {
  return [
    // A customer reads "expired" at most a second late.
    poll(app, { name: 'expire-deposits', everyMs: 1000, work: () => expireDeposits(app) }),
  ]
}

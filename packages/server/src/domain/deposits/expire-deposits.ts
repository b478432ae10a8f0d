import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { BankDirectory } from '../banks/index.ts'
import type { Connection } from '../connections/index.ts'
import { decidedUntil } from '../statements/index.ts'
import type { DepositViews } from './change-deposits.ts'
import { changeStatus } from './change-deposits.ts'
import { claimExpired } from './store.ts'

type Deps = {
  db: Db
  clock: Clock
  ids: Ids
  banks: BankDirectory
  views: DepositViews
  connections: Pick<Connection, 'name'>[]
}

/** Deposits per transaction: few enough that a customer's payment never waits long for a row. */
const BATCH_SIZE = 500

/**
 * Expires unpaid deposits up to the time to which statements are read and matched: an unreachable bank must not make
 * a timely payment late. A process without connections considers all sources. Returns the number of expired deposits.
 */
export async function expireDeposits(app: Deps): Promise<number> {
  const now = app.clock.now()
  return app.db.transaction(async (tx) => {
    // Read first: a payment decided by then has changed its deposit before the deposits are read.
    const until = await decidedUntil(tx, await sourcesOf(app))
    const due = await claimExpired(tx, now, until ?? now, BATCH_SIZE)
    await changeStatus(app, tx, due, 'expired')
    return due.length
  })
}

/** Sources whose statements may show a deposit's money: this process's connections, and sources of record it may not have. */
async function sourcesOf({ banks, connections }: Deps): Promise<string[]> {
  if (connections.length === 0) return []
  const paidInto = (await banks.accounts()).filter(({ state }) => state !== 'blocked')
  return [
    ...new Set([...connections.map(({ name }) => name), ...paidInto.flatMap(({ connection }) => connection ?? [])]),
  ]
}

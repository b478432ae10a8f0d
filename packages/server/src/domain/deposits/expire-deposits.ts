import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { BankDirectory } from '../banks/index.ts'
import type { Connection } from '../connections/index.ts'
import { decidedUntil } from '../statements/index.ts'
import type { DepositViews } from './change-status.ts'
import { changeStatus } from './change-status.ts'
import { claimExpired } from './store.ts'

type Deps = {
  db: Db
  clock: Clock
  ids: Ids
  banks: BankDirectory
  views: DepositViews
  connections: Pick<Connection, 'name'>[]
}

/** One transaction's worth: short enough that a customer's payment never waits long for a row. */
const AT_ONCE = 500

/**
 * Expires what was not paid in time, up to the moment to which statements are read and matched: a customer who paid in time is
 * not late because a bank was away. A process without connections goes by all sources. Returns how many expired.
 */
export async function expireDeposits(app: Deps): Promise<number> {
  const now = app.clock.now()
  return app.db.transaction(async (tx) => {
    // Asked first: a payment that is decided by then has changed its deposit before the deposits are looked at.
    const until = await decidedUntil(tx, await sourcesOf(app))
    const due = await claimExpired(tx, now, until ?? now, AT_ONCE)
    await changeStatus(app, tx, due, 'expired')
    return due.length
  })
}

/** Whose statements may show the money of a deposit: connections of this process, and sources of record that it may not have. */
async function sourcesOf({ banks, connections }: Deps): Promise<string[]> {
  if (connections.length === 0) return []
  const paidInto = (await banks.accounts()).filter(({ state }) => state !== 'blocked')
  return [
    ...new Set([...connections.map(({ name }) => name), ...paidInto.flatMap(({ connection }) => connection ?? [])]),
  ]
}

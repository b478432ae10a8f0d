import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { BankDirectory } from '../banks/index.ts'
import type { Connection } from '../connections/index.ts'
import { isPolled, selectConnections } from '../connections/index.ts'
import { decidedUntil } from '../statements/index.ts'
import type { DepositViews } from './change-deposits.ts'
import { changeStatus } from './change-deposits.ts'
import type { KnownUntil } from './expiry/store.ts'
import { paymentsKnown } from './expiry/store.ts'
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
    const { sources, slow } = await sourcesOf(app, tx)
    const until = await decidedUntil(tx, sources)
    const accounts: KnownUntil['accounts'] = []
    for (const [source, its] of slow) {
      const known = (await decidedUntil(tx, [source])) ?? now
      accounts.push(...its.map(({ id }) => ({ accountId: id, until: known })))
    }
    const due = await claimExpired(tx, now, paymentsKnown({ all: until ?? now, accounts }), BATCH_SIZE)
    await changeStatus(app, tx, due, 'expired')
    return due.length
  })
}

/**
 * Sources whose statements may show a deposit's money: this process's connections, and sources of record it may not have.
 * Files come once a day and a disabled connection gives nothing: such a source delays only deposits of its own accounts.
 */
async function sourcesOf({ banks, connections }: Deps, tx: Tx) {
  const open = (await banks.accounts()).filter(({ state }) => state !== 'blocked')
  const slowNames = new Set(
    (await selectConnections(tx)).flatMap((row) => (isPolled(row) && !row.disabledAt ? [] : row.name)),
  )
  const isSlow = (name: string | null) => name !== null && slowNames.has(name)
  const names = [...connections.map(({ name }) => name), ...open.flatMap(({ connection }) => connection ?? [])]
  return {
    sources: connections.length === 0 ? [] : [...new Set(names)].filter((name) => !isSlow(name)),
    slow: Map.groupBy(
      open.filter(({ connection }) => isSlow(connection)),
      ({ connection }) => connection as string,
    ),
  }
}

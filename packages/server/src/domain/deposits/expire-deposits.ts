import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { BankDirectory } from '../banks/index.ts'
import type { Connection } from '../connections/index.ts'
import { isPolled, selectConnections } from '../connections/index.ts'
import { runBatch } from '../set-aside/index.ts'
import { decidedUntil } from '../statements/index.ts'
import type { DepositViews } from './change-deposits.ts'
import type { Deposit } from './deposit.ts'
import { changeStatus } from './change-deposits.ts'
import type { Sql } from '../../platform/postgres/sql.ts'
import type { KnownUntil } from './expiry/store.ts'
import { isDueSql } from './expiry/store.ts'
import type { Planned } from './store.ts'
import { claimExpired, pendingOf, pendingOfAll, selectPlanned } from './store.ts'

type Deps = {
  db: Db
  clock: Clock
  ids: Ids
  log: Log
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
  return expireSome(app, (due) => pendingOfAll(due, BATCH_SIZE))
}

/** So far ahead the next ones are read. Far less than a new deposit lives: none that is made meanwhile falls due before. */
const PLANNED_MS = 60_000
const MAX_PLANNED = 10_000

/**
 * The same, again and again: all merchants are looked at once a minute, and in between only what expires in that minute. Whatever the plan
 * does not have, such as a deposit that was blocked, the next look finds.
 */
export function openExpiry(app: Deps, { maxPlanned = MAX_PLANNED } = {}): () => Promise<number> {
  let plan: { from: Date; until: Date; deposits: Planned[] } | null = null
  return async () => {
    const now = app.clock.now()
    // A sandbox moves its clock in both directions.
    if (plan && plan.from <= now && now < plan.until) {
      const [due, later] = [plan.deposits.filter(isPast(now)), plan.deposits.filter((one) => !isPast(now)(one))]
      if (due.length === 0) return 0
      const expired = await expireSome(app, (condition) => pendingOf(due, condition))
      if (expired === due.length) plan.deposits = later
      return expired
    }
    plan = null
    const expired = await expireDeposits(app)
    if (expired > 0) return expired
    const until = new Date(now.getTime() + PLANNED_MS)
    const deposits = await selectPlanned(app.db, until, maxPlanned)
    plan = { from: now, until: deposits.length < maxPlanned ? until : (deposits.at(-1)?.expiresAt ?? until), deposits }
    return 0
  }
}

const isPast =
  (now: Date) =>
  ({ expiresAt }: Planned) =>
    expiresAt <= now

/** `choose`: those among which the due ones are taken. */
async function expireSome(app: Deps, choose: (condition: Sql) => Sql): Promise<number> {
  const { moved } = await runBatch<Deposit, Deposit>(app, {
    what: 'deposit',
    idOf: ({ id }) => id,
    claim: (tx, only) => claim(app, tx, choose, only),
    work: (tx, due) => changeStatus(app, tx, due, 'expired'),
  })
  return moved
}

async function claim(app: Deps, tx: Tx, choose: (condition: Sql) => Sql, only?: Deposit[]): Promise<Deposit[]> {
  const now = app.clock.now()
  // Read first: a payment decided by then has changed its deposit before the deposits are read.
  const { sources, slow } = await sourcesOf(app, tx)
  const until = await decidedUntil(tx, sources)
  const accounts: KnownUntil['accounts'] = []
  for (const [source, its] of slow) {
    const known = (await decidedUntil(tx, [source])) ?? now
    accounts.push(...its.map(({ id }) => ({ accountId: id, until: known })))
  }
  return claimExpired(tx, choose(isDueSql(now, { all: until ?? now, accounts }, only)), BATCH_SIZE)
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

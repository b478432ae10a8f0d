import type { Actor } from '../../kernel/actor.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import type { Log } from '../../platform/log.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { CollectingAccount, NewAccount } from '../banks/index.ts'
import { connectAccounts, findAccount, openCollectingAccount, unconnectedAccounts } from '../banks/index.ts'
import type { Authority } from '../people/index.ts'
import { authorized, mustBeApproved } from '../people/index.ts'
import { manualConnection } from './configured.ts'
import type { Connection } from './connection.ts'
import type { ConnectionRow } from './store.ts'
import { insertConnections, selectConnections } from './store.ts'

type Deps = { db: Db; clock: Clock; connections: Connection[] }

/**
 * Registers this process's connections, and sets the source of record of accounts without one. In live two people choose a bank's
 * connection: until then a person is the connection. In a sandbox it is the only one that has statements; if several have, a person
 * must choose, and until then nothing is booked for such an account. Returns how many were set.
 */
export async function fillSourceOfRecord(app: Deps & Authority & { log: Log }): Promise<number> {
  return app.db.transaction(async (tx) => {
    await insertConnections(tx, app.connections, app.clock.now())
    const accounts = await unconnectedAccounts(app, tx)
    if (accounts.length === 0) return 0
    const candidates = app.sandbox ? (await selectConnections(tx)).filter(hasStatements) : [manualConnection]
    const [only, another] = candidates
    if (another) {
      await connectAccounts(app, tx, accounts, { connection: null, awaitsConnection: true })
      const waiting = accounts.length
      app.log.warn({ waiting }, 'several connections: accounts need vezne account connect; see doctor')
      return 0
    }
    if (!only || !app.connections.some(({ name }) => name === only.name)) return 0
    await connectAccounts(app, tx, accounts, { connection: only.name, awaitsConnection: false })
    const filled = accounts.length
    app.log.debug({ connection: only.name, filled }, 'accounts were given their source of record')
    return filled
  })
}

/** For a new account: the only one that has statements, or in live by hand if none has. Null: several have, or none yet. */
export async function chooseConnection(app: Deps & { sandbox: boolean }, db: Queryable) {
  const known = await selectConnections(db)
  const stored = new Set(known.map(({ name }) => name))
  const here = app.connections.filter(({ name }) => !stored.has(name)).map((one) => ({ ...one, disabledAt: null }))
  const [only, another] = [...known, ...here].filter(hasStatements)
  if (another) return { connection: null, awaitsConnection: true }
  return { connection: only?.name ?? (app.sandbox ? null : manualConnection.name), awaitsConnection: false }
}

/** Manual ones have none: such accounts get their bank's connection once there is one. */
export function hasStatements({ kind, disabledAt }: Pick<ConnectionRow, 'kind' | 'disabledAt'>): boolean {
  return kind !== 'manual' && disabledAt === null
}

/** For an account without a connection: the only one that has statements, or by hand if none has. */
export function onlyCandidate(connections: Connection[]): Connection | null {
  const [only, another] = connections.filter(({ kind }) => kind !== 'manual')
  return another ? null : (only ?? connections[0] ?? null)
}

/** Two people, in live. From now on only lines of this connection are booked for these accounts, and their payouts are sent over it. */
export async function setSourceOfRecord(
  app: Deps & Authority,
  actor: Actor,
  idsOrIbans: string[],
  connection: string,
): Promise<CollectingAccount[]> {
  const accounts = await Promise.all(idsOrIbans.map((one) => findAccount(app, one)))
  await authorized(app, actor, 'account.connect', async (tx, audit) => {
    mustBeApproved(app)
    await registerConnections(app, tx, connection)
    await connectAccounts(app, tx, accounts, { connection, awaitsConnection: false })
    const before = Object.fromEntries(accounts.map((account) => [account.id, account.connection]))
    await audit(`connection:${connection}`, { before, after: { accounts: accounts.map(({ id }) => id) } })
  })
  return accounts.map((account) => ({ ...account, connection }))
}

/**
 * Returns all known connections, which must include the wanted one. Those of this configuration count: accounts are
 * moved before the first worker runs with a bank's new address.
 */
export async function registerConnections(app: Deps, tx: Tx, wanted: string | undefined) {
  await insertConnections(tx, app.connections, app.clock.now())
  const known = await selectConnections(tx)
  if (wanted === undefined || known.some(({ name }) => name === wanted)) return known
  throw refuse('connection_unknown', { connection: wanted, known: known.map(({ name }) => name) })
}

type OpenDeps = Deps & Authority & { ids: Ids }
type Facts = { iban: string; title: string; currency: string; connection?: string | undefined }

/**
 * Opens a collecting account with its source of record: the one named, or the only one that gives statements. If there are
 * several, the account waits for `account connect`: lines of two connections would be one payment booked twice.
 */
export function openConnectedAccount(app: OpenDeps, actor: Actor, facts: Facts): Promise<NewAccount> {
  return openCollectingAccount(app, actor, facts, (tx) => connect(app, tx, facts.connection))
}

async function connect(app: OpenDeps, tx: Tx, wanted: string | undefined) {
  await registerConnections(app, tx, wanted)
  return wanted === undefined ? chooseConnection(app, tx) : { connection: wanted, awaitsConnection: false }
}

import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { CollectingAccount } from '../banks/index.ts'
import { fillConnection, findAccount, updateConnections } from '../banks/index.ts'
import type { Authority } from '../people/index.ts'
import { authorized } from '../people/index.ts'
import type { Connection } from './connection.ts'
import { insertConnections, selectConnections } from './store.ts'

type Deps = { db: Db; clock: Clock; connections: Connection[] }

/**
 * Registers this process's connections, and sets the first that has statements as source of record of accounts without
 * one. Manual ones have none: such accounts get their bank's connection once there is one. Returns how many were set.
 */
export async function fillSourceOfRecord(app: Deps & { log: Log }): Promise<number> {
  const first = app.connections.find(({ kind }) => kind !== 'manual')
  const filled = await app.db.transaction(async (tx) => {
    await insertConnections(tx, app.connections, app.clock.now())
    return first ? fillConnection(tx, first.name) : 0
  })
  if (filled > 0) app.log.debug({ connection: first?.name, filled }, 'accounts were given their source of record')
  return filled
}

/** From now on only lines of this connection are booked for these accounts, and their payouts are sent over it. */
export async function setSourceOfRecord(
  app: Deps & Authority,
  actor: Actor,
  idsOrIbans: string[],
  connection: string,
): Promise<CollectingAccount[]> {
  const accounts = await Promise.all(idsOrIbans.map((one) => findAccount(app, one)))
  await authorized(app, actor, async (tx) => {
    await registerConnections(app, tx, connection)
    await updateConnections(
      tx,
      accounts.map(({ id }) => id),
      connection,
    )
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
  const names = known.map(({ name }) => name).join(', ')
  throw new Refusal('NOT_FOUND', `There is no connection ${wanted}. Known: ${names || 'none'}.`)
}

import type { Db } from '../../platform/postgres/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import { connectionOf } from './configured.ts'
import type { Connection } from './connection.ts'
import type { ConnectionRow } from './store.ts'
import { selectConnections } from './store.ts'

type Deps = { db: Db; vault: Vault; log: Log }
/** Null if its secret does not open. */
type Loaded = { version: string; connection: Connection | null }

/**
 * Returns the function that brings `list` up to date with the database: configured connections are added, replaced when
 * their settings changed, and removed when disabled. Others in the list stay, unless they are disabled. An unchanged
 * connection stays the same object.
 */
export function connectionLoader(
  app: Deps,
  list: Connection[],
  wrap: (connection: Connection) => Connection,
): () => Promise<void> {
  const loaded = new Map<string, Loaded>()
  /** Of the environment or the sandbox, while disabled. */
  const disabledOthers = new Set<Connection>()
  const load = (row: ConnectionRow): Loaded => {
    const version = JSON.stringify([row.kind, row.settings, row.sealed])
    const before = loaded.get(row.name)
    return before?.version === version ? before : { version, connection: built(app, row, wrap) }
  }
  return async () => {
    const rows = await selectConnections(app.db)
    const disabled = new Set(rows.flatMap(({ name, disabledAt }) => (disabledAt ? name : [])))
    const ours = new Set([...loaded.values()].map(({ connection }) => connection))
    const others = [...disabledOthers, ...list.filter((connection) => !ours.has(connection))]
    const active = rows.filter(({ name, settings }) => settings !== null && !disabled.has(name))
    const next = active.map((row) => [row.name, load(row)] as const)
    loaded.clear()
    disabledOthers.clear()
    for (const [name, one] of next) loaded.set(name, one)
    for (const one of others) if (disabled.has(one.name)) disabledOthers.add(one)
    const configured = next.flatMap(([, { connection }]) => connection ?? [])
    list.splice(0, list.length, ...others.filter(({ name }) => !disabled.has(name)), ...configured)
  }
}

/** One that cannot be built affects no other. Logged once per change, because it is built only then. */
function built(
  { vault, log }: Deps,
  row: ConnectionRow,
  wrap: (connection: Connection) => Connection,
): Connection | null {
  try {
    const connection = connectionOf(vault, row)
    return connection && wrap(connection)
  } catch (error) {
    log.error({ connection: row.name, why: (error as Error).message }, 'this connection is not used')
    return null
  }
}

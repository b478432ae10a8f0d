import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../platform/postgres/db.ts'
import { ownerOf } from '../../platform/postgres/sealed-rows.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import { bankApiConnection } from './bank-api.ts'
import type { Connection } from './connection.ts'
import type { FileExchangeSettings } from './file-exchange.ts'
import { fileExchangeConnection } from './file-exchange.ts'
import type { ConnectionRow } from './store.ts'
import { selectConnections } from './store.ts'

/** Sealed together, so that the key is only ever sent to the address it was given for. */
export type ApiAccess = { url: string; key: string }

/** Where it is kept: what one person has proposed must not open as what two have decided. */
type Keeper = 'connections' | 'proposals'

export function sealAccess(vault: Vault, keeper: Keeper, name: string, access: ApiAccess): string {
  return vault.seal(JSON.stringify(access), ownerOf(keeper, [name]))
}

export function unsealAccess(vault: Vault, keeper: Keeper, name: string, sealed: string | null): ApiAccess {
  return JSON.parse(vault.open(sealed ?? '', ownerOf(keeper, [name]))) as ApiAccess
}

/** The address in `settings` is for reports; one that differs was not set by us. */
export function openAccess(vault: Vault, row: ConnectionRow): ApiAccess {
  const { name, settings, sealed } = row
  const access = unsealAccess(vault, 'connections', name, sealed)
  if (access.url === settings?.['url']) return access
  throw new Error(`The address of connection ${name} was changed in the database.`)
}

/** Folder and order profile say where payouts go: what differs from what is sealed was not set by us. */
export function sealExchange(vault: Vault, name: string, settings: FileExchangeSettings): string {
  return vault.seal(JSON.stringify(settings), ownerOf('connections', [name]))
}

function openExchange(vault: Vault, { name, settings, sealed }: ConnectionRow): FileExchangeSettings {
  const set = JSON.parse(vault.open(sealed ?? '', ownerOf('connections', [name]))) as FileExchangeSettings
  if (isDeepStrictEqual(set, settings)) return set
  throw new Error(`Folder or order profile of connection ${name} were changed in the database.`)
}

/** Throws if its secret does not open. Null for one that is not configured in the database. */
export function connectionOf(vault: Vault, row: ConnectionRow): Connection | null {
  if (row.settings === null) return null
  if (row.kind === 'manual') return manualConnectionOf(row.name)
  if (row.kind === 'file_exchange') return fileExchangeConnection(row.name, openExchange(vault, row))
  const { url, key } = openAccess(vault, row)
  return bankApiConnection({ baseUrl: url, key, name: row.name })
}

/** Connections that exchange files, are not disabled, and have the settings that people gave them. */
export async function listFileExchanges(app: {
  db: Queryable
  vault: Vault
}): Promise<({ name: string } & FileExchangeSettings)[]> {
  const rows = await selectConnections(app.db)
  return rows.flatMap((row) => {
    if (row.kind !== 'file_exchange' || !row.settings || row.disabledAt) return []
    try {
      return { name: row.name, ...openExchange(app.vault, row) }
    } catch {
      // The loader logs it and doctor names it.
      return []
    }
  })
}

/** A person sends the payout in the bank's own application and records the bank's response here. */
function manualConnectionOf(name: string): Connection {
  return {
    kind: 'manual',
    name,
    statement: (cursor) =>
      Promise.resolve({ outcome: 'read', lines: [], unread: [], cursor: cursor ?? '0', more: false }),
    submit: () => Promise.resolve({ outcome: 'pending' }),
    find: () => Promise.resolve({ outcome: 'pending' }),
  }
}

/** The one that every live deployment has. */
export const manualConnection = manualConnectionOf('manual')

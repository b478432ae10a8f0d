import type { Queryable } from '../../platform/postgres/db.ts'
import { ownerOf } from '../../platform/postgres/sealed-rows.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import { bankApiConnection } from './bank-api.ts'
import type { Connection } from './connection.ts'
import type { FileExchangeSettings } from './file-exchange.ts'
import { fileExchangeConnection } from './file-exchange.ts'
import { manualConnectionOf } from './manual.ts'
import type { ConnectionRow } from './store.ts'
import { selectConnections } from './store.ts'

/** Sealed together, so that the key is only ever sent to the address it was given for. */
export type ApiAccess = { url: string; key: string }

/** Where it is kept: what one person has proposed must not open as what two have decided. */
type Keeper = 'connections' | 'change_requests'

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
  throw new Error(
    `The address of connection ${name} was changed in the database. Set it again: vezne connection change ${name} --url URL`,
  )
}

/** Throws if its secret does not open. Null for one that is not configured in the database. */
export function connectionOf(vault: Vault, row: ConnectionRow): Connection | null {
  if (row.settings === null) return null
  if (row.kind === 'manual') return manualConnectionOf(row.name)
  if (row.kind === 'file_exchange') return fileExchangeConnection(row.name, row.settings as FileExchangeSettings)
  const { url, key } = openAccess(vault, row)
  return bankApiConnection({ baseUrl: url, key, name: row.name })
}

/** Connections that exchange files and are not disabled. */
export async function listFileExchanges(db: Queryable): Promise<({ name: string } & FileExchangeSettings)[]> {
  const rows = await selectConnections(db)
  return rows.flatMap(({ name, kind, settings, disabledAt }) =>
    kind === 'file_exchange' && settings && !disabledAt ? { name, ...(settings as FileExchangeSettings) } : [],
  )
}

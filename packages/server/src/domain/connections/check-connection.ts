import { note } from '../../kernel/refusals/note.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { BankDirectory } from '../banks/index.ts'
import { bankApiConnection } from './bank-api.ts'
import type { ApiAccess } from './configured.ts'
import { openAccess } from './configured.ts'
import type { Conformance } from './conformance/check-conformance.ts'
import { checkConformance } from './conformance/check-conformance.ts'
import type { ConnectionCheck } from './connection.ts'
import { exchangeFindings } from './exchange-findings.ts'
import type { FileExchangeSettings } from './file-exchange.ts'
import { checkExchangeFolders } from './file-exchange.ts'
import type { ConnectionRow } from './store.ts'
import { selectConnections } from './store.ts'

type Deps = {
  db: Queryable
  clock: Clock
  ids: Ids
  vault: Vault
  banks: BankDirectory
  config: { bankApi: { baseUrl: string; key: string } | null }
}

/** Whether a connection keeps the rules of docs/connections.md. Only `sending` changes anything. */
export async function checkConnection(
  app: Deps,
  name: string,
  sending?: Conformance['sending'],
): Promise<ConnectionCheck[]> {
  const row = await findConnection(app, name)
  if (row.kind === 'file_exchange') {
    const { folder } = row.settings as FileExchangeSettings
    return [...checkExchangeFolders(folder), ...(await exchangeFindings(app, { name, folder }))]
  }
  if (row.kind === 'manual')
    return [{ check: 'manual', ok: true, expected: note('check_none'), found: note('check_manual') }]
  return checkConformance(accessOf(app, row), { unusedReference: app.ids.next(), sending })
}

export async function findConnection({ db }: { db: Queryable }, name: string): Promise<ConnectionRow> {
  const rows = await selectConnections(db)
  const row = rows.find((one) => one.name === name)
  if (row) return row
  throw refuse('connection_unknown', { connection: name, known: rows.map((one) => one.name) })
}

/** Of a configured connection, or of the bank API in the settings. */
function accessOf({ vault, config: { bankApi } }: Deps, row: ConnectionRow): ApiAccess {
  if (row.settings !== null) return openAccess(vault, row)
  if (bankApi && bankApiConnection(bankApi).name === row.name) return { url: bankApi.baseUrl, key: bankApi.key }
  throw refuse('connection_key_unknown', { connection: row.name })
}

import { note } from '../../kernel/refusals/note.ts'
import type { CollectingAccount } from '../banks/index.ts'
import { listAccounts } from '../banks/index.ts'
import type { ConnectionRow } from '../connections/index.ts'
import {
  checkExchangeFolders,
  connectionOf,
  exchangeFindings,
  isPolled,
  listFileExchanges,
  SANDBOX_BANK,
  selectConnections,
} from '../connections/index.ts'
import { readCursor } from '../statements/index.ts'
import type { DoctorApp, DoctorConfig } from './doctor-deps.ts'
import type { Check } from './check.ts'
import { judge } from './check.ts'

/** Whether each connection works, and whether each account has one that does. */
export async function examineConnections(app: DoctorApp, { isWorker }: DoctorConfig): Promise<Check[]> {
  const rows = await selectConnections(app.db)
  const accounts = (await listAccounts(app.db)).filter(({ state }) => state !== 'blocked')
  return [
    ...(await banks(app)),
    ...(isWorker ? await fileExchanges(app) : []),
    ...(await silentExchanges(app)),
    ...rows.flatMap((row) => unusable(app, row)),
    ...rows.flatMap((row) => disabled(row, accounts)),
    ...sourcesOfRecord(app, rows, accounts),
  ]
}

/** Requests the page after the last one read from each bank; nothing is imported. */
function banks({ db, connections }: DoctorApp): Promise<Check[]> {
  return Promise.all(
    connections.filter(isPolled).map(async ({ name, statement }) => {
      const page = await statement((await readCursor(db, name))?.cursor)
      const found =
        page.outcome === 'read' ? note('check_bank_answers') : note('check_bank_silent', { problem: page.why })
      const todo = name.includes(':') ? note('todo_bank_of_settings') : note('todo_bank', { connection: name })
      return judge(`bank ${name}`, page.outcome === 'read', found, todo)
    }),
  )
}

/** Folders are on the machine of the workers. */
async function fileExchanges(app: DoctorApp): Promise<Check[]> {
  return (await listFileExchanges(app)).map(({ name, folder }) => {
    const wrong = checkExchangeFolders(folder).filter(({ ok }) => !ok)
    const problems = wrong.map((one) => note('check_folder_found', { folder: one.check, found: one.found }))
    const found = wrong.length === 0 ? note('check_path', { path: folder }) : note('check_problems', { problems })
    return judge(`bank ${name}`, wrong.length === 0, found, note('todo_bank_folder', { connection: name }))
  })
}

/** They are not called, so nothing else shows that a bank is silent or that its files are wrong. */
async function silentExchanges({ db, vault, clock, banks }: DoctorApp): Promise<Check[]> {
  const exchanges = await listFileExchanges({ db, vault })
  const found = exchanges.map(async (exchange) => {
    const findings = await exchangeFindings({ db, clock, banks }, exchange)
    return findings.map(({ check, ok, found, expected }) => judge(`${check} of ${exchange.name}`, ok, found, expected))
  })
  return (await Promise.all(found)).flat()
}

function unusable({ vault }: DoctorApp, row: ConnectionRow): Check[] {
  try {
    connectionOf(vault, row)
    return []
  } catch (error) {
    const found = note('check_connection_unusable', { error: (error as Error).message })
    const todo = note('todo_connection_unusable', { connection: row.name, kind: row.kind })
    return [judge(`connection ${row.name}`, false, found, todo)]
  }
}

/** One that no account has may stay disabled for ever. */
function disabled({ name, disabledAt }: ConnectionRow, accounts: CollectingAccount[]): Check[] {
  const count = accounts.filter(({ connection }) => connection === name).length
  if (!disabledAt || count === 0) return []
  const found = note('check_connection_disabled', { since: disabledAt.toISOString(), accounts: count })
  return [judge(`connection ${name}`, false, found, note('todo_connection_disabled', { connection: name }))]
}

/** After the bank's URL changes, its connection has another name. A sandbox's bank is not known here. */
function sourcesOfRecord(app: DoctorApp, rows: ConnectionRow[], accounts: CollectingAccount[]): Check[] {
  const knowsNone = app.connections.length === 0
  const here = new Set(app.connections.map(({ name }) => name))
  if (app.sandbox) here.add(SANDBOX_BANK)
  const off = new Set(rows.flatMap(({ name, disabledAt }) => (disabledAt ? name : [])))
  const several = rows.filter(({ name, kind }) => kind !== 'manual' && !off.has(name)).length > 1
  const isConnected = ({ connection, awaitsConnection }: CollectingAccount) =>
    connection === null ? !awaitsConnection && !several : knowsNone || here.has(connection) || off.has(connection)
  const elsewhere = accounts.filter((account) => !isConnected(account))
  if (knowsNone && elsewhere.length === 0) return []
  const unconnected = elsewhere.map(({ iban, connection }) =>
    note('check_account_source', { account: iban.slice(-4), connection }),
  )
  const found =
    unconnected.length === 0
      ? note('check_accounts_connected')
      : note('check_accounts_unconnected', { accounts: unconnected })
  return [judge('sources of record', unconnected.length === 0, found, note('todo_sources'))]
}

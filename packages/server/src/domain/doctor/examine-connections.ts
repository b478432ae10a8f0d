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
      const found = page.outcome === 'read' ? 'answers' : page.why
      const todo = name.includes(':')
        ? 'Check VEZNE_BANK_API_URL and its key from this machine, then ask the bank.'
        : `Run: npx vezne connection test ${name}`
      return judge(`bank ${name}`, page.outcome === 'read', found, todo)
    }),
  )
}

/** Folders are on the machine of the workers. */
async function fileExchanges(app: DoctorApp): Promise<Check[]> {
  return (await listFileExchanges(app)).map(({ name, folder }) => {
    const wrong = checkExchangeFolders(folder).filter(({ ok }) => !ok)
    const found = wrong.map((one) => `${one.check}: ${one.found}`).join('; ') || folder
    return judge(
      `bank ${name}`,
      wrong.length === 0,
      found,
      `Run on the machine of the workers: npx vezne connection test ${name}`,
    )
  })
}

/** They are not called, so nothing else shows that a bank is silent or that its files are wrong. */
async function silentExchanges({ db, vault, clock, banks }: DoctorApp): Promise<Check[]> {
  const exchanges = await listFileExchanges({ db, vault })
  const found = exchanges.map(async (exchange) => {
    const findings = await exchangeFindings({ db, clock, banks }, exchange)
    return findings.map((one) =>
      judge(`${one.check} of ${exchange.name}`, one.ok, one.found, `Expected: ${one.expected}`),
    )
  })
  return (await Promise.all(found)).flat()
}

function unusable({ vault }: DoctorApp, row: ConnectionRow): Check[] {
  try {
    connectionOf(vault, row)
    return []
  } catch (error) {
    const set = row.kind === 'file_exchange' ? '--orders FILE' : '--url URL --key-file FILE'
    const todo = `It is not used. Set it again: npx vezne connection change ${row.name} ${set}`
    return [judge(`connection ${row.name}`, false, (error as Error).message, todo)]
  }
}

/** One that no account has may stay disabled for ever. */
function disabled({ name, disabledAt }: ConnectionRow, accounts: CollectingAccount[]): Check[] {
  const count = accounts.filter(({ connection }) => connection === name).length
  if (!disabledAt || count === 0) return []
  const found = `disabled since ${disabledAt.toISOString()}, with ${count} account(s)`
  const todo = `Nothing is read or sent for them. Run: npx vezne connection enable ${name}, or move them: npx vezne account connect OTHER IBAN…`
  return [judge(`connection ${name}`, false, found, todo)]
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
  return [
    judge(
      'sources of record',
      elsewhere.length === 0,
      elsewhere.map(({ iban, connection }) => `…${iban.slice(-4)} ${connection ?? 'none yet'}`).join(', ') ||
        'all are configured',
      'Nothing is booked for these accounts or sent from them, and no deposit expires. Run: npx vezne account connect CONNECTION IBAN… See docs/operations.md, "Connections".',
    ),
  ]
}

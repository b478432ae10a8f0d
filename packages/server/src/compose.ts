import { join } from 'node:path'
import type { Config } from './config.ts'
import { SettingsError } from './platform/read-setting.ts'
import { markAccounts, openBankDirectory, seedBanks, seedSandboxAccounts } from './domain/banks/index.ts'
import type { Deposit, NewDeposit } from './domain/deposits/index.ts'
import {
  createDeposits,
  loadMarkKey,
  openAccountPool,
  openCheckoutKeys,
  prepareCheckoutKeys,
  prepareMarkKey,
  wrongMasterKey,
} from './domain/deposits/index.ts'
import { markLogins } from './domain/identity/index.ts'
import { markBalances } from './domain/ledger/index.ts'
import { markFiles, markLines } from './domain/statements/index.ts'
import { markPeople } from './domain/people/index.ts'
import type { NewWithdrawal, Withdrawal } from './domain/withdrawals/index.ts'
import { createWithdrawals } from './domain/withdrawals/index.ts'
import type { MerchantCredentials, RefusedRequest } from './domain/merchants/index.ts'
import {
  callbackNetworks,
  createMerchant,
  findCallers,
  findDemoCredentials,
  hasDemoMerchant,
  markAllSettings,
  openCallLog,
  openMissingAccounts,
  recordRefusals,
} from './domain/merchants/index.ts'
import type { Connection } from './domain/connections/index.ts'
import { bankApiConnection, connectionLoader, manualConnection } from './domain/connections/index.ts'
import { UNATTRIBUTED } from './kernel/actor.ts'
import { openViews } from './edges/api/views/open-views.ts'
import { businessClock } from './platform/time/business-clock.ts'
import { realClock } from './platform/time/clock.ts'
import { batcher } from './platform/concurrency/batcher.ts'
import { openDb } from './platform/postgres/db.ts'
import { mustNotBeSplit } from './platform/postgres/db-primaries.ts'
import { timeOrderedIds } from './platform/crypto/ids.ts'
import { openLog } from './platform/log.ts'
import { openSeenNumbers } from './platform/files/seen-numbers.ts'
import { openMarks } from './platform/crypto/marks.ts'
import { parseNetwork } from './platform/http/ip.ts'
import type { Metrics } from './platform/metrics.ts'
import { openMetrics } from './platform/metrics.ts'
import { mustFitMode, recordMode } from './platform/postgres/deployment-mode.ts'
import { migrate, missingMigrations } from './platform/postgres/migrate.ts'
import { openOutbound } from './platform/http-client/outbound.ts'
import { PASSWORD_COST } from './platform/crypto/passwords.ts'
import { secureRandom } from './platform/crypto/random.ts'
import { cached } from './platform/concurrency/cached.ts'
import type { Tracing } from './tracing.ts'
import { openVault, UnopenedError } from './platform/crypto/vault.ts'

export type App = Awaited<ReturnType<typeof compose>>

const identity = <Value>(value: Value) => value
const NOT_TRACED: Pick<Tracing, 'db' | 'outbound' | 'connection' | 'batcher'> = {
  db: identity,
  outbound: identity,
  connection: identity,
  batcher: (_name, work, open) => open(work),
}

/** Composition root: chooses the implementations that everything else receives. */
export function compose(config: Config, databaseUrl: string, tracing: Tracing | null = null) {
  const log = openLog(config.logLevel ?? 'info')
  const traced = tracing ?? NOT_TRACED
  const db = traced.db(openDb({ url: databaseUrl, log, patience: config.databasePatience }))
  const clock = businessClock({ movable: config.mode === 'sandbox' })
  const random = secureRandom()
  const ids = timeOrderedIds({ clock, random })
  const vault = openVault(config.masterKey, random, config.oldMasterKey)
  const marks = openMarks(random, () => loadMarkKey({ db, vault }))
  const seen = openSeenNumbers(join(config.dataFolder, 'sending.json'), { log })
  const banks = openBankDirectory({ db, marks })
  const pool = openAccountPool({ db, banks, clock, random })
  const { currencies, callbackRules } = config
  const networks = cached(async (merchantId: string) =>
    (await callbackNetworks({ db, marks }, merchantId)).flatMap((text) => parseNetwork(text) ?? []),
  )
  const outbound = traced.outbound(openOutbound({ rules: callbackRules, privateNetworks: networks }))
  const services = { log, db, clock, realClock, random, ids, vault, marks, seen, outbound, metrics: openMetrics() }
  const parts = { ...services, banks, views: openViews({ banks }), pool, currencies, callbackRules }
  // Filled here from the settings, later when the sandbox's simulated bank has started, and by `loadConnections`.
  const connections: Connection[] = config.bankApi ? [traced.connection(bankApiConnection(config.bankApi))] : []
  if (config.mode === 'live') connections.push(manualConnection)
  return {
    ...parts,
    passwordCost: PASSWORD_COST,
    checkoutKeys: openCheckoutKeys(parts),
    connections,
    loadConnections: connectionLoader(services, connections, traced.connection),
    tracing,
    tracedConnection: traced.connection,
    config,
    databaseUrl,
    sandbox: config.mode === 'sandbox',
    ...settingsOf(config),
    ...runtimeState(config),
    // Cached for a second per key; keys that expire together are loaded in one query.
    findCaller: cached(batcher((apiKeys: string[]) => findCallers(parts, apiKeys))),
    ...openBatchers(parts, traced),
    callLog: openCallLog(parts),
    recordRefusal: batcher((batch: RefusedRequest[]) => recordRefusals(parts, batch)),
  }
}

/** Settings that the parts of the service read by name. */
function settingsOf(config: Config) {
  const { trustedProxies, ops, maxConnections, maxConnectionsPerAddress, checkoutRequestsPerSecond } = config
  const { authFailuresPerMinute, logAddresses, keepEventsDays, retainPersonalDays, booksStopAmount, auditHeads } =
    config
  return {
    ...{ trustedProxies, ops, maxConnections, maxConnectionsPerAddress, checkoutRequestsPerSecond },
    ...{ authFailuresPerMinute, logAddresses, keepEventsDays, retainPersonalDays, booksStopAmount, auditHeads },
  }
}

/** State that is set or changes while the process runs. */
function runtimeState(config: Config) {
  let bankAppUrl: string | null = null
  let listeningAt = `http://${config.host}:${config.port}`
  let stopping = false
  return {
    publicUrl: () => config.publicUrl ?? listeningAt,
    setListeningAt: (address: string) => void (listeningAt = address),
    bankAppUrl: () => bankAppUrl,
    setBankAppUrl: (address: string) => void (bankAppUrl = address),
    isStopping: () => stopping,
    /** Readiness fails from now on, and every response closes its connection. */
    setStopping: () => void (stopping = true),
  }
}

/** The two creation functions behind batchers. */
function openBatchers(
  parts: Parameters<typeof createDeposits>[0] & Parameters<typeof createWithdrawals>[0] & { metrics: Metrics },
  traced: Pick<Tracing, 'batcher'>,
) {
  const counted = (kind: 'deposit' | 'withdrawal') => ({
    onBatch: (size: number) => parts.metrics.batchSizes.observe({ kind }, size),
  })
  return {
    createDeposit: traced.batcher<NewDeposit, Deposit>(
      'create deposits',
      (batch) => createDeposits(parts, batch),
      (work) => batcher(work, counted('deposit')),
    ),
    createWithdrawal: traced.batcher<NewWithdrawal, Withdrawal>(
      'create withdrawals',
      (batch) => createWithdrawals(parts, batch),
      (work) => batcher(work, counted('withdrawal')),
    ),
  }
}

/** Migrates the database and seeds a new deployment. Idempotent, and safe in several processes at once. */
export async function prepare(
  app: App,
  { migrates = app.config.migrateAtStart }: { migrates?: boolean } = {},
): Promise<{ migrated: string[]; demo: MerchantCredentials | null }> {
  if ((await app.db.pooler()) === 'transaction') throw new SettingsError([TRANSACTION_POOLER])
  await mustNotBeSplit(app.db)
  const { mode } = app.config
  // Before the migration too: the wrong database is left as it is.
  await mustFitMode(app.db, mode, { mayLackIt: true }).catch(explainDenied)
  const migrated = await (migrates ? migrate(app) : mustBeMigrated(app)).catch(explainDenied)
  if (migrates) await app.db.oneStatement((tx) => recordMode(tx, mode, app.clock.now()))
  await mustFitMode(app.db, mode)
  await prepareSecrets(app)
  await seedBanks(app)
  await openMissingAccounts(app)
  if (mode === 'live') return { migrated, demo: null }
  await seedSandboxAccounts(app)
  return { migrated, demo: (await findDemoCredentials(app)) ?? (await createDemoMerchant(app)) }
}

const TRANSACTION_POOLER =
  'DATABASE_URL goes through a pooler in transaction mode, which loses named prepared statements, session settings and LISTEN. ' +
  'Set its pool_mode to session, or connect to PostgreSQL directly.'

async function mustBeMigrated({ db }: App): Promise<string[]> {
  const [first, ...more] = await missingMigrations(db)
  if (first === undefined) return []
  const others = more.length > 0 ? ` and ${more.length} more migration(s)` : ''
  throw new SettingsError([
    `DATABASE_URL names a database that lacks ${first}${others}, and VEZNE_MIGRATE is off. ` +
      "Run `vezne migrate` with the owner's DATABASE_URL first.",
  ])
}

const PERMISSION_DENIED = '42501'

function explainDenied(error: unknown): never {
  const { cause = error } = error as Error
  if ((cause as { code?: string }).code !== PERMISSION_DENIED) throw error
  throw new SettingsError([
    `DATABASE_URL has a role that may not change the schema, or not read it: ${(cause as Error).message}. ` +
      "Run `vezne migrate` with the owner's DATABASE_URL, and set VEZNE_MIGRATE=off here (docs/deploy.md).",
  ])
}

/** A wrong master key is a configuration error, reported at startup and not at the first request. */
async function prepareSecrets(app: App): Promise<void> {
  try {
    await prepareCheckoutKeys(app)
    await prepareMarkKey(app, async (tx, marks) => {
      await markPeople(tx, marks)
      await markLogins(tx, marks, app.clock.now())
      await markFiles({ ...app, marks }, tx)
      await markAccounts(tx, marks)
      await markAllSettings(tx, marks)
      await markBalances(tx, marks)
      await markLines(tx, marks)
    })
    await app.marks.of('deployment_secrets/row-marks', null)
  } catch (error) {
    if (error instanceof UnopenedError) throw wrongMasterKey(error.message)
    throw error
  }
}

async function createDemoMerchant(app: App): Promise<MerchantCredentials | null> {
  if (await hasDemoMerchant(app)) return null
  try {
    return await createMerchant(app, UNATTRIBUTED, {
      name: 'Mürekkep Kitabevi',
      demo: true,
      allowedNetworks: ['127.0.0.0/8', '::1/128'],
    })
  } catch (error) {
    // Another process of this sandbox created the demo merchant first.
    const demo = await findDemoCredentials(app)
    if (demo) return demo
    throw error
  }
}

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { App } from './compose.ts'
import { compose, prepare } from './compose.ts'
import type { Config, Settings } from './config.ts'
import { SettingsError } from './platform/read-setting.ts'
import { watchDeposits } from './domain/deposits/index.ts'
import { findOpenRestore } from './domain/withdrawals/index.ts'
import type { MerchantCredentials } from './domain/merchants/index.ts'
import type { DemoLogin } from './domain/identity/index.ts'
import { prepareDemoLogins } from './domain/identity/index.ts'
import { buildApi } from './edges/api/app.ts'
import { buildOps } from './edges/api/ops.ts'
import { mountCheckout } from './edges/checkout/checkout.ts'
import { mountDocs } from './edges/docs/mount-docs.ts'
import { mountMerchantConsole } from './edges/merchant-console/mount.ts'
import { mountOperatorConsole } from './edges/operator-console/mount.ts'
import { startWorkers } from './edges/workers/worker-schedules.ts'
import { readSandbox } from './edges/cli/core/context.ts'
import { asTyped } from './edges/cli/core/output.ts'
import { welcome } from './edges/cli/core/welcome.ts'
import { readOffsetSeconds } from './platform/time/business-clock.ts'
import { realClock } from './platform/time/clock.ts'
import { ensurePrivateFolder } from './platform/files/data-folder.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.ts'
import { lockDataFolder } from './platform/files/lock-data-folder.ts'
import { makeMasterKey, storedMasterKey } from './platform/files/master-key-file.ts'
import { pointToSandbox } from './platform/files/sandbox-pointer.ts'
import { openLog } from './platform/log.ts'
import { openDb } from './platform/postgres/db.ts'
import { grantedRoles, isNewDatabase } from './platform/postgres/migrate.ts'
import type { Poller } from './platform/concurrency/poller.ts'
import { poll } from './platform/concurrency/poller.ts'
import type { SimulatedBank } from './simulated-bank.ts'
import { startSandboxBank } from './sandbox-bank.ts'

export type Role = 'up' | 'serve' | 'work'
type Stop = () => Promise<void>

/** Longer than any request may take, shorter than the timeout of a supervisor. A second signal ends it early. */
const STOP_TIMEOUT_MS = 20_000

/** Runs until told to stop, then finishes open requests and workers, and closes their dependencies last. */
export async function runProcess(config: Settings, role: Role): Promise<void> {
  const stops: Stop[] = []
  const workers: Poller[] = []
  let closeServer: Stop = async () => undefined
  const stopAll = async () => {
    // In parallel: a request may take 15 seconds and a bank call 10, and the sum would exceed a supervisor's timeout.
    await Promise.all([closeServer(), ...workers.map((worker) => worker.stop())])
    for (const stop of stops.toReversed()) await stop()
  }
  // Installed before PostgreSQL starts: a signal before "ready" must stop it too.
  const stop = stopSignal(STOP_TIMEOUT_MS + (role === 'work' ? 0 : config.drainSeconds * 1000))
  try {
    const lock = role === 'up' && config.mode === 'sandbox' ? lockDataFolder(config.dataFolder, realClock) : null
    stops.push(async () => lock?.release())
    const app = await start(reduceTerminalLog(config, role), stops)
    stop.throwIfAborted()
    const { demo } = await prepare(app)
    stop.throwIfAborted()
    await warnIfRestored(app)
    // Before anything that writes or checks a deadline.
    stops.push(await app.clock.follow(app.db, () => workers.forEach((worker) => worker.poke())))
    if (role !== 'work') closeServer = await serve(app, stops)
    lock?.setAddress(app.publicUrl())
    stop.throwIfAborted()
    await app.loadConnections()
    const bank = role === 'up' && demo && !config.bankApi ? await startSandboxBank(app, demo, stops) : null
    const known = readSandbox(config)?.logins ?? []
    const logins = role === 'up' && demo ? await prepareDemoLogins(app, demo.merchantId, known) : []
    workers.push(...(role === 'serve' ? [followConnections(app)] : startWorkers(app)))
    // Starts last and stays open until requests and workers are done, so that readiness is accurate.
    const ops = config.ops && (await serveOps(app, config.ops, stops))
    stop.throwIfAborted()
    if (ops) process.stdout.write(`ops ${ops}\n`)
    if (lock && config.pointerFile) pointToSandbox(config.pointerFile, config.dataFolder)
    announce(app, role, { demo, logins, bank, offsetSeconds: await readOffsetSeconds(app.db) })
  } catch (error) {
    await stopAll()
    if (error === stop.reason) return
    throw error
  }
  if (!stop.aborted) await once(stop, 'abort')
  await stopAll()
}

/** A log line per request would hide what a developer reads in the terminal. */
function reduceTerminalLog(config: Settings, role: Role): Settings {
  const quiet = role === 'up' && config.mode === 'sandbox' && config.logLevel === null && process.stderr.isTTY
  return quiet ? { ...config, logLevel: 'warn' } : config
}

export async function runMigrations(config: Settings): Promise<{ applied: string[]; granted: string[] }> {
  const stops: Stop[] = []
  try {
    const app = await start(config, stops)
    const { migrated } = await prepare(app, { migrates: true })
    return { applied: migrated, granted: await grantedRoles(app.db) }
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}

async function warnIfRestored({ db, log }: App): Promise<void> {
  const open = await findOpenRestore(db)
  if (open)
    log.warn({ restoredTo: open.restoredTo }, 'restored, not checked: no payout is sent; run vezne restore-check')
}

async function start(settings: Settings, stops: Stop[]): Promise<App> {
  const embedded = settings.databaseUrl === null ? await startEmbeddedPostgres(settings.dataFolder) : null
  if (embedded) stops.push(embedded.stop)
  const databaseUrl = settings.databaseUrl ?? (embedded?.url as string)
  const config = { ...settings, masterKey: settings.masterKey ?? (await firstMasterKey(settings, databaseUrl)) }
  const tracing = config.tracing && (await loadTracing(config, config.tracing))
  const app = compose(config, databaseUrl, tracing)
  stops.push(async () => {
    await app.outbound.close()
    await app.db.end()
    await tracing?.stop()
    app.log.flush()
  })
  return app
}

/** A sandbox makes its key for a new database only: what another has sealed opens with its own key. */
async function firstMasterKey({ dataFolder, logLevel }: Settings, url: string): Promise<Buffer> {
  const db = openDb({ url, log: openLog(logLevel ?? 'info') })
  const isNew = await isNewDatabase(db)
  await db.end()
  // Another process may have made both meanwhile.
  const key = isNew ? makeMasterKey(dataFolder) : storedMasterKey(dataFolder)
  if (key) return key
  throw new SettingsError([
    `VEZNE_MASTER_KEY is missing, and ${dataFolder} has no master.key, but its database is not new. Put the master.key back that belongs to it, or set VEZNE_MASTER_KEY.`,
  ])
}

async function loadTracing({ logLevel }: Config, settings: NonNullable<Config['tracing']>) {
  const { openTracing } = await import('./tracing.ts')
  return openTracing({ log: openLog(logLevel ?? 'info') }, settings)
}

/** Returns the function that closes the server. */
async function serve(app: App, stops: Stop[]): Promise<Stop> {
  await app.checkoutKeys.load()
  const server = buildApi(app)
  app.tracing?.requests(server, app.trustedProxies)
  const watch = watchDeposits(app)
  stops.push(watch.stop)
  mountCheckout(server, { ...app, watch })
  mountOperatorConsole(server, app)
  mountMerchantConsole(server, app)
  mountDocs(server, app)
  const address = await listen(server, { ...app.config, setting: 'PORT' }).catch(async (error: Error) => {
    // Its pages have timers that would keep the process running.
    await server.close()
    throw error
  })
  app.setListeningAt(address)
  const callWriter = poll(app, {
    name: 'write-api-calls',
    everyMs: 1000,
    work: () => app.callLog.flush().then(() => 0),
  })
  return async () => {
    // Load balancers see "not ready" before connections are refused.
    app.setStopping()
    await wait(app.config.drainSeconds * 1000)
    await server.close()
    await Promise.all([app.createDeposit.idle(), app.createWithdrawal.idle()])
    await app.recordRefusal.idle()
    await callWriter.stop()
    // The database may be away; the log is not worth waiting for it.
    await app.callLog.flush().catch(() => undefined)
  }
}

/** For the metrics of a process without workers. */
function followConnections(app: App): Poller {
  return poll(app, { name: 'load-connections', everyMs: 2000, work: () => app.loadConnections().then(() => 0) })
}

/** Returns its address. */
async function serveOps(app: App, target: NonNullable<Config['ops']>, stops: Stop[]): Promise<string> {
  const server = buildOps(app)
  stops.push(async () => server.close())
  return listen(server, { ...target, setting: 'VEZNE_OPS_PORT' })
}

/** Returns the address. Retries, because a predecessor that was just killed may still hold the port. */
async function listen(
  server: ReturnType<typeof buildApi>,
  target: { host: string; port: number; setting: string },
  tries = 12,
): Promise<string> {
  const { host, port, setting } = target
  try {
    // For `localhost` Fastify would open a second server on ::1 and not wait for it when closing.
    await server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port })
    const at = server.server.address() as AddressInfo
    return `http://${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}`
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error
    if (tries === 0)
      throw new SettingsError([
        `${setting} ${port} is in use by another program. Stop it, or choose another: ${setting}=0 picks a free one.`,
      ])
    await wait(250)
    return listen(server, target, tries - 1)
  }
}

type Sandbox = {
  demo: MerchantCredentials | null
  logins: DemoLogin[]
  bank: SimulatedBank | null
  offsetSeconds: number
}

function announce(app: App, role: Role, { demo, logins, bank, offsetSeconds }: Sandbox): void {
  const baseUrl = app.publicUrl()
  if (role === 'work') return void process.stdout.write('working\n')
  if (demo && role === 'up') {
    const sandbox = bank && { bankUrl: bank.baseUrl, bankKey: bank.key, shopUrl: `${bank.baseUrl}/shop` }
    const facts = { baseUrl, databaseUrl: app.databaseUrl, merchant: demo, logins, ...sandbox }
    ensurePrivateFolder(app.config.dataFolder)
    const factsFile = join(app.config.dataFolder, 'sandbox.json')
    writeFileSync(factsFile, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 })
    const chosenFolder = app.config.dataFolder === resolve('.vezne') ? null : app.config.dataFolder
    const requestsLogged = app.config.logLevel !== 'warn'
    process.stdout.write(asTyped(welcome(facts, { requestsLogged, offsetSeconds, factsFile, chosenFolder })))
  }
  process.stdout.write(`ready ${baseUrl}\n`)
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Aborts at the first request to stop; a second one, or the timeout, ends the process at once. */
function stopSignal(timeoutMs: number): AbortSignal {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) return
    process.stdout.write('stopping: finishing open requests (Ctrl-C again to stop at once)\n')
    controller.abort()
    endAtSecondSignal(timeoutMs)
  }
  process.channel?.unref()
  for (const signal of STOP_SIGNALS) process.on(signal, stop)
  // The parent process has ended, perhaps before anyone listened. Without a channel it is undefined.
  process.once('disconnect', stop)
  if (process.channel === null) stop()
  return controller.signal
}

function endAtSecondSignal(timeoutMs: number): void {
  const stopRequestedAt = performance.now()
  for (const signal of STOP_SIGNALS) {
    // One Ctrl-C arrives several times: from the terminal, from npm, from the launcher.
    process.on(
      signal,
      () => void (performance.now() - stopRequestedAt > 1000 && process.exit(128 + constants.signals[signal])),
    )
  }
  setTimeout(() => {
    process.stderr.write(`stopped after ${timeoutMs / 1000} s: a request, a bank or the database did not respond\n`)
    process.exit(1)
  }, timeoutMs).unref()
}

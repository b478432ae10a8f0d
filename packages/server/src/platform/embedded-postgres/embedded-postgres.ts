import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { CannotStart, ensurePrivateFolder } from '../files/data-folder.ts'
import { Refusal } from '../refusal.ts'
import { postgresFolder } from './embedded-postgres-files.ts'
import { clusterOwner, SETTINGS, writeConfiguration } from './embedded-postgres-settings.ts'
import { shareDatabase } from '../files/lock-data-folder.ts'
import type { Postmaster } from './postgres-processes.ts'
import { giveUpOwnership, isAlive, readOwner, readPostmaster, takeOwnership } from './postgres-processes.ts'

/** A PostgreSQL server in a data folder: durable, on loopback only, with a password. */
export type EmbeddedPostgres = { url: string; stop: () => Promise<void> }

type Cluster = { folder: string; binaries: string; password: string; logFile: string; settings: string[] }

const runAs = clusterOwner ?? {}
// Started inside its data folder, PostgreSQL needs no access to the folders above, so the data folder may lie below one
// that only root can enter.
const DATA_PATH = clusterOwner && process.platform === 'linux' ? '/proc/self/cwd' : null

const READY_TIMEOUT_MS = 60_000
const POLL_INTERVAL_MS = 50
// Backends of a killed PostgreSQL end within two seconds; a wrong setting fails until the timeout.
const RETRY_TIMEOUT_MS = 10_000

/** Until `stop` has finished, no restore can take the data folder. */
export async function startEmbeddedPostgres(
  dataFolder: string,
  extraSettings: string[] = [],
): Promise<EmbeddedPostgres> {
  ensurePrivateFolder(dataFolder)
  const release = shareDatabase(dataFolder)
  try {
    const { url, stop } = await startShared(dataFolder, extraSettings)
    return { url, stop: () => stop().finally(release) }
  } catch (error) {
    release()
    throw error
  }
}

async function startShared(dataFolder: string, extraSettings: string[]): Promise<EmbeddedPostgres> {
  const cluster = findOrCreateCluster(dataFolder, extraSettings)
  let postmaster = await startOrAdopt(cluster)
  const isOwner = takeOwnership(dataFolder)
  let stopping = false
  let restarting: Promise<unknown> = Promise.resolve()
  // Watched by process id: the postmaster may have been started by an earlier process and is not our child.
  const watch = setInterval(() => {
    if (stopping || !isOwner || isAlive(postmaster.pid)) return
    const { port } = postmaster
    restarting = restarting.then(
      async () => {
        if (!stopping && !isAlive(postmaster.pid)) postmaster = await startOrAdopt(cluster, port)
      },
      () => undefined,
    )
  }, 250)
  watch.unref()
  await ensureDatabase(cluster, postmaster.port)

  return {
    url: urlOf(cluster, postmaster.port, 'vezne'),
    async stop() {
      stopping = true
      clearInterval(watch)
      await restarting
      // Another process of this data folder owns it.
      if (!isOwner) return
      giveUpOwnership(dataFolder)
      await stopPostmaster(postmaster)
    },
  }
}

/** SIGINT is PostgreSQL's "fast" stop: open transactions are rolled back, committed ones are flushed. */
async function stopPostmaster({ pid }: Postmaster): Promise<void> {
  if (isAlive(pid)) process.kill(pid, 'SIGINT')
  await until(() => !isAlive(pid) || undefined, 'PostgreSQL to stop')
}

/**
 * Stops a PostgreSQL whose service was killed. Refuses if its service lives, or if it was started by someone else. Call only with
 * the database locked.
 */
export async function stopAbandonedPostgres(dataFolder: string): Promise<void> {
  const postmaster = readPostmaster(join(dataFolder, 'postgres'))
  if (!postmaster) return
  const owner = readOwner(dataFolder)
  if (owner?.alive)
    throw new Refusal(
      'INVALID_STATE',
      `Process ${owner.pid} runs a database in ${dataFolder}. Stop it first: kill ${owner.pid}`,
    )
  if (!owner)
    throw new Refusal(
      'INVALID_STATE',
      `PostgreSQL runs in ${dataFolder} without a service of Vezne. Stop it first: kill -INT ${postmaster.pid}`,
    )
  await stopPostmaster(postmaster)
}

function findOrCreateCluster(dataFolder: string, extraSettings: string[]): Cluster {
  const folder = join(dataFolder, 'postgres')
  const passwordFile = join(dataFolder, 'postgres.password')
  const cluster: Cluster = {
    folder,
    binaries: join(postgresFolder(clusterOwner?.uid ?? null), 'bin'),
    password: existsSync(passwordFile) ? readFileSync(passwordFile, 'utf8') : randomBytes(24).toString('hex'),
    logFile: join(dataFolder, 'postgres.log'),
    settings: [...SETTINGS, ...extraSettings],
  }
  if (!existsSync(folder)) {
    mustHaveNoReplacedCluster(dataFolder)
    writeFileSync(passwordFile, cluster.password, { mode: 0o600 })
    createCluster(cluster)
  }
  return cluster
}

/** An interrupted restore left no database in place: creating an empty one would hide that. */
function mustHaveNoReplacedCluster(dataFolder: string): void {
  const replaced = readdirSync(dataFolder).find((name) => name.startsWith('postgres.before-'))
  if (replaced === undefined) return
  throw new CannotStart(
    `${dataFolder} has no postgres, but ${replaced}: a restore was cut off. Run vezne restore again, or rename it and its ` +
      'password file back to postgres and postgres.password. For an empty database, move it to another folder.',
  )
}

/** Created under another name and renamed when complete: a crash leaves nothing that looks like a cluster. */
function createCluster(cluster: Cluster): void {
  const unfinished = `${cluster.folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  if (clusterOwner) chownSync(unfinished, clusterOwner.uid, clusterOwner.gid)
  const path = DATA_PATH ?? unfinished
  const spawnOptions = { cwd: unfinished, env: {}, encoding: 'utf8', ...runAs } as const
  const check = (what: string, { status, signal, stdout, stderr, error }: ReturnType<typeof spawnSync>) => {
    // Ctrl-C reaches the whole process group; the children of initdb get it too.
    if (signal !== null || /terminated by signal/.test(String(stderr)))
      throw new CannotStart('Stopped before the database was ready. The next start creates it.')
    if (status !== 0) throw new Error(`${what} failed: ${String(error ?? '')}\n${String(stdout)}\n${String(stderr)}`)
  }
  const options = [
    '-U',
    'vezne',
    '--auth=reject',
    '--encoding=UTF8',
    '--locale=C',
    '--data-checksums',
    '--no-instructions',
  ]
  check('initdb', spawnSync(join(cluster.binaries, 'initdb'), ['-D', path, ...options], spawnOptions))
  const setPassword = `alter role vezne password '${cluster.password}'`
  const single = spawnSync(join(cluster.binaries, 'postgres'), ['--single', '-D', path, 'postgres'], {
    ...spawnOptions,
    input: `${setPassword}\n`,
  })
  check('setting the password', single)
  writeConfiguration(unfinished)
  renameSync(unfinished, cluster.folder)
}

async function startOrAdopt(cluster: Cluster, port?: number): Promise<Postmaster> {
  const deadline = Date.now() + RETRY_TIMEOUT_MS
  for (;;) {
    const running = readPostmaster(cluster.folder)
    const postmaster = running ?? (await launch(cluster, port ?? (await freePort())))
    if (await waitUntilReady(cluster, postmaster)) return postmaster
    // It may have lost a race for its port or data folder, or found backends of a killed server.
    if (Date.now() > deadline) {
      const log = existsSync(cluster.logFile) ? readFileSync(cluster.logFile, 'utf8').slice(-2000) : ''
      throw new Error(`PostgreSQL did not start from ${cluster.folder}. The end of ${cluster.logFile}:\n${log}`)
    }
  }
}

async function launch(cluster: Cluster, port: number): Promise<Postmaster> {
  const log = openSync(cluster.logFile, 'a', 0o600)
  const flags = [...cluster.settings, `port=${port}`].flatMap((setting) => ['-c', setting])
  // In its own session: Ctrl-C must not reach it, because we stop it after the last response.
  const child = spawn(join(cluster.binaries, 'postgres'), ['-D', DATA_PATH ?? cluster.folder, ...flags], {
    cwd: cluster.folder,
    env: {},
    detached: true,
    stdio: ['ignore', log, log],
    ...runAs,
  })
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', () => resolve(child.pid ?? 0))
  })
  child.unref()
  return { pid, port }
}

async function waitUntilReady(cluster: Cluster, { pid, port }: Postmaster): Promise<boolean> {
  const ready = await until(async () => {
    if (await canConnect(cluster, port)) return 'yes'
    return isAlive(pid) ? undefined : 'gone'
  }, 'PostgreSQL to respond')
  return ready === 'yes'
}

async function canConnect(cluster: Cluster, port: number): Promise<boolean> {
  return withSession(urlOf(cluster, port, 'postgres'), async () => true).catch(() => false)
}

async function ensureDatabase(cluster: Cluster, port: number): Promise<void> {
  try {
    await withSession(urlOf(cluster, port, 'postgres'), async (query) => {
      // A standby cannot create it, and has it from its primary.
      const found = await query("select from pg_database where datname = 'vezne'")
      if (found.length === 0) await query('create database vezne')
    })
  } catch (error) {
    const DUPLICATE_DATABASE = '42P04'
    if ((error as { code?: string }).code !== DUPLICATE_DATABASE) throw error
  }
}

type Query = (text: string) => Promise<Record<string, string>[]>

/** A separate connection, for session-level functions. */
export async function withSession<Result>(url: string, work: (query: Query) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(async (text) => (await client.query<Record<string, string>>(text)).rows)
  } finally {
    await client.end()
  }
}

function urlOf({ password }: Cluster, port: number, database: string): string {
  return `postgres://vezne:${password}@127.0.0.1:${port}/${database}`
}

async function until<Value>(poll: () => Promise<Value | undefined> | Value | undefined, what: string): Promise<Value> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  for (;;) {
    const value = await poll()
    if (value !== undefined) return value
    if (Date.now() > deadline) throw new Error(`Waited ${READY_TIMEOUT_MS / 1000} s for ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { postmasterOf } from '../faults/postgres-processes.ts'
import { startTestPostgres } from './ends-with-us.ts'
import { until } from './until.ts'

/** Name of the standby that is promoted. */
export const STANDBY_NAME = 'standby'

type Settings = { ofAll?: string[]; ofPrimary?: string[]; otherStandbys?: string[] }

/**
 * A primary and its standbys, by streaming replication. `url` has the primary and the standby that is promoted; a connection goes to the
 * one that takes writes. Other standbys only follow the primary.
 */
export async function startReplicated(
  folder: string,
  { ofAll = [], ofPrimary = [], otherStandbys = [] }: Settings = {},
) {
  const first = join(folder, 'first')
  const names = [STANDBY_NAME, ...otherStandbys]
  await prepareCopies(
    first,
    names.map((name) => join(folder, name)),
    ofAll,
  )
  const primary = await startTestPostgres(first, [...ofAll, 'cluster_name=first', ...ofPrimary])
  let stopped: Promise<void> | undefined
  const stopPrimary = () => (stopped ??= primary.stop())
  const { username, password, port } = new URL(primary.url)
  const conninfo = `host=127.0.0.1 port=${port} user=${username} password=${password}`
  const start = (name: string) => {
    appendFileSync(join(folder, name, 'postgres/postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
    return startTestPostgres(join(folder, name), [...ofAll, `cluster_name=${name}`])
  }
  const others: Awaited<ReturnType<typeof start>>[] = []
  const stopOthers = async () => {
    for (const other of others) await other.stop()
    await stopPrimary()
  }
  const startAll = async () => {
    for (const name of otherStandbys) others.push(await start(name))
    return start(STANDBY_NAME)
  }
  const standby = await startAll().catch((error: unknown) => stopOthers().then(() => Promise.reject(error)))
  const onPrimary = (statement: string) => ask(primary.url, statement)
  const onStandby = (statement: string) => ask(standby.url, statement)
  const isConnected = 'select count(*)::int as value from pg_stat_replication'
  await until(
    () => onPrimary(isConnected),
    (count) => count === names.length,
    30_000,
  )
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port},127.0.0.1:${new URL(standby.url).port}/vezne?target_session_attrs=read-write`,
    onPrimary,
    /** It has everything that was committed so far. */
    async standbyFollows(): Promise<void> {
      const sent = String(await onPrimary('select pg_current_wal_lsn()::text as value'))
      const has = () => onStandby(`select pg_last_wal_replay_lsn() >= '${sent}'::pg_lsn as value`)
      await until(has, (value) => value === true, 30_000)
    },
    /** From here on it falls behind. */
    async cutStandby(): Promise<void> {
      await onStandby("alter system set primary_conninfo = ''")
      await onStandby('select pg_reload_conf() as value')
      await until(
        () => onPrimary(isConnected),
        (count) => count === otherStandbys.length,
        30_000,
      )
    },
    /** The primary is lost without a word, and the standby takes over. */
    async promote(): Promise<void> {
      process.kill(postmasterOf(first), 'SIGKILL')
      // At once, so that no one starts it again.
      await stopPrimary()
      await onStandby('select pg_promote() as value')
    },
    async stop(): Promise<void> {
      await standby.stop()
      await stopOthers()
    },
  }
}

/** Equal data folders: the copy of a stopped primary is a standby. */
async function prepareCopies(first: string, copies: string[], settings: string[]): Promise<void> {
  const primary = await startTestPostgres(first, settings)
  await primary.stop()
  appendFileSync(join(first, 'postgres/pg_hba.conf'), 'host replication all 127.0.0.1/32 scram-sha-256\n')
  for (const copy of copies) {
    // With owners: PostgreSQL may run as another user.
    execFileSync('cp', ['-a', first, copy])
    rmSync(join(copy, 'postgres/postmaster.pid'), { force: true })
    writeFileSync(join(copy, 'postgres/standby.signal'), '')
  }
}

async function ask(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<{ value: unknown }>(statement)).rows[0]?.value
  } finally {
    await client.end()
  }
}

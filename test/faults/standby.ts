import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts'
import { until } from '../harness/until.ts'
import type { Row } from './measure.ts'
import { measure } from './measure.ts'
import { postmasterOf } from './postgres-processes.ts'
import { openWorld } from './world.ts'

export const STANDBY = 'synchronous standby promoted'

/** A primary with a synchronous standby; the primary is killed under load and the standby promoted. */
export async function measurePromotion(folder: string): Promise<Row> {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  await prepareCopies(first, second)
  const primary = await startEmbeddedPostgres(first, ['synchronous_standby_names=*'])
  let stopped = false
  const stopPrimary = async () => {
    if (!stopped) await primary.stop()
    stopped = true
  }
  const stops = [stopPrimary]
  try {
    const { username, password, port } = new URL(primary.url)
    const conninfo = `host=127.0.0.1 port=${port} user=${username} password=${password}`
    appendFileSync(join(second, 'postgres/postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
    const standby = await startEmbeddedPostgres(second)
    stops.push(standby.stop)
    await until(
      () => ask(primary.url, `select count(*)::int as value from pg_stat_replication where sync_state = 'sync'`),
      (count) => count === 1,
      30_000,
    )
    const both = `postgres://${username}:${password}@127.0.0.1:${port},127.0.0.1:${new URL(standby.url).port}/vezne?target_session_attrs=read-write`
    const world = await openWorld(both, both, folder)
    try {
      return await measure(world, {
        name: STANDBY,
        forMs: 0,
        async begin() {
          process.kill(postmasterOf(first), 'SIGKILL')
          // At once, so that no one starts it again.
          await stopPrimary()
          await ask(standby.url, 'select pg_promote() as value')
          return async () => undefined
        },
      })
    } finally {
      await world.close()
    }
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}

/** Two equal data folders: the copy of a stopped primary is a standby. */
async function prepareCopies(first: string, second: string): Promise<void> {
  const primary = await startEmbeddedPostgres(first)
  await primary.stop()
  appendFileSync(join(first, 'postgres/pg_hba.conf'), 'host replication all 127.0.0.1/32 scram-sha-256\n')
  // With owners: PostgreSQL may run as another user.
  execFileSync('cp', ['-a', first, second])
  rmSync(join(second, 'postgres/postmaster.pid'), { force: true })
  writeFileSync(join(second, 'postgres/standby.signal'), '')
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

import type { Client } from 'pg'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { ready } from '../harness/child-process.ts'
import { send } from '../harness/client.ts'
import type { FaultMode, FaultProxy } from '../harness/fault-proxy.ts'
import { until } from '../harness/until.ts'
import { postmasterOf, signalAll } from './postgres-processes.ts'
import type { SmallDisk } from './small-disk.ts'
import type { World } from './world.ts'

/** What one fault may touch. */
export type Site = {
  world: World
  proxy: FaultProxy
  /** A superuser's connection to the server, past the proxy. */
  admin: Client
  database: string
  role: string
  /** Of the server. */
  dataFolder: string
  disk: SmallDisk | null
}

export type Fault = {
  name: string
  forMs: number
  /** Returns what ends it. */
  begin: () => Promise<() => Promise<void>>
  /** Looked at when everything works again. */
  check?: () => Promise<string[]>
}

export type FaultKind = {
  name: string
  /** In `npm test` too, where each second counts: shorter there. */
  smallMs?: number
  forMs: number
  make: (site: Site) => Omit<Fault, 'name' | 'forMs'>
}

const CLOCK_AHEAD = {
  NODE_OPTIONS: `--import=${import.meta.resolve('../harness/clock-ahead.ts')}`,
  CLOCK_AHEAD_SECONDS: '2400',
  VEZNE_LOG: 'warn',
}

export const FAULTS: FaultKind[] = [
  {
    name: 'database killed (SIGKILL), restarts',
    forMs: 0,
    smallMs: 0,
    make: (site) => ({ begin: async () => signalPostmaster(site, 'SIGKILL') }),
  },
  {
    name: 'database restarted (fast shutdown)',
    forMs: 0,
    make: (site) => ({ begin: async () => signalPostmaster(site, 'SIGINT') }),
  },
  { name: 'database paused 45 s', forMs: 45_000, make: (site) => ({ begin: () => pause(site) }) },
  { name: 'silent network 30 s', forMs: 30_000, smallMs: 11_000, make: (site) => network(site, 'silent') },
  { name: 'answers lost on the network 30 s', forMs: 30_000, make: (site) => network(site, 'no-answers') },
  { name: 'connections reset and refused', forMs: 8000, smallMs: 2000, make: (site) => network(site, 'refuse') },
  { name: 'disk full', forMs: 8000, make: diskFull },
  {
    name: 'database read-only',
    forMs: 8000,
    smallMs: 1500,
    make: (site) => setting(site, `alter database ${site.database} set default_transaction_read_only = on`),
  },
  {
    name: 'connection limit reached',
    forMs: 8000,
    make: (site) =>
      setting(site, `alter role ${site.role} connection limit 0`, `alter role ${site.role} connection limit -1`),
  },
  {
    name: 'statement timeout of 1 ms',
    forMs: 8000,
    make: (site) => setting(site, `alter database ${site.database} set statement_timeout = '1ms'`),
  },
  { name: 'clock 40 min ahead in a worker', forMs: 8000, make: (site) => workerAhead(site) },
  { name: 'clock 40 min ahead in a server', forMs: 4000, make: (site) => serverAhead(site) },
]

const nothing = async () => undefined

function signalPostmaster({ dataFolder }: Site, signal: 'SIGKILL' | 'SIGINT'): () => Promise<void> {
  process.kill(postmasterOf(dataFolder), signal)
  // Whoever looks after it starts it again.
  return nothing
}

async function pause({ dataFolder }: Site): Promise<() => Promise<void>> {
  const postmaster = postmasterOf(dataFolder)
  signalAll(postmaster, 'SIGSTOP')
  return async () => signalAll(postmaster, 'SIGCONT')
}

function network({ proxy }: Site, mode: FaultMode) {
  return {
    async begin() {
      proxy.set(mode)
      return async () => proxy.set('pass')
    },
  }
}

/** A setting of the database that sessions get when they begin, so those of the service are ended. */
function setting(site: Site, on: string, off = `alter database ${site.database} reset all`) {
  const { admin } = site
  return {
    async begin() {
      await admin.query(on)
      await endSessions(site)
      return async () => {
        await admin.query(off)
        await endSessions(site)
      }
    },
  }
}

async function endSessions({ admin, database }: Site): Promise<void> {
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and pid <> pg_backend_pid()`,
  )
}

/** The tables lie on a small disk of their own. Where none can be mounted, triggers raise what a full one raises. */
function diskFull({ disk, world }: Site) {
  return {
    async begin() {
      if (disk) {
        disk.fill()
        return async () => disk.empty()
      }
      await world.app.db.transaction((tx) =>
        tx.query(sql`
        create function disk_is_full() returns trigger language plpgsql
        as 'begin raise exception using errcode = ''53100'', message = ''No space left on device''; end'`),
      )
      await world.app.db.transaction(async (tx) => {
        for (const table of [sql`deposits`, sql`withdrawals`])
          await tx.query(sql`
            create trigger disk_is_full before insert on ${table} for each statement execute function disk_is_full()`)
      })
      return () =>
        world.app.db.transaction(async (tx) => void (await tx.query(sql`drop function disk_is_full cascade`)))
    },
  }
}

/** It must not expire deposits whose time has not come, and must say why it does nothing. */
function workerAhead({ world }: Site) {
  let log = () => ''
  return {
    async begin() {
      const worker = await world.start('work', CLOCK_AHEAD)
      log = () => worker.output() + worker.errors()
      await until(
        async () => log(),
        (text) => /working/.test(text),
      )
      return async () => {
        worker.process.kill('SIGTERM')
        await worker.exited
      }
    },
    async check() {
      const [row] = await world.app.db.query<{ count: number }>(sql`
        select count(*)::int as count from deposits where status not in ('pending', 'completed')`)
      return [
        ...(row?.count === 0 ? [] : [`${row?.count} deposits were changed`]),
        ...(/clock/.test(log()) ? [] : ['the worker did not say that its clock is wrong']),
      ]
    },
  }
}

/** It must not be ready, so that no load balancer sends it requests. */
function serverAhead({ world }: Site) {
  let seen = ''
  return {
    async begin() {
      const server = await world.start('serve', CLOCK_AHEAD)
      const { hostname, port } = new URL(await ready(server))
      const ask = () => send({ hostname, port, path: '/readyz', agent: false })
      const { text } = await until(ask, ({ status }) => status === 503)
      seen = text
      return async () => {
        server.process.kill('SIGTERM')
        await server.exited
      }
    },
    check: async () => (/clock/.test(seen) ? [] : [`/readyz does not name the clock: ${seen}`]),
  }
}

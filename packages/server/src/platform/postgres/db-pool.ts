import type { Socket } from 'node:net'
import pg from 'pg'
import { AllInUse, faultOf, NoHost, SilentDatabase } from './database-faults.ts'
import type { Hosts } from './database-url.ts'
import { hostsOf } from './database-url.ts'

/** A pool whose connections share their settings and are closed when the server is silent for too long. */
export type Pool = {
  /** The limit is for the silence of the server during one statement. */
  checkout: (limitMs: number) => Promise<pg.PoolClient>
  /** A broken connection is closed instead of reused. */
  release: (client: pg.PoolClient, broken?: boolean) => void
  /** Closes connections that are not in use. */
  closeIdle: () => void
  stats: () => { open: number; idle: number; waiting: number }
  end: () => Promise<void>
}

type Options = {
  hosts: Hosts
  max: number
  /** Statements that every new connection runs first. */
  session: string
  onLost: (error: Error) => void
}

type Watched = { busy: boolean; bytesRead: number; silentTicks: number; limitTicks: number }

/** Timeout for a free or new connection, for all hosts of an address together. */
const CHECKOUT_MS = 5000
const TICK_MS = 250
/** Message of the pool when that time has passed. */
const CHECKOUT_TIMEOUT_MESSAGE = 'timeout exceeded when trying to connect'
/** Limit for the first statements of a connection. */
const SETUP_MS = 4000

/** For every connection: a lost server is noticed after about 20 s, also by listeners. */
export const CONNECTION = {
  application_name: 'vezne',
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: CHECKOUT_MS,
}

/** The PostgreSQL routine that waits for a standby; its warnings mean that the wait was cut short. */
const SYNC_WAIT = 'SyncRepWaitForLSN'
/** Connections whose last commit is on one server only. */
export const unreplicated = new WeakSet<pg.ClientBase>()

export function openPool({ hosts, max, session, onLost }: Options): Pool {
  const watched = new Map<pg.ClientBase, Watched>()
  const settings = { ...CONNECTION, connectionTimeoutMillis: CHECKOUT_MS / hosts.count, idleTimeoutMillis: 30_000 }
  const onConnect = async (client: pg.ClientBase): Promise<void> => {
    client.on('error', onLost)
    client.on('notice', ({ routine }) => {
      if (routine === SYNC_WAIT) unreplicated.add(client)
    })
    const watch = { busy: true, bytesRead: 0, silentTicks: 0, limitTicks: SETUP_MS / TICK_MS }
    watched.set(client, watch)
    try {
      await setUp(client, session, hosts)
      // The caller may have stopped waiting, so the connection is idle.
      watch.busy = false
    } catch (error) {
      watched.delete(client)
      throw error
    }
  }
  // The pool awaits `onConnect`, although its types do not say so.
  const options: object = { ...settings, max, pipeline: true, Client: clientOf(hosts), onConnect }
  const pool = new pg.Pool(options)
  // Without a listener, an error of an idle client would end this process.
  pool.on('error', onLost)
  pool.on('remove', (client) => watched.delete(client))
  const ticking = setInterval(() => closeSilent(watched), TICK_MS).unref()

  return {
    checkout: (limitMs) => checkout({ pool, hosts, watched, max }, limitMs),
    release(client, broken) {
      const watch = watched.get(client)
      if (watch) watch.busy = false
      client.release(broken)
    },
    closeIdle: () => closeIdle(watched),
    stats: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async end() {
      await pool.end()
      clearInterval(ticking)
      // Does not wait for the server to close: an unresponsive one would keep this process alive.
      for (const client of watched.keys()) streamOf(client).destroySoon()
    },
  }
}

type Parts = { pool: pg.Pool; hosts: Hosts; watched: Map<pg.ClientBase, Watched>; max: number }

/** Tries the hosts of an address in order. */
async function checkout({ pool, hosts, watched, max }: Parts, limitMs: number): Promise<pg.PoolClient> {
  const tried: { host: string; error: unknown }[] = []
  for (;;) {
    const host = hosts.current()
    try {
      const client = await pool.connect()
      const watch = watched.get(client) as Watched
      watch.busy = true
      watch.silentTicks = 0
      watch.limitTicks = limitMs / TICK_MS
      return client
    } catch (error) {
      // Watched connections are open: the host is available, and all connections to it are in use.
      if ((error as Error).message === CHECKOUT_TIMEOUT_MESSAGE && watched.size >= max) throw new AllInUse()
      hosts.failed(host)
      if (!faultOf(error)) throw error
      tried.push({ host: hostsOf(host), error })
      if (tried.length >= hosts.count) throw new NoHost(tried)
    }
  }
}

/** The pool calls this with `new`. */
function clientOf(hosts: Hosts): unknown {
  return function client(options: pg.ClientConfig) {
    return new pg.Client({ ...options, connectionString: hosts.current() })
  }
}

async function setUp(client: pg.ClientBase, session: string, hosts: Hosts): Promise<void> {
  // Statements instead of startup options, because session poolers support them too.
  const results = (await client.query(`${session}; show transaction_read_only`)) as unknown as pg.QueryResult[]
  const row = results.at(-1)?.rows[0] as { transaction_read_only: string } | undefined
  if (hosts.writable && row?.transaction_read_only !== 'off')
    throw Object.assign(new Error('This host takes no writes: a standby, or set read-only.'), { code: '25006' })
}

export function streamOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

/**
 * One periodic check of all connections instead of a timer per statement. Counts ticks, not time: a pause of this
 * process adds one tick only. Sends no cancel request, which could hit a COMMIT that waits for a standby.
 */
function closeSilent(watched: Map<pg.ClientBase, Watched>): void {
  let silent = false
  for (const [client, watch] of watched) {
    const stream = streamOf(client)
    const { bytesRead } = stream
    if (!watch.busy || bytesRead !== watch.bytesRead) {
      watch.bytesRead = bytesRead
      watch.silentTicks = 0
    } else if (++watch.silentTicks > watch.limitTicks) {
      silent = true
      stream.destroy(new SilentDatabase((watch.limitTicks * TICK_MS) / 1000))
    }
  }
  // Idle connections use the same network path, and the next caller would wait as long again.
  if (silent) closeIdle(watched)
}

function closeIdle(watched: Map<pg.ClientBase, Watched>): void {
  for (const [client, { busy }] of [...watched]) {
    if (busy) continue
    streamOf(client).destroy()
    // Emitted now: until the socket has closed, the pool would still hand it out.
    client.emit('error', new Error('An idle connection was closed together with one that failed.'))
  }
}

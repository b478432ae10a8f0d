import type { Socket } from 'node:net'
import pg from 'pg'
import { AllInUse, faultOf, SilentDatabase } from './database-faults.ts'
import type { Hosts } from './database-url.ts'

/** A pool whose connections are all set up the same way, and given up when the server is silent for too long. */
export type Pool = {
  /** The limit is for one silence of the server, which is one statement. */
  checkout: (limitMs: number) => Promise<pg.PoolClient>
  /** A broken one is closed instead of being used again. */
  release: (client: pg.PoolClient, broken?: boolean) => void
  /** Closes those that no one uses. */
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

/** For a free connection, or for a new one to be made: with all hosts of an address together. */
const CHECKOUT_MS = 5000
const TICK_MS = 250
/** What the pool says when no connection became free, or none could be made, in that time. */
const WAITED_TOO_LONG = 'timeout exceeded when trying to connect'
/** Of the first statements of a connection. */
const SETUP_MS = 4000

/** Every connection: a server that vanished is noticed after about 20 s, even by those who only listen. */
export const CONNECTION = {
  application_name: 'vezne',
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: CHECKOUT_MS,
}

/** The function of PostgreSQL that waits for a standby; its warnings mean that the wait was cut short. */
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
      // Whoever wanted it may have stopped waiting.
      watch.busy = false
    } catch (error) {
      watched.delete(client)
      throw error
    }
  }
  // The pool waits for what `onConnect` returns; its types do not say so.
  const options: object = { ...settings, max, pipeline: true, Client: clientOf(hosts), onConnect }
  const pool = new pg.Pool(options)
  // Without a listener, a server that dies under an idle client takes this process with it.
  pool.on('error', onLost)
  pool.on('remove', (client) => watched.delete(client))
  const ticking = setInterval(() => giveUpOnSilent(watched), TICK_MS).unref()

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
      // Without waiting for the server's own goodbye: a silent one would keep this process.
      for (const client of watched.keys()) streamOf(client).destroySoon()
    },
  }
}

type Parts = { pool: pg.Pool; hosts: Hosts; watched: Map<pg.ClientBase, Watched>; max: number }

/** From the hosts of an address in order; with one host, a failure is a failure. */
async function checkout({ pool, hosts, watched, max }: Parts, limitMs: number): Promise<pg.PoolClient> {
  for (let tries = 1; ; tries++) {
    const host = hosts.current()
    try {
      const client = await pool.connect()
      const watch = watched.get(client) as Watched
      watch.busy = true
      watch.silentTicks = 0
      watch.limitTicks = limitMs / TICK_MS
      return client
    } catch (error) {
      // Those that are watched are connected: the host is well, and every connection to it is in use.
      if ((error as Error).message === WAITED_TOO_LONG && watched.size >= max) throw new AllInUse()
      hosts.failed(host)
      if (tries >= hosts.count || !faultOf(error)) throw error
    }
  }
}

/** A pool makes its clients with `new`. */
function clientOf(hosts: Hosts): unknown {
  return function client(options: pg.ClientConfig) {
    return new pg.Client({ ...options, connectionString: hosts.current() })
  }
}

async function setUp(client: pg.ClientBase, session: string, hosts: Hosts): Promise<void> {
  // Statements and not start-up options: a session pooler carries them too.
  const results = (await client.query(`${session}; show transaction_read_only`)) as unknown as pg.QueryResult[]
  const answer = results.at(-1)?.rows[0] as { transaction_read_only: string } | undefined
  if (hosts.writable && answer?.transaction_read_only !== 'off')
    throw Object.assign(new Error('This host takes no writes: a standby, or set read-only.'), { code: '25006' })
}

export function streamOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

/**
 * One look at all connections instead of a timer for each statement. Ticks are counted, not time: when this process itself stood still,
 * answers wait to be read, and one tick does not close the connection they are on.
 *
 * The server is not told: a request to cancel could hit a COMMIT that waits for a standby.
 */
function giveUpOnSilent(watched: Map<pg.ClientBase, Watched>): void {
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
  // The way of the idle ones is the same, and whoever took one would wait as long again.
  if (silent) closeIdle(watched)
}

function closeIdle(watched: Map<pg.ClientBase, Watched>): void {
  for (const [client, { busy }] of [...watched]) {
    if (busy) continue
    streamOf(client).destroy()
    // Now, and not when the socket has closed: the pool would hand it out until then.
    client.emit('error', new Error('An idle connection was closed with one that was of no more use.'))
  }
}

import { Client } from 'undici'
import type { Connect } from './outbound-connector.ts'

/** One connection, used by one request at a time. It connects when its first request is dispatched. */
export type Connection = {
  client: Client
  origin: string
  /** Milliseconds, DNS included, until it was connected; whoever uses a new connection first takes it and leaves 0. */
  connectMs: number
  /** The first thing that went wrong on it: undici tells the last, which may be a mere consequence. */
  error: Error | null
  stopConnecting: () => void
}

export type Connections = {
  /** Calls back with a connection, at once or when one is free; what it gives back cancels the wish. */
  take: (origin: string, ready: (connection: Connection) => void) => () => void
  giveBack: (connection: Connection) => void
  /** Ends the connection, whatever it is doing. */
  drop: (connection: Connection) => void
  /** Resolves when those in use have been given back. */
  close: () => Promise<void>
}

type Origin = { open: number; idle: Connection[]; waiting: Set<(connection: Connection) => void> }

/** Servers close idle connections after five seconds or more: we leave first, so that no request meets a closing door. */
const IDLE_MS = 4_000
/** Answers to callbacks need a few hundred bytes of headers. */
const MAX_HEADER_BYTES = 16_384

/**
 * A pool of our own, because undici's cannot take back a request that waits: one whose deadline has passed would keep its place in the
 * queue, and its turn at connecting, in front of those that can still be answered.
 */
export function openConnections({ limit, connect }: { limit: number; connect: Connect }): Connections {
  const origins = new Map<string, Origin>()
  let closed: PromiseWithResolvers<void> | null = null

  function open(origin: string, at: Origin): Connection {
    at.open++
    const connection = newConnection(origin, connect)
    // Idle for too long, or closed by the server; one that is in use hears of it through its request.
    connection.client.on('disconnect', () => {
      if (at.idle.includes(connection)) drop(connection)
    })
    return connection
  }

  function take(origin: string, ready: (connection: Connection) => void): () => void {
    const at = origins.get(origin) ?? { open: 0, idle: [], waiting: new Set() }
    origins.set(origin, at)
    // The one used last: the others grow old and are closed.
    const connection = at.idle.pop() ?? (at.open < limit ? open(origin, at) : null)
    if (connection) ready(connection)
    else at.waiting.add(ready)
    return () => at.waiting.delete(ready)
  }

  function giveBack(connection: Connection): void {
    const at = origins.get(connection.origin) as Origin
    const [next] = at.waiting
    if (next) {
      at.waiting.delete(next)
      next(connection)
    } else if (closed) drop(connection)
    else at.idle.push(connection)
  }

  function drop(connection: Connection): void {
    const { origin } = connection
    const at = origins.get(origin) as Origin
    at.idle = at.idle.filter((other) => other !== connection)
    at.open--
    connection.stopConnecting()
    void connection.client.destroy()
    const [next] = at.waiting
    if (next) {
      at.waiting.delete(next)
      next(open(origin, at))
    } else if (at.open === 0) {
      origins.delete(origin)
      if (origins.size === 0) closed?.resolve()
    }
  }

  async function close(): Promise<void> {
    closed ??= Promise.withResolvers()
    for (const connection of [...origins.values()].flatMap(({ idle }) => idle)) drop(connection)
    if (origins.size === 0) closed.resolve()
    await closed.promise
  }

  return { take, giveBack, drop, close }
}

function newConnection(origin: string, connect: Connect): Connection {
  const connection: Connection = {
    origin,
    connectMs: 0,
    error: null,
    stopConnecting: () => {},
    client: new Client(origin, {
      keepAliveTimeout: IDLE_MS,
      // A server's hint may shorten the time, not lengthen it.
      keepAliveMaxTimeout: IDLE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Every request has its own deadline over all of this.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      connect: (target, done) => {
        const startedAt = performance.now()
        connection.stopConnecting = connect(target, (...outcome) => {
          connection.connectMs = performance.now() - startedAt
          connection.error = null
          outcome[1]?.on('error', (error) => (connection.error ??= error))
          done(...outcome)
        })
      },
    }),
  }
  return connection
}

import { Client } from 'undici'
import type { Connect, ConnectFor } from './outbound-connector.ts'

/** One connection, used by one request at a time. It connects when its first request is dispatched. */
export type HttpConnection = {
  client: Client
  /** Time to connect including DNS, in milliseconds; reset to 0 by the first request on the connection. */
  connectMs: number
  /** The first error on the connection: undici reports the last one, which may be a consequence. */
  error: Error | null
  stopConnecting: () => void
}

type Ready = (connection: HttpConnection) => void

/** The connections to one address on a server. */
type Origin = {
  /** Calls back with a connection, now or when one is free. Returns a function that cancels the wait. */
  acquire: (ready: Ready) => () => void
  release: (connection: HttpConnection) => void
  /** Closes the connection, also while it is in use. */
  drop: (connection: HttpConnection) => void
  /** Connections in use are closed when they are returned. */
  close: () => void
}

/** A server, the full address (`address`) on it, and who sends. */
export type Destination = { server: string; address: string; sender: string }

export type Connections = {
  /** Per address and sender: none waits for another, or gets a connection that only another may have. */
  to: (target: Destination) => Origin
  /** Resolves when all connections are closed. */
  close: () => Promise<void>
}

type Options = { limit: number; connect: ConnectFor }
type OriginOptions = { limit: number; connect: Connect }

/**
 * Servers close idle connections after five seconds or more: we close earlier, so that no request hits a closing
 * connection.
 */
const IDLE_MS = 4_000
/** Responses to callbacks need a few hundred bytes of headers. */
const MAX_HEADER_BYTES = 16_384

/**
 * Own pool, because undici cannot withdraw a waiting request: one past its deadline would keep its place in the queue,
 * ahead of requests that can still succeed.
 */
export function openConnections(options: Options): Connections {
  const origins = new Map<string, Origin>()
  let closed: PromiseWithResolvers<void> | null = null

  function to({ server, address, sender }: Destination): Origin {
    const key = `${sender} ${address}`
    const existing = origins.get(key)
    if (existing) return existing
    const origin = openOrigin(server, { limit: options.limit, connect: options.connect(sender) }, () => {
      if (origins.get(key) === origin) origins.delete(key)
      if (origins.size === 0) closed?.resolve()
    })
    origins.set(key, origin)
    return origin
  }

  async function close(): Promise<void> {
    closed ??= Promise.withResolvers()
    for (const origin of origins.values()) origin.close()
    if (origins.size === 0) closed.resolve()
    await closed.promise
  }

  return { to, close }
}

function openOrigin(name: string, { limit, connect }: OriginOptions, onEmpty: () => void): Origin {
  const idle: HttpConnection[] = []
  const waiting = new Set<Ready>()
  let total = 0
  let closing = false

  function open(): HttpConnection {
    total++
    const connection = newConnection(name, connect)
    // A connection in use learns of it through its request.
    connection.client.on('disconnect', () => idle.includes(connection) && origin.drop(connection))
    return connection
  }

  function serveWaiting(): void {
    if (total < limit) takeFirst(waiting)?.(open())
    if (total === 0 && waiting.size === 0) onEmpty()
  }

  const origin: Origin = {
    acquire(ready) {
      // Uses the most recent one, so that the others become idle and are closed.
      const connection = idle.pop() ?? (total < limit ? open() : null)
      if (connection) ready(connection)
      else waiting.add(ready)
      return () => waiting.delete(ready)
    },
    release(connection) {
      const ready = takeFirst(waiting)
      if (ready) ready(connection)
      else if (closing) origin.drop(connection)
      else idle.push(connection)
    },
    drop(connection) {
      if (idle.includes(connection)) idle.splice(idle.indexOf(connection), 1)
      total--
      end(connection)
      // Deferred: when one deadline has passed, those of requests sent with it mostly pass in the same event loop turn.
      setImmediate(serveWaiting)
    },
    close() {
      closing = true
      for (const connection of [...idle]) origin.drop(connection)
    },
  }
  return origin
}

function takeFirst<Item>(set: Set<Item>): Item | undefined {
  const [first] = set
  if (first) set.delete(first)
  return first
}

function newConnection(name: string, connect: Connect): HttpConnection {
  const connection: HttpConnection = {
    connectMs: 0,
    error: null,
    stopConnecting: () => {},
    client: new Client(name, {
      keepAliveTimeout: IDLE_MS,
      // A server's hint may shorten the timeout, not extend it.
      keepAliveMaxTimeout: IDLE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Each request has its own overall deadline.
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

function end({ client, stopConnecting }: HttpConnection): void {
  stopConnecting()
  void client.destroy()
}

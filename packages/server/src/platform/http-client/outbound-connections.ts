import { Client } from 'undici'
import type { Connect } from './outbound-connector.ts'

/** One connection, used by one request at a time. It connects when its first request is dispatched. */
export type Connection = {
  client: Client
  /** Milliseconds, DNS included, until it was connected; whoever uses a new connection first takes it and leaves 0. */
  connectMs: number
  /** The first thing that went wrong on it: undici tells the last, which may be a mere consequence. */
  error: Error | null
  stopConnecting: () => void
}

type Ready = (connection: Connection) => void

/** The connections to one address on a server. */
type Origin = {
  /** Calls back with a connection, at once or when one is free; what it gives back cancels the wish. */
  take: (ready: Ready) => () => void
  giveBack: (connection: Connection) => void
  /** Ends the connection, whatever it is doing. */
  drop: (connection: Connection) => void
  /** Those in use are dropped when they come back. */
  close: () => void
}

/** A server, and an address there by its whole name. */
export type Place = { server: string; place: string }

export type Connections = {
  /** Those to one address: two merchants whose callbacks go to one provider do not wait for each other. */
  to: (target: Place) => Origin
  /** Resolves when all are gone. */
  close: () => Promise<void>
}

type Options = { limit: number; connect: Connect }

/** Servers close idle connections after five seconds or more: we leave first, so that no request meets a closing door. */
const IDLE_MS = 4_000
/** Answers to callbacks need a few hundred bytes of headers. */
const MAX_HEADER_BYTES = 16_384

/**
 * A pool of our own, because undici's cannot take back a request that waits: one whose deadline has passed would keep its place in the
 * queue, and its turn at connecting, in front of those that can still be answered.
 */
export function openConnections(options: Options): Connections {
  const origins = new Map<string, Origin>()
  let closed: PromiseWithResolvers<void> | null = null

  function to({ server, place }: Place): Origin {
    const known = origins.get(place)
    if (known) return known
    const origin = openOrigin(server, options, () => {
      if (origins.get(place) === origin) origins.delete(place)
      if (origins.size === 0) closed?.resolve()
    })
    origins.set(place, origin)
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

function openOrigin(name: string, { limit, connect }: Options, onEmpty: () => void): Origin {
  const idle: Connection[] = []
  const waiting = new Set<Ready>()
  let inAll = 0
  let closing = false

  function open(): Connection {
    inAll++
    const connection = newConnection(name, connect)
    // One that is in use hears of it through its request.
    connection.client.on('disconnect', () => idle.includes(connection) && origin.drop(connection))
    return connection
  }

  function fillUp(): void {
    if (inAll < limit) takeFirst(waiting)?.(open())
    if (inAll === 0 && waiting.size === 0) onEmpty()
  }

  const origin: Origin = {
    take(ready) {
      // The one used last: the others grow old and are closed.
      const connection = idle.pop() ?? (inAll < limit ? open() : null)
      if (connection) ready(connection)
      else waiting.add(ready)
      return () => waiting.delete(ready)
    },
    giveBack(connection) {
      const ready = takeFirst(waiting)
      if (ready) ready(connection)
      else if (closing) origin.drop(connection)
      else idle.push(connection)
    },
    drop(connection) {
      if (idle.includes(connection)) idle.splice(idle.indexOf(connection), 1)
      inAll--
      end(connection)
      // Not at once: when one deadline has passed, those of whoever came with it mostly pass in this same turn.
      setImmediate(fillUp)
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

function newConnection(name: string, connect: Connect): Connection {
  const connection: Connection = {
    connectMs: 0,
    error: null,
    stopConnecting: () => {},
    client: new Client(name, {
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

function end({ client, stopConnecting }: Connection): void {
  stopConnecting()
  void client.destroy()
}

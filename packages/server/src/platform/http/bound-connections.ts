import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Address, Network } from './ip.ts'
import { callerAddress, callerGroup, inNetworks } from './ip.ts'

/** `total` and `address`: too many connections. `pipelined` and `unread`: the answers are not being read. */
export type Excess = 'total' | 'address' | 'pipelined' | 'unread'
type OnExcess = (reason: Excess, address: Address | null) => void

export type ConnectionLimits = {
  total: number
  perAddress: number
  /** Trusted proxies: their connections are those of many callers. */
  exempt: readonly Network[]
}

/** Requests that may wait behind an unfinished answer of their connection. Clients hardly ever send any. */
const MAX_PIPELINED = 4
/** How long an answer may wait for its reader before the connection is closed. */
const READ_WITHIN_MS = 10_000
const LOOKS_PER_WAIT = 10
/** With the monotonic clock by which an answer waits. */
type Patience = { readWithinMs: number; lookEveryMs: number; now: () => number }
const PATIENCE: Patience = {
  readWithinMs: READ_WITHIN_MS,
  lookEveryMs: READ_WITHIN_MS / LOOKS_PER_WAIT,
  now: () => performance.now(),
}
/** Connections that the system may hand over before those closed for them are gone. */
const ACCEPTED_AT_ONCE = 64

/** Limits how many connections are open, in all and per address, and closes those that leave their answers unread. */
export function boundConnections(
  server: Server,
  { total, perAddress, exempt }: ConnectionLimits,
  onExcess: OnExcess,
  patience = PATIENCE,
): void {
  const open = new Set<Piped>()
  const counts = new Map<string, number>()
  // Connections that are being closed still count.
  server.maxConnections = total + ACCEPTED_AT_ONCE
  server.on('drop', (dropped) => onExcess('total', addressOf(dropped?.remoteAddress)))
  server.on('connection', (socket: Piped) => {
    const address = addressOf(socket.remoteAddress)
    if (open.size >= total) {
      const closed = longestIdle(open) ?? socket
      onExcess('total', addressOf(closed.remoteAddress))
      open.delete(closed)
      closed.destroy()
      if (closed === socket) return
    }
    socket[USED_AT] = performance.now()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    if (!address || inNetworks(address, exempt)) return
    const group = callerGroup(address)
    const count = (counts.get(group) ?? 0) + 1
    counts.set(group, count)
    socket.once('close', () => {
      const left = (counts.get(group) ?? 1) - 1
      if (left > 0) counts.set(group, left)
      else counts.delete(group)
    })
    if (count <= perAddress) return
    onExcess('address', address)
    socket.destroy()
  })
  const stop = closeUnread(open, onExcess, patience)
  server.once('close', stop)
}

/** The connection without a request for the longest time: idle callers must not lock others out. */
function longestIdle(open: Set<Piped>): Piped | undefined {
  let longest: Piped | undefined
  for (const socket of open) {
    const busy = socket[LATEST] && !socket[LATEST].writableFinished
    if (!busy && (socket[USED_AT] ?? 0) < (longest?.[USED_AT] ?? Number.POSITIVE_INFINITY)) longest = socket
  }
  return longest
}

/** Only output that waits counts: a quiet event stream has none. */
function closeUnread(
  open: Set<Socket>,
  onExcess: OnExcess,
  { readWithinMs, lookEveryMs, now: clock }: Patience,
): () => void {
  const stuck = new Map<Socket, { written: number; since: number }>()
  const look = setInterval(() => {
    const now = clock()
    for (const socket of open) {
      const written = socket.bytesWritten - socket.writableLength
      const before = stuck.get(socket)
      if (socket.writableLength === 0) stuck.delete(socket)
      else if (before?.written !== written) stuck.set(socket, { written, since: now })
      else if (now - before.since >= readWithinMs) {
        onExcess('unread', addressOf(socket.remoteAddress))
        socket.destroy()
      }
    }
    for (const socket of stuck.keys()) if (!open.has(socket)) stuck.delete(socket)
  }, lookEveryMs).unref()
  return () => clearInterval(look)
}

// Not in a WeakMap: one that changes with every request made the garbage collector's work five times as long.
const LATEST = Symbol('latest response')
const WAITING = Symbol('requests that wait')
const USED_AT = Symbol('time of the latest request')
type Piped = Socket & { [LATEST]?: ServerResponse; [WAITING]?: number; [USED_AT]?: number }

/**
 * Node parses every request of a chunk, a thousand in 64 kB, before it stops reading. They are handled one after the other, so a
 * connection is worth one request at a time. Past a few that wait, the connection is closed and the rest of its chunk is left alone.
 */
export function boundPipelining(handle: RequestListener, onExcess: OnExcess): RequestListener {
  return (request, response) => {
    const socket: Piped = request.socket
    if (socket.destroyed) return
    const before = socket[LATEST]
    socket[LATEST] = response
    socket[USED_AT] = performance.now()
    // A response has its socket at once, unless an earlier one is unfinished.
    if (response.socket !== null || !before) return handle(request, response)
    const count = (socket[WAITING] ?? 0) + 1
    socket[WAITING] = count
    if (count > MAX_PIPELINED) {
      onExcess('pipelined', addressOf(socket.remoteAddress))
      stopParsing(socket)
      socket.destroy()
      return
    }
    before.once('close', () => {
      socket[WAITING] = (socket[WAITING] ?? 1) - 1
      if (socket.writable) handle(request, response)
    })
  }
}

const STOP = 2

/**
 * Not a documented part of Node: without it a destroyed connection still has its whole chunk parsed, 25 µs per request instead of none.
 * If a later Node has no such property, the check of `destroyed` above remains.
 */
function stopParsing(socket: Socket & { parser?: { onIncoming?: unknown } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => STOP
}

function addressOf(remoteAddress: string | undefined): Address | null {
  return callerAddress(remoteAddress, undefined, [])
}

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const LOOK_EVERY_MS = 50

/**
 * While closing, Node keeps connections that are idle after a response, never sent a request, or send an incomplete
 * one. Call this at startup, and the returned function just before the server closes.
 */
export function drainConnections(server: Server): (patienceMs: number) => void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return (patienceMs) => {
    // Counted from the last byte of a response. `closeIdleConnections` would also close connections whose response is
    // still being sent.
    server.keepAliveTimeout = LOOK_EVERY_MS
    let silentBefore = new Set<Socket>()
    const look = setInterval(() => {
      const silent = [...open].filter(({ bytesRead }) => bytesRead === 0)
      // Silent in two checks: data that was unread while this process was busy has been read by then.
      for (const socket of silent) if (silentBefore.has(socket)) socket.destroy()
      silentBefore = new Set(silent)
    }, LOOK_EVERY_MS).unref()
    const last = setTimeout(() => server.closeAllConnections(), patienceMs).unref()
    server.once('close', () => {
      clearInterval(look)
      clearTimeout(last)
    })
  }
}

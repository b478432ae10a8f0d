import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const CHECK_INTERVAL_MS = 50

/**
 * While closing, Node keeps connections that are idle after a response, never sent a request, or send an incomplete
 * one. Call this at startup, and the returned function just before the server closes.
 */
export function drainConnections(server: Server): (timeoutMs: number) => void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return (timeoutMs) => {
    // Counted from the last byte of a response. `closeIdleConnections` would also close connections whose response is
    // still being sent.
    server.keepAliveTimeout = CHECK_INTERVAL_MS
    let silentBefore = new Set<Socket>()
    const checking = setInterval(() => {
      const silent = [...open].filter(({ bytesRead }) => bytesRead === 0)
      // Silent in two checks: data that was unread while this process was busy has been read by then.
      for (const socket of silent) if (silentBefore.has(socket)) socket.destroy()
      silentBefore = new Set(silent)
    }, CHECK_INTERVAL_MS).unref()
    const timeout = setTimeout(() => server.closeAllConnections(), timeoutMs).unref()
    server.once('close', () => {
      clearInterval(checking)
      clearTimeout(timeout)
    })
  }
}

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const LOOK_EVERY_MS = 50

/**
 * A server is closed when its last connection is gone, and once it closes Node ends none that is idle after an answer, that never asked anything
 * (browsers open such ones in advance), or whose request does not arrive whole. To be called now; what it returns, just before the server closes.
 */
export function drainConnections(server: Server): (patienceMs: number) => void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return (patienceMs) => {
    // Counted from when the last byte of an answer has left. `closeIdleConnections` calls those idle whose answer is still on its way.
    server.keepAliveTimeout = LOOK_EVERY_MS
    let silentBefore = new Set<Socket>()
    const look = setInterval(() => {
      const silent = [...open].filter(({ bytesRead }) => bytesRead === 0)
      // Twice in a row: what lay unread when this process had been busy has been read in between.
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

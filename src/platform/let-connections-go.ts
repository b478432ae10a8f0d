import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const SWEEP_EVERY_MS = 50

/**
 * A server is closed when its last connection is gone, and once it closes Node ends none that is idle after an answer, that never asked anything
 * (browsers open such ones in advance), or whose request does not arrive whole. To be called now; what it returns, just before the server closes.
 */
export function letConnectionsGo(server: Server): (patienceMs: number) => void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return (patienceMs) => {
    const sweep = setInterval(() => {
      server.closeIdleConnections()
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    }, SWEEP_EVERY_MS).unref()
    const last = setTimeout(() => server.closeAllConnections(), patienceMs).unref()
    server.once('close', () => {
      clearInterval(sweep)
      clearTimeout(last)
    })
  }
}

import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import http from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import net from 'node:net'
import type { TestContext } from 'node:test'
import type { Answer } from '../../packages/server/src/platform/http-client/outbound.ts'
import { openOutbound } from '../../packages/server/src/platform/http-client/outbound.ts'

/** Far longer than a loopback response takes; a test that reaches it has failed. */
const DEADLINE_MS = 30_000

/** Listens on a free port until the test ends, then closes with all connections. */
export async function listen(t: TestContext, server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export function serve(t: TestContext, listener: RequestListener): Promise<string> {
  return listen(t, http.createServer(listener))
}

/** A raw socket server that writes once it has received something. */
export function serveRaw(t: TestContext, respond: (socket: Socket) => void): Promise<string> {
  return listen(
    t,
    net.createServer((socket) => void socket.once('data', () => respond(socket))),
  )
}

/** A post function with the sandbox's rules and a long default deadline. */
export function openPost(
  t: TestContext,
  options: Partial<Parameters<typeof openOutbound>[0]> = {},
): (url: string, body?: string | Buffer) => Promise<Answer> {
  const outbound = openOutbound({ rules: 'loopback-too', deadlineMs: DEADLINE_MS, ...options })
  t.after(() => outbound.close())
  return (url, body = '{}') => outbound.post(url, { 'content-type': 'application/json' }, body)
}

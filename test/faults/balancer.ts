import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { send } from '../harness/client.ts'
import { pause } from '../harness/until.ts'

export type Balancer = {
  url: string
  add: (baseUrl: string) => void
  remove: (baseUrl: string) => void
  /** Which are ready, by the last probe. */
  ready: () => string[]
  close: () => Promise<void>
}

const PROBE_EVERY_MS = 100

/** A load balancer with active readiness probes. It retries nothing: a failed request is seen by the client. */
export async function startBalancer(): Promise<Balancer> {
  const backends = new Map<string, boolean>()
  const agent = new Agent({ keepAlive: true })
  let next = 0
  let stopped = false
  const ready = () => [...backends].flatMap(([url, isReady]) => (isReady ? [url] : []))
  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const choice = ready()
    const target = choice[next++ % choice.length]
    const fail = () => void outgoing.writeHead(502).end()
    if (target === undefined) return fail()
    const { hostname, port } = new URL(target)
    const { method, url, headers } = incoming
    const onward = request({ hostname, port, path: url, method, headers, agent }, (response) => {
      // About the connection behind, not the one to the client.
      delete response.headers.connection
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    onward.on('error', fail)
    incoming.pipe(onward)
  }
  async function probe(): Promise<void> {
    while (!stopped) {
      await Promise.all([...backends.keys()].map(probeOne))
      await pause(PROBE_EVERY_MS)
    }
  }
  async function probeOne(baseUrl: string): Promise<void> {
    const { hostname, port } = new URL(baseUrl)
    const { status } = await send({ hostname, port, path: '/readyz', agent: false }).catch(() => ({ status: 0 }))
    if (backends.has(baseUrl)) backends.set(baseUrl, status === 200)
  }
  const server = createServer(forward)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const probing = probe()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (baseUrl) => void backends.set(baseUrl, false),
    remove: (baseUrl) => void backends.delete(baseUrl),
    ready,
    async close() {
      stopped = true
      await probing
      server.closeAllConnections()
      server.close()
      agent.destroy()
    },
  }
}

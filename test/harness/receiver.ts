import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { eventProblem } from './contract.ts'

export type Received = {
  path: string
  headers: Record<string, string>
  id: string
  body: string
  event: {
    type: string
    timestamp: string
    data: Record<string, unknown> & { transactionId: string; sequence: number }
  }
  at: number
}

type Behaviour = (received: Received, response: ServerResponse, request: IncomingMessage) => void

export const ok: Behaviour = (_, response) => void response.writeHead(200).end('ok')
export const answer =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_, response) =>
    void response.writeHead(status, headers).end(`status ${status}`)

/** A merchant's server: records every request, and responds as told. Events that do not follow the contract fail the file. */
export async function startReceiver(behaviour: Behaviour = ok) {
  const all: Received[] = []
  const problems = new Set<string>()
  const state = { behaviour }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const headers = request.headers as Record<string, string>
      const event = JSON.parse(body) as Received['event']
      const received = {
        path: request.url ?? '',
        headers,
        id: headers['webhook-id'] ?? '',
        body,
        event,
        at: performance.now(),
      }
      const problem = eventProblem(body)
      if (problem !== null) problems.add(problem)
      all.push(received)
      state.behaviour(received, response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
    assert.deepEqual([...problems], [])
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`
  return { url, all, behave: (next: Behaviour) => void (state.behaviour = next) }
}

/** Verifies with the independent library, not with our own code. Throws if the signature is wrong. */
export function verify(secret: string, { headers, body }: Pick<Received, 'headers' | 'body'>): void {
  new Webhook(secret).verify(body, headers)
}

import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** Reply of the bank: a status with a body (strings are sent raw), or a broken connection. */
export type Reply = { status: number; body: object | string } | 'reset'

type Behaviour = {
  /** Called for every order; each call of `pay` moves the money. */
  submit: (reference: string, pay: () => void) => Reply | Promise<Reply>
  find: (reference: string) => Reply
  statement: () => Reply
}

export const accepted: Reply = { status: 200, body: { status: 'accepted', bankReference: 'B-1' } }
export const neverSeen: Reply = { status: 404, body: { error: 'never_seen' } }

/** A bank that does not recognise repeated references: an order that is sent twice is paid twice. */
export async function startPlainBank() {
  const paid: string[] = []
  const orders: string[] = []
  let reads = 0
  const defaultBehaviour: Behaviour = {
    submit: (_, pay) => {
      pay()
      return accepted
    },
    find: (reference) => (paid.includes(reference) ? accepted : neverSeen),
    statement: () => ({ status: 200, body: { lines: [], cursor: '0', more: false } }),
  }
  let behaviour = defaultBehaviour
  async function replyTo(request: IncomingMessage): Promise<Reply> {
    if (request.url?.startsWith('/api/statement')) {
      reads++
      return behaviour.statement()
    }
    if (request.method !== 'POST') return behaviour.find(request.url?.split('/').at(-1) ?? '')
    const { reference } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { reference: string }
    orders.push(reference)
    return behaviour.submit(reference, () => void paid.push(reference))
  }
  const server = createServer((request, response) => {
    void replyTo(request).then((reply) => {
      if (reply === 'reset') return response.destroy()
      const { status, body } = reply
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    connection: { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'none' },
    /** The reference of every order that arrived, and of every transfer that left. */
    orders,
    paid,
    /** Number of statement reads. */
    reads: () => reads,
    behave: (changes: Partial<Behaviour> = {}) => void (behaviour = { ...defaultBehaviour, ...changes }),
  }
}

import { lookup } from 'node:dns/promises'
import type { Dispatcher } from 'undici'
import type { Clock } from '../time/clock.ts'
import { realClock } from '../time/clock.ts'
import type { AddressProblem } from './address-problem.ts'
import { addressText } from './address-problem.ts'
import type { OutboundRules } from './outbound-addresses.ts'
import { readAddress } from './outbound-addresses.ts'
import type { Answer } from './outbound-answer.ts'
import {
  DeadlineExceeded,
  answerOf,
  appendBody,
  newExchange,
  readRetryAfter,
  refusedAnswer,
} from './outbound-answer.ts'
import type { HttpConnection, Connections, Destination } from './outbound-connections.ts'
import { openConnections } from './outbound-connections.ts'
import type { PrivateNetworks, Resolve } from './outbound-connector.ts'
import { openConnector } from './outbound-connector.ts'
import { memoize } from '../concurrency/memoize.ts'

export { addressProblem, isPrivateNetwork, type OutboundRules } from './outbound-addresses.ts'
export type { Answer, Outcome } from './outbound-answer.ts'

/**
 * POST to an address that a third party chose. Every failure becomes an `Answer`; nothing is thrown. `sender`: for whom private networks
 * may be allowed.
 */
export type Outbound = {
  post: (url: string, headers: Record<string, string>, body: string | Buffer, sender?: string) => Promise<Answer>
  /** Resolves when every post has its result. */
  close: () => Promise<void>
}

type Options = {
  rules: OutboundRules
  /** Total: DNS, connect, wait and read. */
  deadlineMs?: number
  after?: After
  connectionsPerAddress?: number
  resolve?: Resolve
  /** None, if not given. */
  privateNetworks?: PrivateNetworks
  clock?: Clock
}

/** Maximum connections of one process to one receiver. */
export const CONNECTIONS_PER_ADDRESS = 50

/** Does something when so much time has passed, unless it is cancelled before. */
export type After = (ms: number, act: () => void) => { cancel: () => void }

const afterMs: After = (ms, act) => {
  const timer = setTimeout(act, ms)
  return { cancel: () => clearTimeout(timer) }
}

type Context = { connections: Connections; deadlineMs: number; after: After; clock: Clock }
/** Destination of a post; posts of one sender to one `address` share connections. */
type Target = Omit<Destination, 'sender'> & { path: string }
type Message = { sender: string; target: Target; headers: Record<string, string>; body: string | Buffer }

export function openOutbound({
  rules,
  deadlineMs = 15_000,
  after = afterMs,
  connectionsPerAddress = CONNECTIONS_PER_ADDRESS,
  resolve = (host) => lookup(host, { all: true }),
  privateNetworks,
  clock = realClock,
}: Options): Outbound {
  const connect = openConnector({ rules, resolve, privateNetworks })
  const connections = openConnections({ limit: connectionsPerAddress, connect })
  // The address of a busy endpoint repeats a thousand times per second.
  const readTarget = memoize((address) => targetOf(readAddress(address, rules)))
  let closed = false
  return {
    post(address, headers, body, sender = '') {
      const target = closed ? 'sending has stopped' : readTarget(address)
      if (typeof target === 'string') return Promise.resolve(refusedAnswer(target))
      const message = { sender, target, headers, body }
      return new Promise((settle) => send({ connections, deadlineMs, after, clock }, message, settle))
    },
    close() {
      closed = true
      return connections.close()
    },
  }
}

function targetOf(url: URL | AddressProblem): Target | string {
  if (!(url instanceof URL)) return addressText(url)
  const { origin: server, pathname, search } = url
  return { server, address: server + pathname, path: pathname + search }
}

function send(
  { connections, deadlineMs, after, clock }: Context,
  message: Message,
  settle: (answer: Answer) => void,
): void {
  const exchange = newExchange()
  const origin = connections.to({ ...message.target, sender: message.sender })
  let connection: HttpConnection | null = null
  let ended = false

  function end(error: Error | null, keep: boolean): void {
    if (ended) return
    ended = true
    deadline.cancel()
    settle(answerOf(exchange, error))
    if (!connection) cancel()
    else if (keep) origin.release(connection)
    else origin.drop(connection)
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart() {
      exchange.sentAt = performance.now()
      exchange.connectMs = connection?.connectMs ?? 0
      if (connection) connection.connectMs = 0
    },
    onResponseStart(_, status, headers) {
      exchange.status = status
      exchange.statusAt = performance.now()
      exchange.retryAfterSeconds = readRetryAfter(headers['retry-after'], clock)
      // The request has no Expect header, so an interim response is invalid.
      if (status < 200) end(null, false)
    },
    onResponseData(_, chunk) {
      appendBody(exchange, chunk)
      if (exchange.bodyCut) end(null, false)
    },
    onResponseEnd: () => end(null, true),
    onResponseError: (_, error) => end(connection?.error ?? error, false),
  }

  const deadline = after(deadlineMs, () => end(new DeadlineExceeded(`${deadlineMs / 1000} s`), false))
  const cancel = origin.acquire((acquired) => {
    connection = acquired
    acquired.client.dispatch(requestOf(message), handler)
  })
}

function requestOf({ target, headers, body }: Message): Dispatcher.DispatchOptions {
  return {
    method: 'POST',
    path: target.path,
    // Reading is bounded before decompression, so compressed responses are not requested.
    headers: { ...headers, 'accept-encoding': 'identity' },
    body,
  }
}

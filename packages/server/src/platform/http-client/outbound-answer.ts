import type { Clock } from '../time/clock.ts'
import { ConnectFailure, tlsProblem } from './outbound-connector.ts'

export type Outcome = 'accepted' | '4xx' | '5xx' | 'redirect' | 'timeout' | 'tls' | 'dns' | 'refused'

export type Answer = {
  outcome: Outcome
  status: number | null
  /** What happened, in words; null if accepted. */
  problem: string | null
  /** The first 16 kB as text; invalid UTF-8, and NUL, which PostgreSQL refuses, are replaced. */
  body: string
  retryAfterSeconds: number | null
  /** DNS, connect and TLS; 0 on a reused connection. */
  connectMs: number
  /** From the request to the status line. */
  waitMs: number
  readMs: number
}

/** State of a request in progress. Times are from the monotonic clock. */
export type Exchange = {
  startedAt: number
  connectMs: number
  sentAt: number | null
  statusAt: number | null
  status: number | null
  retryAfterSeconds: number | null
  body: Buffer
  bodyLength: number
  bodyCut: boolean
}

/** Enough to diagnose a response, and a bound for hostile ones. */
const MAX_BODY = 16 * 1024
/** Some messages repeat what a server sent, such as all names of its certificate. */
const MAX_PROBLEM = 300
const DAY_SECONDS = 86_400
const EMPTY = Buffer.alloc(0)

export function newExchange(): Exchange {
  return {
    startedAt: performance.now(),
    connectMs: 0,
    sentAt: null,
    statusAt: null,
    status: null,
    retryAfterSeconds: null,
    body: EMPTY,
    bodyLength: 0,
    bodyCut: false,
  }
}

/** Copies what fits into one buffer: a body that arrives byte by byte costs no more than one in one piece. */
export function appendBody(exchange: Exchange, chunk: Buffer): void {
  const before = exchange.bodyLength
  const length = Math.min(before + chunk.length, MAX_BODY)
  exchange.bodyCut = before + chunk.length > MAX_BODY
  if (length > exchange.body.length) {
    const buffer = Buffer.allocUnsafe(before === 0 ? length : MAX_BODY)
    exchange.body.copy(buffer, 0, 0, before)
    exchange.body = buffer
  }
  chunk.copy(exchange.body, before, 0, length - before)
  exchange.bodyLength = length
}

/** Seconds from now; the header has seconds or a date. Null if it is absent or invalid. */
export function readRetryAfter(header: string | string[] | undefined, clock: Clock): number | null {
  if (typeof header !== 'string') return null
  if (/^\d+$/.test(header)) return Math.min(Number(header), DAY_SECONDS)
  // Date.parse accepts almost anything; HTTP servers may send one format only.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header)) return null
  const seconds = Math.ceil((Date.parse(header) - clock.now().getTime()) / 1000)
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), DAY_SECONDS)
}

/** The result of a request that was refused before sending. */
export function refusedAnswer(problem: string): Answer {
  const noResponse = { status: null, body: '', retryAfterSeconds: null, connectMs: 0, waitMs: 0, readMs: 0 }
  return { outcome: 'refused', problem, ...noResponse }
}

/** Once there is a status, it decides: later errors in the body do not change the outcome. */
export function answerOf(exchange: Exchange, error: Error | null): Answer {
  const { status, retryAfterSeconds, startedAt, sentAt, statusAt } = exchange
  const endedAt = performance.now()
  return {
    ...(status === null ? failureOf(error, sentAt !== null) : outcomeOf(status)),
    status,
    body: bodyText(exchange),
    retryAfterSeconds,
    connectMs: Math.ceil(sentAt === null ? endedAt - startedAt : exchange.connectMs),
    waitMs: sentAt === null ? 0 : Math.ceil((statusAt ?? endedAt) - sentAt),
    readMs: statusAt === null ? 0 : Math.ceil(endedAt - statusAt),
  }
}

type Verdict = Pick<Answer, 'outcome' | 'problem'>

function outcomeOf(status: number): Verdict {
  const statusClass = Math.floor(status / 100)
  if (statusClass === 2) return { outcome: 'accepted', problem: null }
  if (statusClass === 3)
    return { outcome: 'redirect', problem: `responded with a redirect (${status}), which is not followed` }
  const problem = `responded with status ${status}`
  if (statusClass === 4) return { outcome: '4xx', problem }
  return { outcome: statusClass === 5 ? '5xx' : 'refused', problem }
}

export class DeadlineExceeded extends Error {}

const MESSAGES: Record<string, string> = {
  UND_ERR_HEADERS_OVERFLOW: 'the response headers are too long',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the response is not valid HTTP: its lengths contradict each other',
  UND_ERR_SOCKET: 'the connection was closed before a response arrived',
  ECONNRESET: 'the connection was reset before a response arrived',
  EPIPE: 'the connection was closed before a response arrived',
}

function failureOf(error: Error | null, sent: boolean): Verdict {
  if (error instanceof DeadlineExceeded) {
    return { outcome: 'timeout', problem: `no ${sent ? 'response' : 'connection'} within ${error.message}` }
  }
  if (error instanceof ConnectFailure) return { outcome: error.outcome, problem: readable(error.message) }
  const { code = '', message }: NodeJS.ErrnoException = error ?? new Error('no response arrived')
  // With TLS 1.3 a server may reject the handshake after our side has completed it.
  if (error && code.startsWith('ERR_SSL')) return { outcome: 'tls', problem: readable(tlsProblem(error)) }
  return { outcome: 'refused', problem: MESSAGES[code] ?? readable(message) }
}

function readable(message: string): string {
  return message
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_PROBLEM)
    .toWellFormed()
}

function bodyText({ body, bodyLength, bodyCut }: Exchange): string {
  if (bodyLength === 0) return ''
  // In stream mode, a character cut in two at the end is left out instead of replaced.
  const text = bodyCut
    ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(body.subarray(0, bodyLength), { stream: true })
    : body.toString('utf8', 0, bodyLength)
  return text.includes('\0') ? text.replaceAll('\0', '\u{FFFD}') : text
}

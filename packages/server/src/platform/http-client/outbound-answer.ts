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
export type Course = {
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
const NOTHING = Buffer.alloc(0)

export function newCourse(): Course {
  return {
    startedAt: performance.now(),
    connectMs: 0,
    sentAt: null,
    statusAt: null,
    status: null,
    retryAfterSeconds: null,
    body: NOTHING,
    bodyLength: 0,
    bodyCut: false,
  }
}

/** Copies what fits into one buffer: a body that arrives byte by byte costs no more than one in one piece. */
export function keepBody(course: Course, chunk: Buffer): void {
  const before = course.bodyLength
  const length = Math.min(before + chunk.length, MAX_BODY)
  course.bodyCut = before + chunk.length > MAX_BODY
  if (length > course.body.length) {
    const room = Buffer.allocUnsafe(before === 0 ? length : MAX_BODY)
    course.body.copy(room, 0, 0, before)
    course.body = room
  }
  chunk.copy(course.body, before, 0, length - before)
  course.bodyLength = length
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
  const nothing = { status: null, body: '', retryAfterSeconds: null, connectMs: 0, waitMs: 0, readMs: 0 }
  return { outcome: 'refused', problem, ...nothing }
}

/** Once there is a status, it decides: later errors in the body do not change the outcome. */
export function answerOf(course: Course, error: Error | null): Answer {
  const { status, retryAfterSeconds, startedAt, sentAt, statusAt } = course
  const endedAt = performance.now()
  return {
    ...(status === null ? failureOf(error, sentAt !== null) : verdictOf(status)),
    status,
    body: bodyText(course),
    retryAfterSeconds,
    connectMs: Math.ceil(sentAt === null ? endedAt - startedAt : course.connectMs),
    waitMs: sentAt === null ? 0 : Math.ceil((statusAt ?? endedAt) - sentAt),
    readMs: statusAt === null ? 0 : Math.ceil(endedAt - statusAt),
  }
}

type Verdict = Pick<Answer, 'outcome' | 'problem'>

function verdictOf(status: number): Verdict {
  const kind = Math.floor(status / 100)
  if (kind === 2) return { outcome: 'accepted', problem: null }
  if (kind === 3) return { outcome: 'redirect', problem: `answered with a redirect (${status}), which is not followed` }
  const problem = `answered with status ${status}`
  if (kind === 4) return { outcome: '4xx', problem }
  return { outcome: kind === 5 ? '5xx' : 'refused', problem }
}

export class OutOfTime extends Error {}

const WORDS: Record<string, string> = {
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is not HTTP: its length contradicts itself',
  UND_ERR_SOCKET: 'the connection was closed before an answer came',
  ECONNRESET: 'the connection was reset before an answer came',
  EPIPE: 'the connection was closed before an answer came',
}

function failureOf(error: Error | null, sent: boolean): Verdict {
  if (error instanceof OutOfTime) {
    return { outcome: 'timeout', problem: `no ${sent ? 'answer' : 'connection'} within ${error.message}` }
  }
  if (error instanceof ConnectFailure) return { outcome: error.outcome, problem: readable(error.message) }
  const { code = '', message }: NodeJS.ErrnoException = error ?? new Error('no answer came')
  // With TLS 1.3 a server may reject the handshake after our side has completed it.
  if (error && code.startsWith('ERR_SSL')) return { outcome: 'tls', problem: readable(tlsProblem(error)) }
  return { outcome: 'refused', problem: WORDS[code] ?? readable(message) }
}

function readable(message: string): string {
  return message
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_PROBLEM)
    .toWellFormed()
}

function bodyText({ body, bodyLength, bodyCut }: Course): string {
  if (bodyLength === 0) return ''
  // In stream mode, a character cut in two at the end is left out instead of replaced.
  const text = bodyCut
    ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(body.subarray(0, bodyLength), { stream: true })
    : body.toString('utf8', 0, bodyLength)
  return text.includes('\0') ? text.replaceAll('\0', '\u{FFFD}') : text
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Kind, Note } from './note.ts'

type Visit = { note: Note; request: IncomingMessage; response: ServerResponse }

export type ReceiverContext = {
  canaryUrl: string
  /** Runs the action after so many milliseconds. */
  later: (ms: number, action: () => void) => void
  accepted: (note: Note) => void
  /** How many requests this receiver has had. */
  requests: (receiver: number) => number
}

/** Longer than a healthy server needs, shorter than the deadline of a call. */
const SLOW_MS = 2000
const PHASE_MS = 5000
/** Of so many requests one is answered 410. */
const GONE_EVERY = 120
const CHUNK = Buffer.alloc(64 * 1024, 'x')
/** A thousand times larger when unpacked. */
const ZIPPED = gzipSync(Buffer.alloc(64 * 1024 * 1024))
const REDIRECTS = [301, 302, 303, 307, 308]

type Behaviour = (visit: Visit, context: ReceiverContext) => void

export const BEHAVIOURS: Record<Kind, Behaviour> = {
  healthy: (visit, context) => answer(visit, context, 200),
  switched: (visit, context) => answer(visit, context, 204),
  slow: (visit, context) =>
    context.later(SLOW_MS / 2 + (visit.note.number % SLOW_MS), () => answer(visit, context, 200)),
  hanging: ({ note }) => void (note.did = 'hung'),
  resetting({ note, request }) {
    note.did = 'reset'
    request.socket.resetAndDestroy()
  },
  failing: (visit, context) => answer(visit, context, 500),
  busy(visit, context) {
    const isDate = visit.note.number % 2 === 0
    const retryAfter = isDate ? new Date(Date.now() + 45_000).toUTCString() : '45'
    answer(visit, context, 429, { 'retry-after': retryAfter })
  },
  redirecting(visit, context) {
    const status = REDIRECTS[visit.note.number % REDIRECTS.length] as number
    answer(visit, context, status, { location: context.canaryUrl })
  },
  endless(visit, context) {
    // The status decides, also if the body never ends.
    const status = visit.note.number % 3 === 0 ? 200 : 500
    decide(visit.note, context, status)
    visit.response.writeHead(status).write(bodyOf(visit.note))
    pour(visit.response, CHUNK)
  },
  flooding({ note, request }) {
    note.did = 'flooded'
    request.socket.write('HTTP/1.1 200 OK\r\n')
    pour(request.socket, Buffer.from(`x-flood: ${'x'.repeat(1000)}\r\n`.repeat(64)))
  },
  zipped({ note, response }, context) {
    decide(note, context, 502)
    response.writeHead(502, { 'content-encoding': 'gzip' }).end(ZIPPED)
  },
  flapping(visit, context) {
    const isWell = Math.floor(Date.now() / PHASE_MS) % 2 === 0
    answer(visit, context, isWell ? 200 : 503)
  },
  gone(visit, context) {
    const isGone = context.requests(visit.note.receiver) % GONE_EVERY === 10
    answer(visit, context, isGone ? 410 : 200)
  },
}

function answer(visit: Visit, context: ReceiverContext, status: number, headers: Record<string, string> = {}): void {
  const { note, response } = visit
  if (response.destroyed || visit.request.socket.destroyed) return void (note.did = 'left')
  decide(note, context, status)
  response.writeHead(status, headers).end(status === 204 ? undefined : bodyOf(note))
}

function decide(note: Note, { accepted }: ReceiverContext, status: number): void {
  note.did = status
  if (status < 300) accepted(note)
}

function bodyOf({ number }: Note): string {
  return `note ${number}\n`
}

/** Until the other side closes. */
function pour(into: NodeJS.WritableStream & { destroyed?: boolean }, chunk: Buffer): void {
  const more = () => {
    while (!into.destroyed && into.write(chunk));
  }
  into.on('error', () => undefined)
  into.on('drain', more)
  more()
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Kind, Note } from './note.ts'

type Visit = { note: Note; request: IncomingMessage; response: ServerResponse }

export type Surroundings = {
  canaryUrl: string
  /** Does it when so many milliseconds have passed. */
  later: (ms: number, deed: () => void) => void
  accepted: (note: Note) => void
  /** How many requests this receiver has had. */
  visits: (receiver: number) => number
}

/** Longer than a healthy server ever needs, shorter than the deadline of a call. */
const SLOW_MS = 2000
const PHASE_MS = 5000
/** Of so many requests one is answered 410. */
const GONE_EVERY = 120
const CHUNK = Buffer.alloc(64 * 1024, 'x')
/** Grows a thousandfold when somebody unpacks it. */
const ZIPPED = gzipSync(Buffer.alloc(64 * 1024 * 1024))
const REDIRECTS = [301, 302, 303, 307, 308]

type Behaviour = (visit: Visit, around: Surroundings) => void

export const BEHAVIOURS: Record<Kind, Behaviour> = {
  healthy: (visit, around) => answer(visit, around, 200),
  switched: (visit, around) => answer(visit, around, 204),
  slow: (visit, around) => around.later(SLOW_MS / 2 + (visit.note.number % SLOW_MS), () => answer(visit, around, 200)),
  hanging: ({ note }) => void (note.did = 'hung'),
  resetting({ note, request }) {
    note.did = 'reset'
    request.socket.resetAndDestroy()
  },
  failing: (visit, around) => answer(visit, around, 500),
  busy(visit, around) {
    const isDate = visit.note.number % 2 === 0
    const retryAfter = isDate ? new Date(Date.now() + 45_000).toUTCString() : '45'
    answer(visit, around, 429, { 'retry-after': retryAfter })
  },
  redirecting(visit, around) {
    const status = REDIRECTS[visit.note.number % REDIRECTS.length] as number
    answer(visit, around, status, { location: around.canaryUrl })
  },
  endless(visit, around) {
    // The status decides: an endless yes is a yes.
    const status = visit.note.number % 3 === 0 ? 200 : 500
    decide(visit.note, around, status)
    visit.response.writeHead(status).write(wordOf(visit.note))
    pour(visit.response, CHUNK)
  },
  flooding({ note, request }) {
    note.did = 'flooded'
    request.socket.write('HTTP/1.1 200 OK\r\n')
    pour(request.socket, Buffer.from(`x-flood: ${'x'.repeat(1000)}\r\n`.repeat(64)))
  },
  zipped({ note, response }, around) {
    decide(note, around, 502)
    response.writeHead(502, { 'content-encoding': 'gzip' }).end(ZIPPED)
  },
  flapping(visit, around) {
    const isWell = Math.floor(Date.now() / PHASE_MS) % 2 === 0
    answer(visit, around, isWell ? 200 : 503)
  },
  gone(visit, around) {
    const isGone = around.visits(visit.note.receiver) % GONE_EVERY === 10
    answer(visit, around, isGone ? 410 : 200)
  },
}

function answer(visit: Visit, around: Surroundings, status: number, headers: Record<string, string> = {}): void {
  const { note, response } = visit
  if (response.destroyed || visit.request.socket.destroyed) return void (note.did = 'left')
  decide(note, around, status)
  response.writeHead(status, headers).end(status === 204 ? undefined : wordOf(note))
}

function decide(note: Note, { accepted }: Surroundings, status: number): void {
  note.did = status
  if (status < 300) accepted(note)
}

function wordOf({ number }: Note): string {
  return `note ${number}\n`
}

/** Until the other side has had enough. */
function pour(into: NodeJS.WritableStream & { destroyed?: boolean }, chunk: Buffer): void {
  const more = () => {
    while (!into.destroyed && into.write(chunk));
  }
  into.on('error', () => undefined)
  into.on('drain', more)
  more()
}

import { LIMITS } from '@vezne/contract'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionLimits } from '../../platform/http/bound-connections.ts'
import { boundConnections, boundPipelining } from '../../platform/http/bound-connections.ts'
import { realClock } from '../../platform/time/clock.ts'
import { drainConnections } from '../../platform/http/drain-connections.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Api } from './route.ts'
import { failure } from './envelope.ts'
import { answerError } from './errors.ts'
import { logExcess } from './log-requests.ts'
import { malformedRequest } from './malformed-request.ts'

/** Enough time for the client to read the last response. */
const CLOSE_AFTER_MS = 1000
// Node's defaults (60 s, 300 s) let a slow client hold a connection for minutes. Checked every second; the default check runs only every 30
// s. Idle connections are kept longer than most proxies keep theirs.
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 1000,
}
// Node would respond to these itself, without our envelope.
const OURS_TO_ANSWER = { requireHostHeader: false }

/** Node's own limit of a request line and its headers. */
const MAX_PATH = 16_384

export const ANSWER_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** For every port: replaces the default Fastify and Node handling of excess connections, malformed HTTP and unusual requests. */
export function guardedHttp(api: Api, limits: ConnectionLimits) {
  return {
    bodyLimit: LIMITS.bodyBytes,
    serverFactory(handle: RequestListener) {
      const onExcess = logExcess(api)
      const server = createServer({ ...TIMEOUTS, ...OURS_TO_ANSWER }, boundPipelining(handle, onExcess))
      boundConnections(server, limits, onExcess)
      return server
    },
    // Otherwise the router would respond by itself, past every hook: long parts match no id, and a path with bad escapes is refused by the first hook.
    routerOptions: { maxParamLength: MAX_PATH },
    rewriteUrl: ({ url = '/' }) => (url.includes('%') && !isDecodable(url) ? url.replaceAll('%', '%25') : url),
    exposeHeadRoutes: false,
    // A request already in flight at shutdown is served, not refused.
    return503OnClosing: false,
    genReqId: () => api.ids.next(),
    frameworkErrors: (error, request, reply) => answerError(api, error, request, reply),
    clientErrorHandler: answerBrokenHttp,
  } satisfies FastifyServerOptions
}

function isDecodable(url: string): boolean {
  try {
    return decodeURIComponent(url.split('?', 1)[0] ?? '') !== ''
  } catch {
    return false
  }
}

/** Must run before any other hook. */
export function guardRequests(app: FastifyInstance, api: Api, headers: Record<string, string>): void {
  app.decorateRequest('refusal', null)
  app.decorateRequest('warnings', null)
  app.setErrorHandler((error, request, reply) => answerError(api, error, request, reply))
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    void reply.headers(headers)
    if (api.isStopping()) reply.header('connection', 'close')
    const malformed = malformedRequest(request.raw)
    // Handled here: the checkout pages have their own error responses, and this request is not for a page.
    if (malformed) answerError(api, malformed, request, reply)
    else done()
  })
  const letGo = drainConnections(app.server)
  app.addHook('preClose', async () => letGo(TIMEOUTS.requestTimeout))
  // Requests with an unknown Expect header take the same path as every other request.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response))
}

/** The input was not HTTP or arrived too slowly: there is no request to respond to, only a socket. */
function answerBrokenHttp(this: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const refusal = new Refusal(
    'VALIDATION_ERROR',
    slow ? 'The request took too long to arrive.' : 'This is not well-formed HTTP.',
  )
  const body = JSON.stringify(failure(realClock, refusal, 'none'))
  const headers = { ...ANSWER_HEADERS, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${slow ? '408 Request Timeout' : '400 Bad Request'}\r\n${lines.join('')}\r\n${body}`)
  // A client that does not close its side would keep the connection and count against the connection limit.
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref()
}

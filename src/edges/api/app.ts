import type { FastifyInstance } from 'fastify'
import fastify from 'fastify'
import type { RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { bankLogo } from '../../domain/banks/index.ts'
import { boundConnections, boundPipelining } from '../../platform/bound-connections.ts'
import { realClock } from '../../platform/clock.ts'
import { letConnectionsGo } from '../../platform/let-connections-go.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Api } from './endpoint.ts'
import { failure } from './envelope.ts'
import { answerError } from './errors.ts'
import { mountHealth } from './health.ts'
import { isNear, mountMetrics } from './metrics.ts'
import { ANY_BYTES, mountV1 } from './mount-v1.ts'
import { noteExcess, noteRequest } from './note.ts'
import { oddRequest } from './odd-request.ts'

const MAX_BODY_BYTES = 64 * 1024
/** Enough for a last answer to be read. */
const CLOSE_AFTER_MS = 1000
// Node's own 60 s and 300 s let one slow client hold a connection for minutes. Checked every second, or they would
// only be noticed after half a minute. An idle connection is kept longer than most proxies keep theirs.
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 1000,
}
// Node would answer these by itself, without our envelope.
const OURS_TO_ANSWER = { requireHostHeader: false }

// Nothing is changed on the way in. A problem is reported with the value (`verbose`), so that a message can say what was sent.
const SCHEMAS = { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: true, verbose: true }
const ANSWER_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

export function buildApi(api: Api): FastifyInstance {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    serverFactory: (handle) => openServer(api, handle),
    exposeHeadRoutes: false,
    // A request that is already on its way when we stop is answered, not refused.
    return503OnClosing: false,
    genReqId: () => api.ids.next(),
    ajv: { customOptions: SCHEMAS },
    frameworkErrors: (error, request, reply) => answerError(api, error, request, reply),
    clientErrorHandler: answerBrokenHttp,
  })
  app.decorateRequest('claim', null)
  app.decorateRequest('refusal', null)
  app.decorateRequest('contentType', '')
  app.decorateRequest('warnings', null)
  app.decorateRequest('authenticated', false)
  app.removeAllContentTypeParsers()
  // The signature is over the bytes as they came: nobody parses them before it has been checked.
  // By its name, because fastify works a name that it does not know out anew for every request.
  app.addContentTypeParser([ANY_BYTES, '*'], { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, request, reply) => answerError(api, error, request, reply))
  app.setNotFoundHandler((request) => {
    throw new Refusal('NOT_FOUND', `There is nothing at ${request.method} ${request.url.split('?')[0] ?? ''}.`)
  })
  const headers = headersOf(api)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    void reply.headers(headers)
    if (api.isStopping()) reply.header('connection', 'close')
    const odd = oddRequest(request.raw)
    // Answered here: the pages have answers of their own for errors, and this request is for no page.
    if (odd) answerError(api, odd, request, reply)
    else done()
  })
  const letGo = letConnectionsGo(app.server)
  app.addHook('preClose', async () => letGo(TIMEOUTS.requestTimeout))
  // An expectation that Node does not know goes the same way as every other request.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response))
  app.addHook('onResponse', (request, reply, done) => {
    noteRequest(api, request, reply)
    done()
  })
  mountHealth(app, api)
  if (!api.ops) mountMetrics(app, api, isNear)
  mountLogos(app, api)
  // The prefix is the lock: whatever lies below /v1, known or unknown, is reached only through these hooks.
  void app.register(async (v1) => mountV1(v1, api), { prefix: '/v1' })
  return app
}

function openServer(api: Api, handle: RequestListener): Server {
  const onExcess = noteExcess(api)
  const server = createServer({ ...TIMEOUTS, ...OURS_TO_ANSWER }, boundPipelining(handle, onExcess))
  const { maxConnections: total, maxConnectionsPerAddress: perAddress, trustedProxies: exempt } = api
  boundConnections(server, { total, perAddress, exempt }, onExcess)
  return server
}

/** Answers hold names and balances: no cache keeps one unless its endpoint says so. */
function headersOf(api: Api): Record<string, string> {
  const secure = api.publicUrl().startsWith('https:')
  return { ...ANSWER_HEADERS, ...(secure && { 'strict-transport-security': 'max-age=31536000' }) }
}

function mountLogos(app: FastifyInstance, { banks }: Api): void {
  app.get<{ Params: { code: string } }>('/logos/:code.svg', async ({ params }, reply) => {
    const bank = await banks.bankByCode(params.code)
    if (!bank) throw new Refusal('NOT_FOUND', 'There is no logo for this bank code.')
    // An SVG opened by itself is a document: no script or style may run in it.
    void reply.headers({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=86400',
      'content-security-policy': "default-src 'none'",
    })
    return bankLogo(bank.code, bank.name)
  })
}

/** What arrived was not HTTP, or came too slowly: there is no request to answer, only a socket. */
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
  // A caller that does not close its side would keep the connection, and its place among those that are allowed.
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref()
}

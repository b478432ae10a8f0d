import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastify from 'fastify'
import type { RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { bankLogo } from '../../domain/banks/index.ts'
import { spendRequest } from '../../domain/merchants/index.ts'
import { boundConnections, boundPipelining } from '../../platform/bound-connections.ts'
import { realClock } from '../../platform/clock.ts'
import { letConnectionsGo } from '../../platform/let-connections-go.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { AddressRule, Claim } from './authenticate.ts'
import { checkAddress, readClaim, signatureHolds, signatureRefusal } from './authenticate.ts'
import type { Api, Endpoint } from './endpoint.ts'
import { failure, success } from './envelope.ts'
import { answerError } from './errors.ts'
import { firstRefusal } from './first-refusal.ts'
import { mountHealth } from './health.ts'
import { noteExcess, noteRequest } from './note.ts'
import { oddRequest } from './odd-request.ts'
import { rateLimiter } from './rate-limit.ts'
import { readBody } from './read-body.ts'
import { throttleFailures } from './throttle-failures.ts'
import { availableBanks } from './v1/available-banks.ts'
import { getBalance } from './v1/balance.ts'
import { cancelTransaction } from './v1/cancel-transaction.ts'
import { createDeposit } from './v1/deposit.ts'
import { getEvent } from './v1/get-event.ts'
import { getTransaction } from './v1/get-transaction.ts'
import { listEvents } from './v1/list-events.ts'
import { listTransactions } from './v1/list-transactions.ts'
import { resendEvent } from './v1/resend-event.ts'
import { resendFailed } from './v1/resend-failed.ts'
import { createWithdrawal } from './v1/withdraw.ts'
import type { Warning } from './unknown-fields.ts'
import { unknownFields } from './unknown-fields.ts'

declare module 'fastify' {
  interface FastifyRequest {
    claim: Claim | null
    refusal: Refusal | null
    contentType: string
    authenticated: boolean
    warnings: Warning[] | null
  }
  interface FastifyContextConfig {
    addresses?: AddressRule
    changesState?: boolean
    hasAmount?: boolean
  }
}

export const ENDPOINTS: Endpoint[] = [
  availableBanks,
  createDeposit,
  createWithdrawal,
  listTransactions,
  getTransaction,
  cancelTransaction,
  getBalance,
  listEvents,
  getEvent,
  resendEvent,
  resendFailed,
]

const MAX_BODY_BYTES = 64 * 1024
const ANY_BYTES = 'application/octet-stream'
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

/** Letters, digits, - and _ between slashes: no escapes, dots, doubled slashes or braces that another reader might resolve. */
const PLAIN_TARGET = /^(?:\/[A-Za-z0-9_-]+)+(?:\?.*)?$/

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

function mountV1(v1: FastifyInstance, api: Api): void {
  const checkRate = rateLimiter()
  const throttled = throttleFailures(api)
  v1.addHook('onRequest', async (request) => {
    try {
      request.claim = await readClaim(api, request.raw)
    } catch (error) {
      throw throttled(error, request.raw)
    }
    // Fastify would refuse a content type it cannot read before the signature is judged; it is judged by us, afterwards.
    request.contentType = request.headers['content-type'] ?? ''
    request.headers['content-type'] = ANY_BYTES
  })
  v1.addHook('preValidation', (request, _, done) => {
    const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
    const claim = claimOf(request)
    if (!signatureHolds(claim, request.raw, body))
      return void refuseSignature(api, claim, request, body, (error) => done(throttled(error, request.raw) as Error))
    checkRate(claim.caller.apiKey, claim.caller.merchant.requestsPerSecond)
    request.authenticated = true
    checkAddress(api, claim, request.routeOptions.config.addresses ?? 'listed-if-any', request.raw)
    if (!PLAIN_TARGET.test(request.raw.url ?? '')) throw new Refusal('NOT_FOUND', 'There is nothing at this address.')
    request.body = readBody(request, body)
    if (api.teaching) request.warnings = warningsOf(request)
    done()
  })
  v1.setNotFoundHandler((request, reply) => answerUnknownRoute(request, reply))
  v1.setErrorHandler(async (error, request, reply) => {
    answerError(api, await firstRefusal(api, error, request), request, reply)
    return reply
  })
  for (const { method, path, addresses, status, guardedByProcessId, schema, handle } of ENDPOINTS) {
    const changesState = method !== 'GET'
    v1.route({
      method,
      url: path.slice('/v1'.length),
      schema,
      config: { addresses, changesState, hasAmount: hasField(schema.body, 'amount') },
      async handler(request, reply) {
        const { caller, signature, timestamp } = claimOf(request)
        const { merchant } = caller
        if (changesState && !guardedByProcessId)
          await spendRequest(api, { merchantId: merchant.id, signature, timestamp })
        const call = { merchant, signature, params: request.params, query: request.query, body: request.body }
        const { data, headers, notModified } = await handle(api, call as never, request)
        if (headers) void reply.headers(headers)
        if (notModified) return reply.code(304).send()
        return reply.code(status).send(success(api.realClock, data, request.warnings))
      },
    })
  }
}

async function refuseSignature(
  api: Api,
  claim: Claim,
  { raw }: FastifyRequest,
  body: Buffer,
  done: (error: Error) => void,
): Promise<void> {
  done(await signatureRefusal(api, claim, raw, body).catch((error: Error) => error))
}

function hasField(schema: Endpoint['schema']['body'], name: string): boolean {
  const { properties = {} }: { properties?: object } = schema ?? {}
  return name in properties
}

/** Null when there is nothing to warn of: the envelope then has no warnings. */
function warningsOf({ body, routeOptions }: FastifyRequest): Warning[] | null {
  const warnings = unknownFields(body, routeOptions.schema?.body ?? {})
  return warnings.length > 0 ? warnings : null
}

function claimOf({ claim }: FastifyRequest): Claim {
  if (!claim) throw new Error('A request below /v1 was not authenticated.')
  return claim
}

function answerUnknownRoute(request: FastifyRequest, reply: FastifyReply): never {
  const path = request.url.split('?')[0] ?? ''
  const allowed = ENDPOINTS.filter((known) => pathPattern(known.path).test(path)).map(({ method }) => method)
  if (allowed.length === 0) throw new Refusal('NOT_FOUND', `There is nothing at ${path}.`)
  void reply.header('allow', allowed.join(', '))
  throw new Refusal('METHOD_NOT_ALLOWED', `${path} answers ${allowed.join(' and ')}, not ${request.method}.`)
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/:[A-Za-z]+/g, '[^/]+')}$`)
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
}

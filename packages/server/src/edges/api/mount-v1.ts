import type { Warning } from '@vezne/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { spendRequest } from '../../domain/merchants/index.ts'
import { merchantActor } from '../../kernel/actor.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { AddressRule, AuthHeaders } from './authenticate.ts'
import { checkAddress, explainSignature, readAuthHeaders, signatureHolds, signatureRefusal } from './authenticate.ts'
import type { Api, Route } from './route.ts'
import { success } from './envelope.ts'
import { answerError } from './errors.ts'
import { recordedRefusal } from './recorded-refusal.ts'
import { listLimiter } from './limit-lists.ts'
import { nearestPath } from './nearest-path.ts'
import { rateLimiter } from './rate-limit.ts'
import { readBody } from './read-body.ts'
import { throttleFailures } from './throttle-failures.ts'
import type { Documented } from './unknown-fields.ts'
import { documentedFields, unknownFields } from './unknown-fields.ts'
import { availableBanks } from './v1/available-banks.ts'
import { getBalance } from './v1/balance.ts'
import { cancelTransaction } from './v1/cancel-transaction.ts'
import { createDeposit } from './v1/deposit.ts'
import { getEvent } from './v1/get-event.ts'
import { getInstructions } from './v1/get-instructions.ts'
import { getTransaction } from './v1/get-transaction.ts'
import { listEvents } from './v1/list-events.ts'
import { listTransactions } from './v1/list-transactions.ts'
import { resendEvent } from './v1/resend-event.ts'
import { resendFailed } from './v1/resend-failed.ts'
import { refundTransaction } from './v1/refund.ts'
import { createWithdrawal } from './v1/withdraw.ts'

declare module 'fastify' {
  interface FastifyRequest {
    authHeaders: AuthHeaders | null
    refusal: Refusal | null
    contentType: string
    authenticated: boolean
    /** Why the signature is wrong, for the merchant's log. */
    diagnosis: string | null
    warnings: Warning[] | null
  }
  interface FastifyContextConfig {
    addresses?: AddressRule
    changesState?: boolean
    hasAmount?: boolean
    documented?: Documented | null
    inQuery?: string[]
  }
}

export const ROUTES: Route[] = [
  availableBanks,
  createDeposit,
  createWithdrawal,
  listTransactions,
  getTransaction,
  getInstructions,
  cancelTransaction,
  refundTransaction,
  getBalance,
  listEvents,
  getEvent,
  resendEvent,
  resendFailed,
]

/** Content type used until the signature of the raw bytes is verified. */
export const ANY_BYTES = 'application/octet-stream'

/** Letters, digits, - and _ between slashes: no escapes, dots, double slashes or braces that another parser might resolve differently. */
const PLAIN_TARGET = /^(?:\/[A-Za-z0-9_-]+)+(?:\?.*)?$/

/** Every path under /v1, known or unknown, is reachable only through these hooks. */
export function mountV1(v1: FastifyInstance, api: Api): void {
  authenticateFirst(v1, api)
  v1.setNotFoundHandler((request, reply) => answerUnknownRoute(request, reply))
  v1.setErrorHandler(async (error, request, reply) => {
    answerError(api, await recordedRefusal(api, error, request), request, reply)
    return reply
  })
  const limitLists = listLimiter()
  for (const route of ROUTES) mountRoute(v1, api, route, limitLists)
}

function authenticateFirst(v1: FastifyInstance, api: Api): void {
  const checkRate = rateLimiter()
  const throttled = throttleFailures(api)
  v1.addHook('onRequest', async (request) => {
    try {
      request.authHeaders = await readAuthHeaders(api, request.raw)
    } catch (error) {
      throw throttled(error, request.raw)
    }
    // Fastify would refuse an unsupported content type before the signature is verified; we check the type afterwards.
    request.contentType = request.headers['content-type'] ?? ''
    request.headers['content-type'] = ANY_BYTES
  })
  v1.addHook('preValidation', (request, _, done) => {
    if (performance.now() - authHeadersOf(request).readAt <= CALLER_KNOWN_FOR_MS) return checkRequest(request, done)
    void checkLateRequest(request, done)
  })

  /** The body arrived slowly: the key, fees or a freeze may have changed since the headers were read. */
  async function checkLateRequest(request: FastifyRequest, done: (error?: Error) => void): Promise<void> {
    try {
      request.authHeaders = await readAuthHeaders(api, request.raw)
    } catch (error) {
      return done(throttled(error, request.raw) as Error)
    }
    checkRequest(request, done)
  }

  function checkRequest(request: FastifyRequest, done: (error?: Error) => void): void {
    const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
    const authHeaders = authHeadersOf(request)
    if (!signatureHolds(authHeaders, request.raw, body))
      return void refuseSignature(api, throttled, request, body, done)
    try {
      checkRate(authHeaders.caller.apiKey, authHeaders.caller.merchant.requestsPerSecond)
      request.authenticated = true
      readSigned(api, request, authHeaders, body)
    } catch (error) {
      return done(error as Error)
    }
    done()
  }
}

/** The caller is authenticated: checks its address and the target, then parses the body. */
function readSigned(api: Api, request: FastifyRequest, authHeaders: AuthHeaders, body: Buffer): void {
  // Read once: Fastify builds a new object on every access.
  const { config, schema } = request.routeOptions
  checkAddress(api, authHeaders, config.addresses ?? 'listed-if-any', request.raw)
  if (!PLAIN_TARGET.test(request.raw.url ?? '')) throw nothingAt(request.url, 'this address')
  const needsBody = schema?.body !== undefined
  request.body = readBody(request, body, { needsBody, hasAmount: config.hasAmount === true })
  if (api.sandbox) request.warnings = unknownFields(request.body, config.documented ?? null, config.inQuery)
}

/** Same as the cache lifetime of a caller: a change takes effect within this time, however slowly a body arrives. */
const CALLER_KNOWN_FOR_MS = 1000

function mountRoute(v1: FastifyInstance, api: Api, route: Route, limitLists: ReturnType<typeof listLimiter>): void {
  const { method, path, addresses, status, guardedByProcessId, isList, request: schema, handle } = route
  const changesState = method !== 'GET'
  v1.route({
    method,
    url: path.slice('/v1'.length),
    schema,
    config: {
      addresses,
      changesState,
      hasAmount: 'amount' in fieldsOf(schema.body),
      // An endpoint without a body has no documented body fields.
      documented: schema.body ? documentedFields(schema.body) : new Map(),
      inQuery: Object.keys(fieldsOf(schema.querystring)),
    },
    async handler(request, reply) {
      const { caller, signature, timestamp } = authHeadersOf(request)
      const { merchant } = caller
      if (changesState && !guardedByProcessId)
        await spendRequest(api, { merchantId: merchant.id, signature, timestamp })
      const { params, query, body } = request
      const call = { merchant, actor: merchantActor(merchant.id), signature, params, query, body }
      const answer = () => handle(api, call as never, request)
      const { data, headers, notModified } = await (isList ? limitLists(merchant.id, answer) : answer())
      if (headers) void reply.headers(headers)
      if (notModified) return reply.code(304).send()
      return reply.code(status).send(success(api.realClock, data, request.warnings))
    },
  })
}

/** Throttle first: explaining a signature costs far more than refusing it. */
async function refuseSignature(
  api: Api,
  throttled: ReturnType<typeof throttleFailures>,
  request: FastifyRequest,
  body: Buffer,
  done: (error: Error) => void,
): Promise<void> {
  const authHeaders = authHeadersOf(request)
  const refusal = signatureRefusal(authHeaders)
  const error = throttled(refusal, request.raw) as Error
  const explains = error === refusal && !authHeaders.caller.unopened && (api.sandbox || mayExplain())
  if (!explains) return done(error)
  try {
    const explained = await explainSignature(api, authHeaders, request.raw, body)
    request.diagnosis = hintOf(explained)
    done(api.sandbox ? explained : error)
  } catch (failed) {
    done(api.sandbox ? (failed as Error) : error)
  }
}

const EXPLAINED_EVERY_MS = 1000
let lastExplained = Number.NEGATIVE_INFINITY

/** In live once a second: it takes ten milliseconds. */
function mayExplain(): boolean {
  const now = performance.now()
  if (now - lastExplained < EXPLAINED_EVERY_MS) return false
  lastExplained = now
  return true
}

function hintOf({ details, message }: Refusal): string {
  const { hint = message } = (details ?? {}) as { hint?: string }
  return hint
}

function fieldsOf(schema: Route['request']['body']): object {
  const { properties = {} }: { properties?: object } = schema ?? {}
  return properties
}

function authHeadersOf({ authHeaders }: FastifyRequest): AuthHeaders {
  if (!authHeaders) throw new Error('A request below /v1 was not authenticated.')
  return authHeaders
}

function answerUnknownRoute(request: FastifyRequest, reply: FastifyReply): never {
  const path = request.url.split('?')[0] ?? ''
  const allowed = ROUTES.filter((known) => pathPattern(known.path).test(path)).map(({ method }) => method)
  if (allowed.length === 0) throw nothingAt(request.url, path)
  void reply.header('allow', allowed.join(', '))
  throw new Refusal('METHOD_NOT_ALLOWED', `${path} answers ${allowed.join(' and ')}, not ${request.method}.`)
}

export function nothingAt(target: string, called: string): Refusal {
  const [path = ''] = target.split('?')
  const paths = ROUTES.map(({ path: known }) => known)
  const meant = nearestPath(path, paths)
  return new Refusal(
    'NOT_FOUND',
    `There is nothing at ${called}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
  )
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/:[A-Za-z]+/g, '[^/]+')}$`)
}

import type { FastifyInstance } from 'fastify'
import fastify from 'fastify'
import { bankLogo } from '../../domain/banks/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Api } from './route.ts'
import { ANSWER_HEADERS, guardedHttp, guardRequests } from './guard-http.ts'
import { answerError } from './errors.ts'
import { foreignHost } from './foreign-host.ts'
import { mountHealth } from './health.ts'
import { mountOpenApi } from './openapi.ts'
import { isLocalNetwork, mountMetrics } from './metrics.ts'
import { ANY_BYTES, mountV1, nothingAt } from './mount-v1.ts'
import { pathInV1 } from './nearest-path.ts'
import { logRequest } from './log-requests.ts'
import { recordCall } from './record-call.ts'

// Input is not modified. `verbose` adds the value to each problem, so that a message can quote what was sent.
const SCHEMAS = { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: true, verbose: true }

export function buildApi(api: Api): FastifyInstance {
  const { maxConnections: total, maxConnectionsPerAddress: perAddress, trustedProxies: exempt } = api
  const app = fastify({
    ...guardedHttp(api, { total, perAddress, exempt }),
    ajv: { customOptions: SCHEMAS },
  })
  guardRequests(app, api, headersOf(api))
  if (api.sandbox)
    app.addHook('onRequest', (request, reply, done) => {
      const foreign = foreignHost(request.headers.host, api.publicUrl())
      if (foreign) answerError(api, foreign, request, reply)
      else done()
    })
  app.decorateRequest('authHeaders', null)
  app.decorateRequest('contentType', '')
  app.decorateRequest('authenticated', false)
  app.decorateRequest('diagnosis', null)
  app.removeAllContentTypeParsers()
  // The signature covers the raw bytes, so nothing parses them before it is verified. ANY_BYTES is registered by name because Fastify
  // resolves an unregistered content type again on every request.
  app.addContentTypeParser([ANY_BYTES, '*'], { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setNotFoundHandler((request) => {
    const [path = ''] = request.url.split('?')
    throw nothingAt(pathInV1(path), `${request.method} ${path}`)
  })
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(api, request, reply)
    recordCall(api, request, reply)
    done()
  })
  mountHealth(app, api)
  if (!api.ops) mountMetrics(app, api, (request) => isLocalNetwork(api, request))
  mountLogos(app, api)
  mountOpenApi(app, api)
  // Every path under /v1, known or unknown, is reachable only through these authentication hooks.
  void app.register(async (v1) => mountV1(v1, api), { prefix: '/v1' })
  return app
}

/** Responses contain names and balances, so they are not cached unless the endpoint allows it. */
function headersOf(api: Api): Record<string, string> {
  const secure = api.publicUrl().startsWith('https:')
  return { ...ANSWER_HEADERS, ...(secure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }) }
}

function mountLogos(app: FastifyInstance, { banks }: Api): void {
  app.get<{ Params: { code: string } }>('/logos/:code.svg', async ({ params }, reply) => {
    const bank = await banks.bankByCode(params.code)
    if (!bank) throw new Refusal('NOT_FOUND', 'There is no logo for this bank code.')
    // An SVG opened directly is a document: no script or style may run in it.
    void reply.headers({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=86400',
      'content-security-policy': "default-src 'none'",
    })
    return bankLogo(bank.code, bank.name)
  })
}

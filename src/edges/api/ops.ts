import type { FastifyInstance } from 'fastify'
import fastify from 'fastify'
import { letConnectionsGo } from '../../platform/let-connections-go.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Api } from './endpoint.ts'
import { answerError } from './errors.ts'
import { mountHealth } from './health.ts'
import { mountMetrics } from './metrics.ts'

/** Probes and scrapers wait a few seconds at most. */
const REQUEST_TIMEOUT_MS = 10_000

/**
 * Health and metrics on a port of their own, for every role. Who reaches the port may read all of it: the operator chose its address.
 * Requests are not logged: probes come every few seconds.
 */
export function buildOps(api: Api): FastifyInstance {
  const app = fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    genReqId: () => api.ids.next(),
  })
  app.decorateRequest('refusal', null)
  app.decorateRequest('warnings', null)
  app.setErrorHandler((error, request, reply) => answerError(api, error, request, reply))
  app.setNotFoundHandler(() => {
    throw new Refusal('NOT_FOUND', 'There is nothing here. This port has /healthz, /readyz and /metrics.')
  })
  const letGo = letConnectionsGo(app.server)
  app.addHook('preClose', async () => letGo(REQUEST_TIMEOUT_MS))
  mountHealth(app, api)
  mountMetrics(app, api, () => true)
  return app
}

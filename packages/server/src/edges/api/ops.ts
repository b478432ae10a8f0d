import type { FastifyInstance } from 'fastify'
import fastify from 'fastify'
import { Refusal } from '../../platform/refusal.ts'
import type { Api } from './route.ts'
import { ANSWER_HEADERS, guardedHttp, guardRequests } from './guard-http.ts'
import { mountHealth } from './health.ts'
import { mountMetrics } from './metrics.ts'

/** Probes and scrapers need only a few. One address must not use up the connections of the others. */
const CONNECTIONS = { total: 512, perAddress: 64, exempt: [] }

/**
 * Health and metrics on a separate port, for every role. Access is not restricted: the operator chose the address the port listens on.
 * Requests are not logged: probes arrive every few seconds.
 */
export function buildOps(api: Api): FastifyInstance {
  const app = fastify(guardedHttp(api, CONNECTIONS))
  guardRequests(app, api, ANSWER_HEADERS)
  app.setNotFoundHandler(() => {
    throw new Refusal('NOT_FOUND', 'There is nothing here. This port has /healthz, /readyz and /metrics.')
  })
  mountHealth(app, api)
  mountMetrics(app, api, () => true)
  return app
}

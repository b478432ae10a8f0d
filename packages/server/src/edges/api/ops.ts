import type { FastifyInstance } from 'fastify'
import fastify from 'fastify'
import { Refusal } from '../../platform/refusal.ts'
import type { Api } from './endpoint.ts'
import { ANSWER_HEADERS, guardedHttp, guardRequests } from './guard-http.ts'
import { mountHealth } from './health.ts'
import { mountMetrics } from './metrics.ts'

/** Probes and scrapers need a handful. One address must not take the places of the others. */
const CONNECTIONS = { total: 512, perAddress: 64, exempt: [] }

/**
 * Health and metrics on a port of their own, for every role. Who reaches the port may read all of it: the operator chose its address.
 * Requests are not logged: probes come every few seconds.
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

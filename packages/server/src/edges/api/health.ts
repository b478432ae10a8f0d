import type { FastifyInstance } from 'fastify'
import type { Api } from './endpoint.ts'
import { success } from './envelope.ts'
import { openReadiness } from './readiness.ts'

export function mountHealth(app: FastifyInstance, api: Api): void {
  const { realClock } = api
  const ready = openReadiness(api)
  /** The process runs. Says nothing about the database: restarting us would not mend that. */
  app.get('/healthz', async () => success(realClock, { status: 'ok' }))

  /** Requests can be served. The answer names each check. */
  app.get('/readyz', async () => success(realClock, { status: 'ready', checks: await ready() }))
}

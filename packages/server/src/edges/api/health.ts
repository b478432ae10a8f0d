import type { FastifyInstance } from 'fastify'
import type { Api } from './route.ts'
import { success } from './envelope.ts'
import { openReadiness } from './readiness.ts'

export function mountHealth(app: FastifyInstance, api: Api): void {
  const { realClock } = api
  const ready = openReadiness(api)
  /** Liveness. Does not check the database: restarting the process would not fix it. */
  app.get('/healthz', { exposeHeadRoute: true }, async () => success(realClock, { status: 'ok' }))

  /** Readiness. The response lists each check. */
  app.get('/readyz', { exposeHeadRoute: true }, async () =>
    success(realClock, { status: 'ready', checks: await ready() }),
  )
}

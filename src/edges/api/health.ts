import type { FastifyInstance } from 'fastify'
import { isMigrated } from '../../platform/migrate.ts'
import { parseAddress } from '../../platform/ip.ts'
import { remember } from '../../platform/remember.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Api } from './endpoint.ts'
import { success } from './envelope.ts'

/** Addresses of one's own machine or network; a scraper sits there, the internet does not. */
const NEAR = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal'])

export function mountHealth(app: FastifyInstance, { db, metrics, realClock }: Api): void {
  const migrated = remember((_: 'once a second') => isMigrated(db))
  /** The process runs. Says nothing about the database: restarting us would not mend that. */
  app.get('/healthz', async () => success(realClock, { status: 'ok' }))

  /** Requests can be served: the database answers and has this version's tables. */
  app.get('/readyz', async () => {
    if (await migrated('once a second')) return success(realClock, { status: 'ready' })
    throw new Refusal('SERVICE_UNAVAILABLE', 'The database is not migrated to this version. Run: vezne migrate', {
      retryAfterSeconds: 5,
    })
  })

  app.get('/metrics', async (request, reply) => {
    const near = NEAR.has(parseAddress(request.socket.remoteAddress ?? '')?.range() ?? '')
    if (!near || request.headers['x-forwarded-for'] !== undefined)
      throw new Refusal('NOT_FOUND', 'There is nothing here.')
    const { total, idle, waiting } = db.stats()
    metrics.connections.set({ state: 'open' }, total)
    metrics.connections.set({ state: 'idle' }, idle)
    metrics.connections.set({ state: 'wanted' }, waiting)
    void reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}

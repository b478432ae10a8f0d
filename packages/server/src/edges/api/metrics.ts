import { existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clockOffset } from '../../platform/time/clock-check.ts'
import { inNetworks, parseAddress } from '../../platform/http/ip.ts'
import { cached } from '../../platform/concurrency/cached.ts'
import { Refusal } from '../../platform/refusal.ts'
import { LAST_BACKUP } from '../../platform/files/data-folder.ts'
import type { Api } from './route.ts'
import { readDeploymentGauges } from './deployment-gauges.ts'
import { openReadiness } from './readiness.ts'

/** Local and private address ranges, where a scraper runs; the internet is excluded. */
const LOCAL_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal'])

/** Several scrapers may poll every process every few seconds. */
const CACHED_FOR_MS = 10_000
/** With many rows, the query may take longer than a scraper waits. */
const READING_MS = 30_000
/** A hanging database must not block the other metrics. */
const TIMEOUT_MS = 1000

/** Headers that a proxy adds. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip']

/** For the public port: allows requests from the local network that did not pass through a proxy. */
export function isLocalNetwork(
  { trustedProxies }: Pick<Api, 'trustedProxies'>,
  { socket, headers }: FastifyRequest,
): boolean {
  const address = parseAddress(socket.remoteAddress ?? '')
  if (!address || !LOCAL_RANGES.has(address.range()) || inNetworks(address, trustedProxies)) return false
  return FORWARDED.every((name) => headers[name] === undefined)
}

/** Read from the disk: with a full one, the database may not answer. */
function showDataFolder({ metrics, config: { dataFolder }, realClock }: Api): void {
  const labels = { folder: 'data' }
  metrics.diskFree.reset()
  metrics.backupAge.reset()
  if (!existsSync(dataFolder)) return
  const { bavail, blocks } = statfsSync(dataFolder)
  metrics.diskFree.set(labels, bavail / blocks)
  const backup = statSync(join(dataFolder, LAST_BACKUP), { throwIfNoEntry: false })
  if (backup) metrics.backupAge.set(labels, Math.max(0, (realClock.now().getTime() - backup.mtimeMs) / 1000))
}

export function mountMetrics(app: FastifyInstance, api: Api, isAllowed: (request: FastifyRequest) => boolean): void {
  const { db, metrics } = api
  const ready = openReadiness(api)
  const patient = { ...api, db: db.withStatementLimit(READING_MS) }
  const figures = cached((_: 'of the deployment') => readDeploymentGauges(patient), { maxAgeMs: CACHED_FOR_MS })
  // A scrape takes milliseconds: simultaneous scrapes share one result for a second.
  const scrape = cached(async (_: 'text') => {
    for (const { pool, size, open, idle, waiting } of db.stats()) {
      const states = { size, open, idle, in_use: open - idle, wanted: waiting }
      for (const [state, count] of Object.entries(states)) metrics.connections.set({ pool, state }, count)
    }
    metrics.clockOffset.set(clockOffset(api.clock).seconds)
    showDataFolder(api)
    const isReady = ready().then(
      () => 1,
      () => 0,
    )
    metrics.ready.set(await isReady)
    const read = figures('of the deployment').catch(() => [])
    metrics.showDeployment(await Promise.race([read, wait(TIMEOUT_MS, [], { ref: false })]))
    return metrics.registry.metrics()
  })
  app.get('/metrics', async (request, reply) => {
    if (!isAllowed(request)) throw new Refusal('NOT_FOUND', 'There is nothing here.')
    void reply.type(metrics.registry.contentType)
    return scrape('text')
  })
}

import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { missingLines } from '../../domain/withdrawals/index.ts'
import { clockOffset } from '../../platform/clock-check.ts'
import { parseAddress } from '../../platform/ip.ts'
import { remember } from '../../platform/remember.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Api } from './endpoint.ts'
import { success } from './envelope.ts'
import { openReadiness } from './readiness.ts'

/** Addresses of one's own machine or network; a scraper sits there, the internet does not. */
const NEAR = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal'])

/** What is missing changes once a day; every process may be asked every few seconds. */
const COUNTED_FOR_MS = 10_000
/** Over many rows it may take longer than anybody waits for it here. */
const COUNTING_MS = 30_000
/** A database that hangs must not take the other metrics along. */
const PATIENCE_MS = 1000

export function mountHealth(app: FastifyInstance, api: Api): void {
  const { db, metrics, realClock } = api
  const patient = { ...api, db: db.within(COUNTING_MS) }
  const missing = remember((_: 'once a while') => missingLines(patient), { forMs: COUNTED_FOR_MS })
  const ready = openReadiness(api)
  /** The process runs. Says nothing about the database: restarting us would not mend that. */
  app.get('/healthz', async () => success(realClock, { status: 'ok' }))

  /** Requests can be served. The answer names each check. */
  app.get('/readyz', async () => success(realClock, { status: 'ready', checks: await ready() }))

  app.get('/metrics', async (request, reply) => {
    const near = NEAR.has(parseAddress(request.socket.remoteAddress ?? '')?.range() ?? '')
    if (!near || request.headers['x-forwarded-for'] !== undefined)
      throw new Refusal('NOT_FOUND', 'There is nothing here.')
    const { total, idle, waiting } = db.stats()
    metrics.connections.set({ state: 'open' }, total)
    metrics.connections.set({ state: 'idle' }, idle)
    metrics.connections.set({ state: 'wanted' }, waiting)
    metrics.clockOffset.set(clockOffset(api.clock).seconds)
    const counted = missing('once a while').catch(() => null)
    showMissing(api, await Promise.race([counted, wait(PATIENCE_MS, null, { ref: false })]))
    void reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}

/** Without an answer of the database there is no figure: an old one would look current. */
function showMissing(
  { metrics, currencies }: Pick<Api, 'metrics' | 'currencies'>,
  missing: Awaited<ReturnType<typeof missingLines>> | null,
): void {
  for (const [totals, count, sum] of [
    [missing?.payouts, metrics.payoutsWithoutDebit, metrics.payoutsWithoutDebitAmount],
    [missing?.debits, metrics.debitsWithoutPayout, metrics.debitsWithoutPayoutAmount],
    [missing?.credits, metrics.queuedCredits, metrics.queuedCreditsAmount],
  ] as const) {
    count.reset()
    sum.reset()
    if (!totals) continue
    const none = currencies.map((currency) => ({ currency, count: 0, amount: 0n }))
    for (const { currency, ...total } of [...none, ...totals]) {
      count.set({ currency }, total.count)
      sum.set({ currency }, Number(total.amount))
    }
  }
}

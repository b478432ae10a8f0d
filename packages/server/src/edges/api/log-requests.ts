import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Excess } from '../../platform/http/bound-connections.ts'
import type { Address } from '../../platform/http/ip.ts'
import { maskAddress } from '../../platform/http/ip.ts'
import type { ErrorCode } from '@vezne/contract'
import { addressOf } from './authenticate.ts'
import type { Api } from './route.ts'
import { throttledFailure } from './throttle-failures.ts'

/** Log lines are written synchronously: a flood of connections must not cause a flood of lines. */
const LINE_EVERY_MS = 1000

function loggedAddress({ logAddresses }: Pick<Api, 'logAddresses'>, address: Address | null): string {
  if (!address) return 'unknown'
  return logAddresses === 'full' ? address.toString() : maskAddress(address)
}

/** Counts connections closed for exceeding a limit; logs at most one line per second and limit, with their number. */
export function logExcess(api: Pick<Api, 'log' | 'metrics' | 'logAddresses'>) {
  const lines = new Map<Excess, { at: number; count: number }>()
  return (limit: Excess, address: Address | null) => {
    api.metrics.closedConnections.inc({ limit })
    const line = lines.get(limit) ?? { at: Number.NEGATIVE_INFINITY, count: 0 }
    lines.set(limit, line)
    line.count++
    if (performance.now() - line.at < LINE_EVERY_MS) return
    api.log.warn({ limit, count: line.count, address: loggedAddress(api, address) }, 'connections closed at a limit')
    line.at = performance.now()
    line.count = 0
  }
}

/** Refusals about the caller rather than the request: logged as warnings, with the caller's address. */
const ABOUT_THE_CALLER = new Set<ErrorCode>([
  'INVALID_API_KEY',
  'MISSING_SIGNATURE',
  'MISSING_TIMESTAMP',
  'TIMESTAMP_EXPIRED',
  'INVALID_SIGNATURE',
  'IP_NOT_WHITELISTED',
  'RATE_LIMITED',
])

/** Throttled requests logged per second and process. A flood of them would fill a disk: 35 GB a day from one address. */
const THROTTLED_PER_SECOND = 5
const throttled = { second: 0, logged: 0, notLogged: 0 }

/** Whether to log a throttled request; if so, with the number that were not logged since the last one. */
function nextThrottled(): { notLogged?: number } | null {
  const second = Math.floor(performance.now() / 1000)
  if (second !== throttled.second) Object.assign(throttled, { second, logged: 0 })
  if (throttled.logged >= THROTTLED_PER_SECOND) {
    throttled.notLogged++
    return null
  }
  throttled.logged++
  const { notLogged } = throttled
  throttled.notLogged = 0
  return notLogged > 0 ? { notLogged } : {}
}

/** Logs the route, never the target: a checkout URL contains a token. */
export function logRequest(api: Api, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url ?? 'unknown'
  const seconds = reply.elapsedTime / 1000
  api.metrics.requests.observe({ method: request.method, route, status: reply.statusCode }, seconds)
  const caller = request.refusal && ABOUT_THE_CALLER.has(request.refusal.code) ? refusedCaller(api, request) : null
  const limited = reply.statusCode === 429 ? nextThrottled() : {}
  if (!limited) return
  api.log[caller ? 'warn' : isPoll(api, route, reply) ? 'debug' : 'info'](
    {
      requestId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.authHeaders && { merchantId: request.authHeaders.caller.merchant.id }),
      ...(request.refusal && { code: request.refusal.code }),
      ...caller,
      ...limited,
    },
    'request',
  )
}

/** `vezne listen` polls the stream every second and would flood a developer's log. */
function isPoll({ sandbox }: Api, route: string, { statusCode }: FastifyReply): boolean {
  return sandbox && route === '/v1/events' && statusCode === 200
}

/** A throttled failure is counted under its original code: the 429 response does not change the cause. */
function refusedCaller(api: Api, { refusal, raw }: FastifyRequest): object {
  const failure = refusal && throttledFailure(refusal)
  api.metrics.refusedCallers.inc({ code: failure ?? refusal?.code ?? '', throttled: failure ? 'yes' : 'no' })
  return { address: loggedAddress(api, addressOf(api.trustedProxies, raw)), ...(failure && { throttled: failure }) }
}

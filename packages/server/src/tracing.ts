import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Rail } from './domain/connections/index.ts'
import type { Db, Queryable, Tx } from './platform/postgres/db.ts'
import type { Network } from './platform/http/ip.ts'
import { inNetworks, parseAddress } from './platform/http/ip.ts'
import type { Log } from './platform/log.ts'
import type { Span, Tracer, TracingSettings } from './platform/otlp.ts'
import { openTracer, readTraceparent } from './platform/otlp.ts'
import type { Outbound } from './platform/http-client/outbound.ts'
import type { Sql } from './platform/postgres/sql.ts'

export type Tracing = ReturnType<typeof openTracing>

/** Puts spans around what the service does. Loaded only when tracing is on; without it nothing is wrapped. */
export function openTracing(app: { log: Log }, settings: TracingSettings) {
  const tracer = openTracer(app, settings)
  return {
    db: (db: Db) => tracedDb(tracer, db),
    rail: (rail: Rail) => tracedRail(tracer, rail),
    outbound: (outbound: Outbound) => tracedOutbound(tracer, outbound),
    requests: (server: FastifyInstance, trusted: Network[]) => traceRequests(tracer, server, trusted),
    /** A list serves many requests, so it belongs to the trace of none. */
    list:
      <Item, Result>(name: string, work: (list: Item[]) => Promise<Result>) =>
      (list: Item[]): Promise<Result> =>
        tracer.within(null, () =>
          tracer.span(name, { kind: 'internal', attributes: { 'vezne.list_size': list.length } }, () => work(list)),
        ),
    stop: () => tracer.stop(),
  }
}

/** The text of a statement has places for values, not the values. Statements outside of a trace are those of idle workers. */
function tracedDb(tracer: Tracer, db: Db): Db {
  const traced = <Runner extends Queryable>(runner: Runner): Runner => ({
    ...runner,
    query<Row>(statement: Sql): Promise<Row[]> {
      if (!tracer.isActive()) return runner.query<Row>(statement)
      const text = statement.text.trim()
      const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
      const name = text.split(/\s/, 1)[0] ?? 'statement'
      return tracer.span(name, { kind: 'client', attributes }, () => runner.query<Row>(statement))
    },
  })
  return {
    ...traced(db),
    pages: traced(db.pages),
    within: (limitMs) => tracedDb(tracer, db.within(limitMs)),
    transaction: (work) => db.transaction((tx: Tx) => work(traced(tx))),
    oneStatement: (work) => db.oneStatement((tx: Tx) => work(traced(tx))),
  }
}

/** Calls to a bank begin a trace. Nothing of it is sent along: the bank is another company. */
function tracedRail(tracer: Tracer, rail: Rail): Rail {
  const call = <Answer extends { outcome: string }>(name: string, work: () => Promise<Answer>) =>
    tracer.span(name, { kind: 'client', attributes: { 'vezne.rail': rail.name } }, work, ({ outcome }) => ({
      attributes: { 'vezne.outcome': outcome },
      failed: outcome === 'unreachable' || outcome === 'unknown',
    }))
  return {
    name: rail.name,
    statement: (cursor) => call('bank statement', () => rail.statement(cursor)),
    submit: (order) => call('bank submit', () => rail.submit(order)),
    find: (asked) => call('bank find', () => rail.find(asked)),
  }
}

/** The host alone: a path may hold a secret of the merchant's. */
function tracedOutbound(tracer: Tracer, outbound: Outbound): Outbound {
  return {
    ...outbound,
    post(url, headers, body) {
      const attributes = { 'server.address': URL.parse(url)?.host ?? '', 'vezne.event_id': headers['webhook-id'] ?? '' }
      const send = () => outbound.post(url, headers, body)
      return tracer.span('callback', { kind: 'client', attributes }, send, ({ outcome }) => ({
        attributes: { 'vezne.outcome': outcome },
        failed: outcome !== 'accepted',
      }))
    },
  }
}

function traceRequests(tracer: Tracer, server: FastifyInstance, trusted: Network[]): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  server.addHook('onRequest', (request, _reply, done) => {
    // The route, never the target: a checkout address carries a token.
    const route = request.routeOptions.url ?? 'unknown'
    const attributes = { 'http.request.method': request.method, 'http.route': route, 'vezne.request_id': request.id }
    const span = tracer.start(`${request.method} ${route}`, {
      kind: 'server',
      attributes,
      parent: parentOf(request, trusted),
    })
    spans.set(request, span)
    tracer.within(span, done)
  })
  // Reading the body loses the context.
  server.addHook('preValidation', (request, _reply, done) => tracer.within(spans.get(request) ?? null, done))
  server.addHook('onResponse', (request, reply, done) => {
    spans.get(request)?.end({ 'http.response.status_code': reply.statusCode }, reply.statusCode >= 500)
    done()
  })
}

/** Only a proxy of the operator's continues its trace here: a merchant must not choose what is kept. */
function parentOf({ socket, headers }: FastifyRequest, trusted: Network[]) {
  const from = parseAddress(socket.remoteAddress ?? '')
  return from && inNetworks(from, trusted) ? readTraceparent(headers['traceparent']) : null
}

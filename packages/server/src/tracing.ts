import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Connection } from './domain/connections/index.ts'
import type { Db, Queryable, Tx } from './platform/postgres/db.ts'
import type { Network } from './platform/http/ip.ts'
import { inNetworks, parseAddress } from './platform/http/ip.ts'
import type { Batcher, batcher } from './platform/concurrency/batcher.ts'
import type { Log } from './platform/log.ts'
import type { Context, Span, Tracer, TracingSettings } from './platform/otlp.ts'
import { openTracer, readTraceparent } from './platform/otlp.ts'
import type { Outbound } from './platform/http-client/outbound.ts'
import type { Sql } from './platform/postgres/sql.ts'

export type Tracing = ReturnType<typeof openTracing>

/** Adds spans around the service's work. Loaded only when tracing is on; otherwise nothing is wrapped. */
export function openTracing(app: { log: Log }, settings: TracingSettings) {
  const tracer = openTracer(app, settings)
  return {
    db: (db: Db) => tracedDb(tracer, db),
    connection: (connection: Connection) => tracedConnection(tracer, connection),
    outbound: (outbound: Outbound) => tracedOutbound(tracer, outbound),
    requests: (server: FastifyInstance, trusted: Network[]) => traceRequests(tracer, server, trusted),
    batcher: <Item extends object, Out>(name: string, work: BatchWork<Item, Out>, open: OpenBatcher<Item, Out>) =>
      tracedBatcher(tracer, name, work, open),
    stop: () => tracer.stop(),
  }
}

type BatchWork<Item, Out> = Parameters<typeof batcher<Item, Out>>[0]
type OpenBatcher<Item, Out> = (work: BatchWork<Item, Out>) => Batcher<Item, Out>

/** A batch serves many requests, so it starts its own trace, with links to theirs. */
function tracedBatcher<Item extends object, Out>(
  tracer: Tracer,
  name: string,
  work: BatchWork<Item, Out>,
  open: OpenBatcher<Item, Out>,
): Batcher<Item, Out> {
  const requests = new WeakMap<Item, Context>()
  const opened = open((batch) => {
    const links = batch.flatMap((item) => requests.get(item) ?? [])
    const options = { kind: 'internal', attributes: { 'vezne.list_size': batch.length }, links } as const
    return tracer.within(null, () => tracer.span(name, options, () => work(batch)))
  })
  const enqueue = (item: Item): Promise<Out> => {
    const request = tracer.current()
    if (request) requests.set(item, request)
    return opened(item)
  }
  return Object.assign(enqueue, { idle: opened.idle })
}

/**
 * Statement text has placeholders, not values. Statements outside of a trace come from idle workers and get no span.
 */
function tracedDb(tracer: Tracer, db: Db): Db {
  const traced = <Runner extends Queryable>(runner: Runner): Runner => ({
    ...runner,
    query<Row>(statement: Sql): Promise<Row[]> {
      if (!tracer.current()) return runner.query<Row>(statement)
      const text = statement.text.trim()
      const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
      const name = text.split(/\s/, 1)[0] ?? 'statement'
      return tracer.span(name, { kind: 'client', attributes }, () => runner.query<Row>(statement))
    },
  })
  return {
    ...traced(db),
    pages: traced(db.pages),
    search: traced(db.search),
    report: traced(db.report),
    withStatementLimit: (limitMs) => tracedDb(tracer, db.withStatementLimit(limitMs)),
    transaction: (work) => db.transaction((tx: Tx) => work(traced(tx))),
    oneStatement: (work) => db.oneStatement((tx: Tx) => work(traced(tx))),
  }
}

/** A bank call starts a trace. No trace header is sent: the bank is another company. */
function tracedConnection(tracer: Tracer, connection: Connection): Connection {
  const call = <Answer extends { outcome: string }>(name: string, work: () => Promise<Answer>) =>
    tracer.span(name, { kind: 'client', attributes: { 'vezne.connection': connection.name } }, work, ({ outcome }) => ({
      attributes: { 'vezne.outcome': outcome },
      failed: outcome === 'unreachable' || outcome === 'unknown',
    }))
  return {
    ...connection,
    statement: (cursor) => call('bank statement', () => connection.statement(cursor)),
    submit: (order) => call('bank submit', () => connection.submit(order)),
    find: (asked) => call('bank find', () => connection.find(asked)),
  }
}

/** Host only: a path may contain a secret of the merchant. */
function tracedOutbound(tracer: Tracer, outbound: Outbound): Outbound {
  return {
    ...outbound,
    post(url, headers, body, sender) {
      const attributes = { 'server.address': URL.parse(url)?.host ?? '', 'vezne.event_id': headers['webhook-id'] ?? '' }
      const send = () => outbound.post(url, headers, body, sender)
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
    // The route, never the target: a checkout address contains a token.
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
  // Reading the body loses the async context.
  server.addHook('preValidation', (request, _reply, done) => tracer.within(spans.get(request) ?? null, done))
  server.addHook('onResponse', (request, reply, done) => {
    spans.get(request)?.end({ 'http.response.status_code': reply.statusCode }, reply.statusCode >= 500)
    done()
  })
}

/** Only a trusted proxy may continue its trace here: a merchant must not decide what is sampled. */
function parentOf({ socket, headers }: FastifyRequest, trusted: Network[]) {
  const from = parseAddress(socket.remoteAddress ?? '')
  return from && inNetworks(from, trusted) ? readTraceparent(headers['traceparent']) : null
}

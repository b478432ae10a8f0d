import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { readSettings } from '../../packages/server/src/config.ts'
import { SettingsError } from '../../packages/server/src/platform/read-setting.ts'
import { readTraceparent } from '../../packages/server/src/platform/otlp.ts'
import { setCallbackUrl, addEvents } from '../harness/callbacks.ts'
import { ready, vezne } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { depositBody } from '../harness/examples.ts'
import { startReceiver } from '../harness/receiver.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

type Pair = { key: string; value: { stringValue?: string; intValue?: string } }
type Link = { traceId: string; spanId: string }
type Span = Link & { parentSpanId?: string; name: string; kind: number; attributes: Pair[]; links: Link[] }
type Request = { resourceSpans: { resource: { attributes: Pair[] }; scopeSpans: { spans: Span[] }[] }[] }

/** An OTLP receiver, and beside it a bank with an empty statement. */
const requests: { body: Request; headers: IncomingMessage['headers'] }[] = []
const bankHeaders: IncomingMessage['headers'][] = []
const server = createServer((request, response) => void answer(request, response))
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  if (request.url === '/v1/traces') requests.push({ body: JSON.parse(body) as Request, headers: request.headers })
  else bankHeaders.push(request.headers)
  response.end(JSON.stringify({ lines: [], cursor: '0', more: false }))
}
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const service = await startService()
const { app } = service
const shop = await service.merchant()
const receiver = await startReceiver()
await setCallbackUrl(app, shop.merchantId, receiver.url)
const data = mkdtempSync(join(tmpdir(), 'vezne-tracing-'))
const child = vezne(['up'], {
  VEZNE_DATA: data,
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
  VEZNE_BANK_API_URL: url,
  VEZNE_BANK_API_KEY: 'key',
  VEZNE_TRUSTED_PROXIES: '127.0.0.1',
  OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-team=payments',
  OTEL_SERVICE_NAME: 'odeme',
})
after(async () => {
  child.process.kill('SIGTERM')
  await child.exited
  server.close()
  server.closeAllConnections()
  rmSync(data, { recursive: true, force: true })
})
const address = await ready(child)

const spans = () =>
  requests.flatMap(({ body }) => body.resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)))
const found = (holds: (span: Span) => boolean) =>
  until(
    async () => spans().find(holds),
    (span) => span !== undefined,
  ) as Promise<Span>
const attribute = (span: Span, key: string) => {
  const value = span.attributes.find((pair) => pair.key === key)?.value
  return value?.stringValue ?? value?.intValue
}

test('a request is a span; the list it was created in is a trace with its statements, without values', async () => {
  const body = depositBody()
  const { status } = await client(address, shop).post('/v1/deposit', body)
  assert.equal(status, 201)
  const request = await found(({ name }) => name === 'POST /v1/deposit')
  assert.equal(request.kind, 2)
  assert.equal(request.parentSpanId, undefined)
  assert.equal(attribute(request, 'http.response.status_code'), '201')
  const list = await found(({ name }) => name === 'create deposits')
  assert.equal(attribute(list, 'vezne.list_size'), '1')
  assert.deepEqual(list.links, [{ traceId: request.traceId, spanId: request.spanId }])
  assert.notEqual(list.traceId, request.traceId)
  const insert = await found(
    (span) => span.traceId === list.traceId && /insert into deposits/.test(attribute(span, 'db.query.text') ?? ''),
  )
  assert.equal(insert.kind, 3)
  const sent = JSON.stringify(requests)
  for (const secret of [body.processId, 'Ayşe', shop.apiKey, shop.apiSecret]) assert.ok(!sent.includes(secret), secret)
})

test('a traceparent of a trusted proxy is continued, and one that is not sampled sends nothing', async () => {
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const other = traceId.replace('4bf9', 'aaaa')
  await fetch(`${address}/readyz`, { headers: { traceparent: `00-${other}-${spanId}-00` } })
  await fetch(`${address}/readyz`, { headers: { traceparent: `00-${traceId}-${spanId}-01` } })
  const span = await found((one) => one.traceId === traceId && one.name === 'GET /readyz')
  assert.equal(span.parentSpanId, spanId)
  assert.ok(!spans().some((one) => one.traceId === other))
})

test('calls to the bank and callbacks are spans; neither is told of the trace', async () => {
  const bank = await found(({ name }) => name === 'bank statement')
  assert.equal(attribute(bank, 'vezne.outcome'), 'read')
  await addEvents(app, shop.merchantId)
  const callback = await found(({ name }) => name === 'callback')
  assert.equal(attribute(callback, 'vezne.outcome'), 'accepted')
  assert.equal(attribute(callback, 'server.address'), new URL(receiver.url).host)
  for (const headers of [...bankHeaders, ...receiver.all.map((one) => one.headers)])
    assert.equal(headers['traceparent'], undefined)
})

test('the receiver gets the headers and the name of the service', async () => {
  await found(() => true)
  const [first] = requests
  assert.equal(first?.headers['x-team'], 'payments')
  assert.equal(first?.headers['content-type'], 'application/json')
  const names = first?.body.resourceSpans[0]?.resource.attributes
  assert.equal(names?.find(({ key }) => key === 'service.name')?.value.stringValue, 'odeme')
})

test('off by default; on by its setting or the standard one; mistakes are named', () => {
  assert.equal(readSettings({ VEZNE_DATA: data }).tracing, null)
  assert.equal(readSettings({ VEZNE_DATA: data, VEZNE_TRACING: 'otlp' }).tracing?.endpoint, 'http://localhost:4318')
  assert.equal(
    readSettings({ VEZNE_DATA: data, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:1/' }).tracing?.endpoint,
    'http://c:1',
  )
  const off = { VEZNE_TRACING: 'off', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:1' }
  assert.equal(readSettings({ VEZNE_DATA: data, ...off }).tracing, null)
  const wrong = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector',
    OTEL_TRACES_SAMPLER_ARG: '2',
    OTEL_EXPORTER_OTLP_HEADERS: 'no pair',
  }
  assert.throws(
    () => readSettings({ VEZNE_DATA: data, ...wrong }),
    (error) => error instanceof SettingsError && Object.keys(wrong).every((name) => error.message.includes(name)),
  )
})

test('without tracing its modules are not loaded: nothing imports them but each other', () => {
  const sources = globSync('packages/server/src/**/*.ts', { cwd: join(import.meta.dirname, '../..') })
  const importers = sources.filter((file) =>
    /^import \{[^}]*\} from '[^']*\/(?:tracing|otlp)\.ts'/m.test(
      readFileSync(join(import.meta.dirname, '../..', file), 'utf8'),
    ),
  )
  assert.deepEqual(importers, ['packages/server/src/tracing.ts'])
})

test('a traceparent that is not well-formed is none', () => {
  const [trace, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  for (const header of [
    undefined,
    '',
    'x',
    `00-${trace}-${span}`,
    `ff-${trace}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
  ])
    assert.equal(readTraceparent(header), null)
  assert.equal(readTraceparent(`00-${trace}-${span}-00`)?.sampled, false)
})

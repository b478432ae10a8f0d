import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Log } from './log.ts'

export type Attributes = Record<string, string | number>
export type TracingSettings = { endpoint: string; headers: Record<string, string>; service: string; ratio: number }
export type Context = { traceId: string; spanId: string; sampled: boolean }
export type Span = Context & { end: (attributes?: Attributes, failed?: boolean) => void }
/** `links`: spans of other traces that this one works for. */
type Start = { kind: keyof typeof KINDS; attributes?: Attributes; parent?: Context | null; links?: Context[] }

/** Values of the protocol. */
const KINDS = { internal: 1, server: 2, client: 3 }
const FAILED = 2

/**
 * Interval, batch size and maximum queue length; beyond it new spans are dropped, because tracing must not fill the
 * memory.
 */
const INTERVAL_MS = 2000
const BATCH_SIZE = 500
const MAX_WAITING = 5000
const TIMEOUT_MS = 3000

export type Tracer = ReturnType<typeof openTracer>

/** Sends spans as OTLP JSON over HTTP. See docs/decisions/0030. */
export function openTracer({ log }: { log: Log }, settings: TracingSettings) {
  const active: Active = new AsyncLocalStorage()
  const waiting: object[] = []

  const start = openStart(settings.ratio, active, waiting)
  const flush = openSender(log, settings, waiting)
  const timer = setInterval(() => void flush(), INTERVAL_MS).unref()
  return {
    start,
    within: <Result>(span: Context | null, work: () => Result): Result => active.run(span, work),
    current: (): Context | null => active.getStore() ?? null,
    /** A span around work; failed if the work throws or `outcome` says so. */
    async span<Result>(
      name: string,
      options: Start,
      work: () => Promise<Result>,
      outcome: (result: Result) => { attributes: Attributes; failed: boolean } = () => ({
        attributes: {},
        failed: false,
      }),
    ): Promise<Result> {
      const span = start(name, options)
      try {
        const result = await active.run(span, work)
        const { attributes, failed } = outcome(result)
        span.end(attributes, failed)
        return result
      } catch (error) {
        span.end({ 'error.type': (error as Error).name }, true)
        throw error
      }
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      await flush()
    },
  }
}

type Active = AsyncLocalStorage<Context | null>

/** Finished spans are queued. The parent is the active span, unless another or none is given. */
function openStart(ratio: number, active: Active, waiting: object[]): (name: string, options: Start) => Span {
  return function start(name: string, options: Start): Span {
    const { kind, attributes = {}, parent = active.getStore() ?? null, links = [] } = options
    const { traceId, sampled } = parent ?? newTrace(ratio)
    const context = { traceId, sampled, spanId: randomBytes(8).toString('hex') }
    const startTimeUnixNano = unixNano()
    return {
      ...context,
      end(endAttributes = {}, failed = false) {
        if (!sampled || waiting.length >= MAX_WAITING) return
        waiting.push({
          traceId,
          spanId: context.spanId,
          ...(parent && { parentSpanId: parent.spanId }),
          name,
          kind: KINDS[kind],
          startTimeUnixNano,
          endTimeUnixNano: unixNano(),
          attributes: asPairs({ ...attributes, ...endAttributes }),
          // One that was not sampled leads nowhere.
          links: links.flatMap((link) => (link.sampled ? { traceId: link.traceId, spanId: link.spanId } : [])),
          status: failed ? { code: FAILED } : {},
        })
      },
    }
  }
}

/** Returns a function that sends the queue; one request at a time. */
function openSender(log: Log, settings: TracingSettings, waiting: object[]): () => Promise<void> {
  let failing = false
  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const body = JSON.stringify(asRequest(settings.service, waiting.splice(0, BATCH_SIZE)))
      try {
        const headers = { ...settings.headers, 'content-type': 'application/json' }
        const signal = AbortSignal.timeout(TIMEOUT_MS)
        const response = await fetch(`${settings.endpoint}/v1/traces`, { method: 'POST', headers, body, signal })
        await response.arrayBuffer()
        if (!response.ok) throw new Error(`HTTP ${response.status}`)
        failing = false
      } catch (error) {
        // Logged once, until it works again. These spans are dropped to save memory.
        if (!failing) log.warn({ err: error }, 'spans were not sent; see OTEL_EXPORTER_OTLP_ENDPOINT')
        failing = true
        return
      }
    }
  }

  let sending: Promise<void> | null = null
  const flush = () => (sending ??= send().finally(() => (sending = null)))
  return flush
}

/** W3C traceparent: version, trace, span, flags. Null if invalid. */
export function readTraceparent(header: unknown): Context | null {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(header)) ?? []
  if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Uses the random last bytes of the id, so that every service keeps the same traces. */
function newTrace(ratio: number): Pick<Context, 'traceId' | 'sampled'> {
  const id = randomBytes(16)
  return { traceId: id.toString('hex'), sampled: id.readUInt32BE(12) / 2 ** 32 < ratio }
}

function unixNano(): string {
  return `${Math.round((performance.timeOrigin + performance.now()) * 1000)}000`
}

function asPairs(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
}

function asRequest(service: string, spans: object[]): object {
  const resource = { attributes: asPairs({ 'service.name': service, 'process.pid': process.pid }) }
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'vezne' }, spans }] }] }
}

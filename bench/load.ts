import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { signRequest } from '@vezne/sdk'
import { wholeMessage } from './http-message.ts'

// Plain sockets instead of a load tool: this process shares two cores with the server and PostgreSQL, so it must be
// cheap, and every request needs a signed body with its own processId.

export type Kind = 'withdraw' | 'deposit'
export type Caller = { apiKey: string; apiSecret: string }

export type Load = {
  kind: Kind
  /** Base addresses; connections are distributed round-robin. */
  servers: string[]
  connections: number
  /** Requests are distributed over these merchants round-robin. */
  callers: Caller[]
  warmUpMs: number
  measureMs: number
}

export type LoadResult = {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Every 201, including warm-up and responses after the end: the number of rows that must be in the database. */
  created: number
  /** All other responses, by status and code. */
  others: Record<string, number>
  /** Share of one core that this process used: shows whether the load generator is the bottleneck. */
  generatorCpu: number
}

type HttpResponse = { status: number; body: string }
type Driver = { request: () => Buffer; onResponse: (response: HttpResponse, ms: number) => void; until: number }

/** Longer than the lock timeout of the server; a connection without a response for this long has failed. */
const RESPONSE_TIMEOUT_MS = 30_000

/** A closed loop: every connection sends its next request after the response to the last one. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const request = requestMaker(load)
  const from = performance.now() + load.warmUpMs
  const until = from + load.measureMs
  const latencies: number[] = []
  const others: Record<string, number> = {}
  let created = 0
  const countOther = (label: string) => void (others[label] = (others[label] ?? 0) + 1)
  const onResponse = ({ status, body }: HttpResponse, ms: number) => {
    const now = performance.now()
    if (status !== 201) return countOther(`${status} ${/"code":"(\w+)"/.exec(body)?.[1] ?? ''}`.trim())
    created++
    if (now >= from && now < until) latencies.push(ms)
  }
  const cpu = process.cpuUsage()
  const began = performance.now()
  const driver: Driver = { request, onResponse, until }
  await Promise.all(
    Array.from({ length: load.connections }, (_, index) =>
      runConnection(load.servers[index % load.servers.length] as string, driver).catch((error: Error) =>
        countOther(error.message),
      ),
    ),
  )
  const used = process.cpuUsage(cpu)
  const sorted = Float64Array.from(latencies).sort()
  return {
    perSecond: latencies.length / (load.measureMs / 1000),
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    created,
    others,
    generatorCpu: (used.user + used.system) / 1000 / (performance.now() - began),
  }
}

/** Signs requests before the measurement starts: signing during it would take CPU from the server. */
function requestMaker(load: Load): () => Buffer {
  const make = signedRequests(load)
  const perSecond = Math.min(PREPARED_PER_SECOND, load.connections * PREPARED_PER_CONNECTION)
  const count = Math.ceil((perSecond * (load.warmUpMs + load.measureMs)) / 1000)
  const prepared = Array.from({ length: count }, make)
  return () => prepared.pop() ?? make()
}

/** Above the highest rates measured here, in total and per connection; beyond them requests are signed on demand. */
const PREPARED_PER_SECOND = 15_000
const PREPARED_PER_CONNECTION = 1000

function signedRequests({ kind, callers }: Load): () => Buffer {
  const target = `/v1/${kind}`
  let count = 0
  return () => {
    const body = BODIES[kind](randomUUID())
    const signed = signRequest(callers[count++ % callers.length] as Caller, { method: 'POST', path: target, body })
    const headers = Object.entries(signed).map(([name, value]) => `${name}: ${value}\r\n`)
    return Buffer.from(
      `POST ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers.join('')}` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  }
}

/** Random processIds on purpose: they are what merchants send, and the harder case for an index. */
const BODIES: Record<Kind, (processId: string) => string> = {
  withdraw: (processId) =>
    `{"processId":"${processId}","amount":100,"accountName":"Ayşe Yılmaz","iban":"TR620006200029500006291296",` +
    '"userId":"u-1","userName":"ayse","name":"Ayşe Yılmaz"}',
  deposit: (processId) =>
    `{"processId":"${processId}","amount":125000,"bankCode":"FAST",` +
    '"customer":{"id":"c-1","name":"Ayşe Yılmaz","username":"ayse"}}',
}

/** Shared by all connections: reads are sequential, and a new buffer per response costs more than reading it. */
const READ_BUFFER = Buffer.alloc(64 * 1024)

function runConnection(server: string, { request, onResponse, until }: Driver): Promise<void> {
  const { hostname, port } = new URL(server)
  return new Promise((resolve, reject) => {
    let sentAt = 0
    let buffered: Buffer | null = null
    const read = (length: number): boolean => {
      const chunk = READ_BUFFER.subarray(0, length)
      const bytes = buffered ? Buffer.concat([buffered, chunk]) : chunk
      const response = readResponse(bytes)
      buffered = response ? null : Buffer.from(bytes)
      if (response) {
        onResponse(response, performance.now() - sentAt)
        send()
      }
      return true
    }
    const socket: Socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: { buffer: READ_BUFFER, callback: read },
    })
    const send = () => {
      if (performance.now() >= until) return void socket.end(resolve)
      sentAt = performance.now()
      socket.write(request())
    }
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => socket.destroy(new Error('no response in time')))
    socket.on('connect', send)
    socket.on('error', reject)
    // No effect after `resolve`; before it, the server has closed a connection with an open request.
    socket.on('close', () => reject(new Error('connection closed')))
  })
}

/** Null until the response is complete. One request is open at a time, so nothing follows it. */
function readResponse(bytes: Buffer): HttpResponse | null {
  const whole = wholeMessage(bytes)
  if (!whole) return null
  const status = Number(bytes.toString('latin1', 9, 12))
  return { status, body: status === 201 ? '' : bytes.toString('utf8', whole.bodyAt) }
}

function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

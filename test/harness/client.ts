import type { RequestOptions } from 'node:http'
import { Agent, request } from 'node:http'
import { sign } from '../../packages/server/src/platform/crypto/signature.ts'
import { keepsContract, responseProblem } from './contract.ts'

export type Credentials = { apiKey: string; apiSecret: string }

/** The envelope, untyped for assertions. */
export type Answer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on whatever was returned
  body: any
  code: string | undefined
}

export type CallOptions = {
  method?: string
  /** Sent and signed unchanged: a string, or an object that is serialised as JSON. */
  body?: string | Buffer | object
  headers?: Record<string, string | string[] | null>
  /** Timestamp in seconds to sign and send instead of now. */
  timestamp?: string
  signature?: string
  /** What to sign if it differs from what is sent. */
  signed?: { timestamp?: string; method?: string; target?: string; body?: string }
}

const agent = new Agent({ keepAlive: true, maxSockets: 512 })

/** A merchant's client: signs and sends exactly what it is given, including the raw target. */
export function client(baseUrl: string, { apiKey, apiSecret }: Credentials) {
  const { hostname, port } = new URL(baseUrl)
  function call(target: string, options: CallOptions = {}): Promise<Answer> {
    const { method = options.body === undefined ? 'GET' : 'POST', headers = {}, signed = {} } = options
    const body = bytesOf(options.body)
    const timestamp = options.timestamp ?? signingTime(apiKey + target + body.toString())
    const parts = { timestamp, method, target, body, ...signed }
    const all: Record<string, string | string[] | null> = {
      'x-api-key': apiKey,
      'x-timestamp': timestamp,
      'x-signature': options.signature ?? sign(apiSecret, parts),
      ...(body.length > 0 && { 'content-type': 'application/json', 'content-length': String(body.length) }),
      ...headers,
    }
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as Record<
      string,
      string | string[]
    >
    return send({ hostname, port, method, path: target, headers: sent, agent }, body)
  }
  return {
    call,
    get: (target: string, options: CallOptions = {}) => call(target, options),
    post: (target: string, body: CallOptions['body'], options: CallOptions = {}) =>
      call(target, { ...options, method: 'POST', ...(body !== undefined && { body }) }),
  }
}

const lastSigned = new Map<string, number>()

/**
 * Now, or the next free second: a test that sends the same cancel or resend twice means two calls, and only the
 * timestamp distinguishes them.
 */
function signingTime(message: string): string {
  let seconds = Math.floor(Date.now() / 1000)
  if (/\/(cancel|resend)\b/.test(message)) {
    seconds = Math.max(seconds, (lastSigned.get(message) ?? 0) + 1)
    lastSigned.set(message, seconds)
  }
  return String(seconds)
}

function bytesOf(body: CallOptions['body']): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Fails when a response of the API is not as the contract describes it. */
export async function send(options: RequestOptions, body: Buffer = Buffer.alloc(0)): Promise<Answer> {
  const answer = await exchange(options, body)
  if (answer.body) keepsContract(responseProblem(options.method ?? 'GET', options.path ?? '/', answer))
  return answer
}

function exchange(options: RequestOptions, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = incoming.headers['content-type']?.includes('json') ?? false
        const parsed = isJson && text !== '' ? (JSON.parse(text) as { error?: { code?: string } }) : undefined
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text,
          body: parsed,
          code: parsed?.error?.code,
        })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

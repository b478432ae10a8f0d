import { createHmac } from 'node:crypto'
import { VezneError } from './vezne-error.ts'

export type Credentials = { apiKey: string; apiSecret: string }

export type RequestToSign = {
  method: string
  /** Path and query, exactly as sent. */
  path: string
  /** The bytes that are sent; empty if there are none. */
  body?: string | Uint8Array
  /** Unix time in whole seconds. Default: now. */
  timestamp?: number | string
}

/** The three headers of a signed request: HMAC-SHA256 of timestamp, method, path and body, without separators. */
export function signRequest({ apiKey, apiSecret }: Credentials, request: RequestToSign) {
  const { method, path, body = '', timestamp = Math.floor(Date.now() / 1000) } = request
  if (!method || !path)
    throw new VezneError('INVALID_OPTIONS', 'signRequest needs method and path, such as GET and /v1/balance.')
  const mac = createHmac('sha256', apiSecret).update(`${timestamp}${method}${path}`)
  return { 'X-API-Key': apiKey, 'X-Timestamp': String(timestamp), 'X-Signature': mac.update(body).digest('hex') }
}

type SignedHeaders = ReturnType<typeof signRequest>

/**
 * Gives every POST its own signature. The service runs a signature once, and two equal requests within a second would
 * share one: the later is signed for the next second, well within the five-minute window.
 */
export function freshSigner(credentials: Credentials, now: () => Date) {
  const used = new Map<string, number>()
  let prunedAt = 0
  return (request: Omit<RequestToSign, 'timestamp'>): SignedHeaders => {
    const second = Math.floor(now().getTime() / 1000)
    if (second !== prunedAt) for (const [signature, at] of used) if (at < second) used.delete(signature)
    prunedAt = second
    for (let timestamp = second; ; timestamp++) {
      const headers = signRequest(credentials, { ...request, timestamp })
      if (request.method === 'GET') return headers
      if (used.has(headers['X-Signature'])) continue
      used.set(headers['X-Signature'], timestamp)
      return headers
    }
  }
}

import type { Settings } from './settings.ts'
import type { Warning } from './types.ts'
import { VezneError } from './vezne-error.ts'

/** The request, and when its response came. */
export type Sent = { method: string; path: string; timestamp: number; now: Date }

type Failure = { code: string; message: string; details?: unknown; requestId?: string }
type Envelope = {
  success?: unknown
  data?: unknown
  error?: Partial<Failure>
  warnings?: unknown
  timestamp?: unknown
}

/** What to do, where the service's message does not say. */
const ADVICE: Record<string, string> = {
  INVALID_API_KEY: 'Check apiKey, and that baseUrl is the deployment that issued it.',
  INVALID_SIGNATURE: 'Check apiSecret: it must belong to this apiKey.',
  DUPLICATE_TRANSACTION: 'A new payment needs a new processId.',
  RATE_LIMITED: 'Wait for retryAfterSeconds before the next call.',
  INTERNAL_ERROR: 'It may still have taken effect; repeating the same call is safe.',
}

/** Returns `data` of a response; throws a refusal as an error. */
export function readAnswer(sent: Sent, response: Response, text: string, onWarning: Settings['onWarning']): unknown {
  const envelope = parse(text)
  const { method, path } = sent
  if (Array.isArray(envelope?.warnings))
    for (const warning of envelope.warnings as Warning[]) onWarning(warning, { method, path })
  if (response.ok && envelope?.success === true && envelope.data) return envelope.data
  const { status, headers } = response
  const facts = { status, retryAfterSeconds: retryAfter(headers.get('retry-after'), sent.now) }
  const refused = envelope?.error
  if (typeof refused?.code !== 'string' || typeof refused.message !== 'string')
    throw new VezneError('UNREADABLE_ANSWER', unreadable(sent, response), {
      ...facts,
      requestId: headers.get('x-request-id'),
    })
  const { code, message, details, requestId = headers.get('x-request-id') } = refused
  const skew = code === 'TIMESTAMP_EXPIRED' ? clockSkew(sent, envelope?.timestamp) : null
  // A sandbox names the mistake in a signature.
  const { hint } = (details ?? {}) as { hint?: string }
  const words = [message, hint, skew?.words ?? ADVICE[code], requestId && `(requestId ${requestId})`]
    .filter(Boolean)
    .join(' ')
  throw new VezneError(code, `${sent.method} ${sent.path} was refused, ${code}: ${words}`, {
    ...facts,
    requestId,
    details: details ?? skew?.details,
  })
}

function parse(text: string): Envelope | null {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function unreadable({ method, path }: Sent, { url, status, headers }: Response): string {
  const location = headers.get('location')
  const what = `${method} ${path}: ${new URL(url).origin} answered ${status}, and not as Vezne does.`
  return location === null ? `${what} Check baseUrl.` : `${what} It redirects to ${location}: use that as baseUrl.`
}

/** Every response has the server's time. */
function clockSkew({ timestamp }: Sent, serverTime: unknown) {
  if (typeof serverTime !== 'number') return null
  const ahead = timestamp - serverTime
  const words = `This machine's clock is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} the server's: correct it, preferably with NTP.`
  return { words, details: { clockAheadSeconds: ahead } }
}

/** The header has seconds or a date. */
function retryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, Math.ceil(seconds))
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CallbackEvent } from './types.ts'
import { VezneError } from './vezne-error.ts'

// Standard Webhooks: the signed text is `id.timestamp.body`, the key is the base64 after `whsec_`, and the header may list several
// signatures. See docs/callbacks.md.

/** From a fetch `Request`, Node's `IncomingMessage` or a plain object. Names in any case. */
export type CallbackHeaders = Headers | Record<string, string | string[] | undefined>

export type CallbackProblem =
  | 'header_missing'
  | 'body_not_raw'
  | 'body_not_json'
  | 'secret_malformed'
  | 'timestamp_malformed'
  | 'timestamp_old'
  | 'timestamp_future'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'clock_malformed'

type VerifyOptions = { toleranceSeconds?: number; now?: () => Date }

/** Returns the event if signature and timestamp are valid. Otherwise throws a `VezneError` INVALID_CALLBACK: respond with 401. */
export function verifyCallback(
  headers: CallbackHeaders,
  rawBody: string | Uint8Array,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = () => new Date() }: VerifyOptions = {},
): CallbackEvent {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
    throw invalid('body_not_raw', 'The body was already parsed. Pass the raw bytes received.')
  const keys = [secrets].flat().map(keyOf)
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature').split(' ')
  if (!/^\d{1,10}$/.test(timestamp))
    throw invalid('timestamp_malformed', `webhook-timestamp must be whole seconds, not "${timestamp}".`)
  if (!signatures.some((one) => /^v1,[A-Za-z0-9+/]{43}=$/.test(one)))
    throw invalid('signature_malformed', 'webhook-signature must be v1, and 44 characters of base64.')
  const expected = keys.map((key) => signatureOf(key, { id, timestamp, body: rawBody }))
  if (!signatures.some((given) => expected.some((one) => isEqual(given, one))))
    throw invalid('signature_mismatch', 'Wrong secret or changed body. `npx vezne verify` names the mistake.')
  const age = now().getTime() / 1000 - Number(timestamp)
  if (Number.isNaN(age) || !(toleranceSeconds >= 0))
    throw invalid('clock_malformed', '`now` must return a valid Date, and `toleranceSeconds` must be a number.')
  if (Math.abs(age) > toleranceSeconds)
    throw age > 0
      ? invalid(
          'timestamp_old',
          `Signed ${Math.round(age)} s ago: an old callback was replayed, or this machine's clock is ahead.`,
        )
      : invalid('timestamp_future', `Signed ${Math.round(-age)} s in the future: this machine's clock is behind.`)
  return { ...parse(rawBody), eventId: id }
}

type CallbackToSign = {
  body: string | Uint8Array
  secrets: string | readonly string[]
  id?: string
  timestamp?: number
}

/** Headers as the service sends them, to test your receiver. `timestamp` is in seconds. Default now. */
export function signCallbackForTest({ body, secrets, id = 'test', timestamp }: CallbackToSign) {
  const seconds = String(timestamp ?? Math.floor(Date.now() / 1000))
  const signatures = [secrets].flat().map((secret) => signatureOf(keyOf(secret), { id, timestamp: seconds, body }))
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  }
}

type Signed = { id: string; timestamp: string; body: string | Uint8Array }

function signatureOf(key: Uint8Array, { id, timestamp, body }: Signed): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

/** In constant time: the duration must not show how much of a forged signature is right. */
function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Ours have 32. A shorter one is a cut or wrong value, and could be guessed. */
const MIN_KEY_BYTES = 16

function keyOf(secret: string): Uint8Array {
  const [, text = ''] = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(secret) ?? []
  if (Buffer.from(text, 'base64').length < MIN_KEY_BYTES)
    throw invalid(
      'secret_malformed',
      "The secret must be whsec_ and base64, as the endpoint's secret was given to you.",
    )
  return Buffer.from(text, 'base64')
}

function header(headers: CallbackHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof value === 'string' && value !== '') return value
  throw invalid('header_missing', `The header ${name} is ${Array.isArray(value) ? 'repeated' : 'missing'}.`)
}

function parse(body: string | Uint8Array): CallbackEvent {
  let event: unknown
  try {
    event = JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString())
  } catch (cause) {
    throw invalid('body_not_json', 'The signature is valid, but the body is not JSON.', cause)
  }
  if (typeof event !== 'object' || event === null || !('data' in event))
    throw invalid('body_not_json', 'The signature is right, but the body is no event of this service.')
  return event as CallbackEvent
}

function invalid(problem: CallbackProblem, message: string, cause?: unknown): VezneError {
  return new VezneError('INVALID_CALLBACK', message, { details: { problem }, cause })
}

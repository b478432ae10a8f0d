import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../domain/merchants/index.ts'
import { openSecrets } from '../../domain/merchants/index.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { unixSeconds } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { Address, Network } from '../../platform/http/ip.ts'
import { callerAddress, inNetworks } from '../../platform/http/ip.ts'
import { Refusal } from '../../platform/refusal.ts'
import { nothingSavedYet } from '../../platform/postgres/database-faults.ts'
import type { SignedParts } from '../../platform/crypto/signature.ts'
import { signatureMatches, WINDOW_SECONDS } from '../../platform/crypto/signature.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import { announcesBody } from './read-body.ts'
import { teachSignature } from './teach-signature.ts'

/** Which addresses may call an endpoint: any, those on the merchant's list if it has one, or only those on the list. */
export type AddressRule = 'any' | 'listed-if-any' | 'listed'

export type AuthHeaders = {
  caller: Caller
  signature: string
  timestamp: string
  /** Monotonic process time (`performance.now()`). */
  readAt: number
  /** The secret that the signature was made with, once it is verified. */
  secretId?: string
}

/** Merchants of keys in requests that were refused before they were authenticated. */
const callers = new WeakMap<Refusal, string>()

/** Whose key a refused request had. It may have been sent by someone else. */
export function knownCaller(refusal: Refusal): string | null {
  return callers.get(refusal) ?? null
}

type Deps = {
  realClock: Clock
  findCaller: (apiKey: string) => Promise<Caller | null>
  sandbox: boolean
  trustedProxies: Network[]
  db: Queryable
  clock: Clock
  vault: Vault
  publicUrl: () => string
}

/** First half, before the body is read: API key, signature present, timestamp present, timestamp window. */
export async function readAuthHeaders(app: Deps, request: IncomingMessage): Promise<AuthHeaders> {
  const sentKey = readHeader(request, 'x-api-key')
  if ('absent' in sentKey) throw missingKey(app, request)
  const apiKey = once(sentKey, 'X-API-Key', 'INVALID_API_KEY')
  // Check the format first: otherwise made-up keys of any length would be looked up and cached.
  const caller = /^vk_[0-9a-f]{32}$/.test(apiKey)
    ? await app.findCaller(apiKey).catch((error: unknown) => notRun(request, error))
    : null
  if (!caller) throw unknownKey(app, apiKey)
  try {
    return readRest(app, request, caller)
  } catch (error) {
    if (error instanceof Refusal) callers.set(error, caller.merchant.id)
    throw error
  }
}

function readRest(app: Deps, request: IncomingMessage, caller: Caller): AuthHeaders {
  const signature = readHeader(request, 'x-signature')
  if ('absent' in signature) throw new Refusal('MISSING_SIGNATURE', 'The header X-Signature is missing.')
  const sentAt = readHeader(request, 'x-timestamp')
  if ('absent' in sentAt) throw new Refusal('MISSING_TIMESTAMP', 'The header X-Timestamp is missing.')
  const timestamp = once(sentAt, 'X-Timestamp', 'TIMESTAMP_EXPIRED')
  checkTimestamp(timestamp, unixSeconds(app.realClock))
  const readAt = performance.now()
  return { caller, timestamp, signature: once(signature, 'X-Signature', 'INVALID_SIGNATURE'), readAt }
}

/** A look-up must not say so: the merchant would take it as the outcome of what it looks up. */
function notRun({ method }: IncomingMessage, error: unknown): never {
  throw method === 'GET' ? error : nothingSavedYet(error)
}

function missingKey({ sandbox }: Deps, { headers }: IncomingMessage): Refusal {
  const elsewhere = sandbox && headers.authorization !== undefined
  const hint = elsewhere ? ' Authorization is not read: send the API key in X-API-Key.' : ''
  return new Refusal('INVALID_API_KEY', `The header X-API-Key is missing.${hint}`)
}

function unknownKey({ sandbox }: Deps, apiKey: string): Refusal {
  const mistake = sandbox ? keyMistake(apiKey) : null
  return new Refusal('INVALID_API_KEY', mistake ?? 'This API key does not exist or was revoked.')
}

/** Sandbox only: what was sent in place of the API key. */
function keyMistake(sent: string): string | null {
  const key = 'send the API key, which begins with vk_.'
  if (sent.startsWith('vs_')) return `X-API-Key has the API secret; ${key}`
  if (/^[0-9a-f]{24}$/.test(sent)) return `X-API-Key has a merchantId; ${key}`
  return /\svk_/.test(sent) ? 'X-API-Key has a word before the key; send the key alone.' : null
}

/** Second half, over the raw target and the raw body: signature, then the caller's address. */
export function signatureHolds(authHeaders: AuthHeaders, request: IncomingMessage, body: Buffer): boolean {
  const { caller, signature, timestamp } = authHeaders
  const parts = signedParts(timestamp, request, body)
  const used = caller.secrets.find(({ secret }) => signatureMatches(secret, parts, signature))
  if (used) authHeaders.secretId = used.id
  return used !== undefined
}

export function signatureRefusal({ caller }: AuthHeaders): Error {
  // The matching secret may be one that cannot be decrypted; "wrong signature" would then mislead the merchant.
  return caller.unopened ?? new Refusal('INVALID_SIGNATURE', 'The signature does not match.')
}

/** Explains why a signature is invalid: to the caller in a sandbox only, in its console to the merchant. */
export async function explainSignature(
  app: Deps,
  { caller, signature, timestamp }: AuthHeaders,
  request: IncomingMessage,
  body: Buffer,
): Promise<Refusal> {
  const { host = '' } = request.headers
  const callbackSecrets = [...(await openSecrets(app, caller.merchant.id)).values()].flatMap(({ secrets }) => secrets)
  const origins = [`http://${host}`, `https://${host}`, host, app.publicUrl()]
  const parts = signedParts(timestamp, request, body)
  return teachSignature({ caller, callbackSecrets, origins, parts, signature, sendsBody: announcesBody(request) })
}

function signedParts(timestamp: string, { method = '', url = '' }: IncomingMessage, body: Buffer): SignedParts {
  return { timestamp, method, target: url, body }
}

export function checkAddress(
  { trustedProxies, sandbox }: Deps,
  { caller }: AuthHeaders,
  rule: AddressRule,
  request: IncomingMessage,
): void {
  const { allowedNetworks } = caller.merchant
  if (rule === 'any' || (rule === 'listed-if-any' && allowedNetworks.length === 0)) return
  const address = addressOf(trustedProxies, request)
  if (address && inNetworks(address, allowedNetworks)) return
  const { id, demo } = caller.merchant
  const command = `npx vezne merchant allow-ip ${demo ? 'demo' : id} ${String(address)}`
  const remedy =
    sandbox && address ? `Register it with: ${command}` : 'Ask the operator of this service to register it.'
  throw new Refusal(
    'IP_NOT_WHITELISTED',
    `The address ${address?.toString() ?? 'of this request'} is not registered for this account. ${remedy}`,
  )
}

/** The caller's address, as far as the proxies in between are trusted. */
export function addressOf(trustedProxies: readonly Network[], request: IncomingMessage): Address | null {
  const forwarded = request.headers['x-forwarded-for']?.toString()
  return callerAddress(request.socket.remoteAddress, forwarded, trustedProxies)
}

type Header = { absent: true } | { repeated: true } | { value: string }

/** Node joins repeated headers with a comma, which none of ours may contain; only `headersDistinct` shows whether a header was repeated. */
function readHeader(request: IncomingMessage, name: string): Header {
  const joined = request.headers[name]
  if (joined === undefined || joined === '') return { absent: true }
  if (typeof joined === 'string' && !joined.includes(',')) return { value: joined }
  const [value, ...more] = request.headersDistinct[name] ?? []
  if (value === undefined || value === '') return { absent: true }
  return more.length > 0 ? { repeated: true } : { value }
}

function once(
  header: Header,
  name: string,
  code: 'INVALID_API_KEY' | 'TIMESTAMP_EXPIRED' | 'INVALID_SIGNATURE',
): string {
  if ('value' in header) return header.value
  throw new Refusal(code, `The header ${name} ${'absent' in header ? 'is missing' : 'was sent more than once'}.`)
}

function checkTimestamp(timestamp: string, now: number): void {
  if (!/^\d{10}$/.test(timestamp)) throw new Refusal('TIMESTAMP_EXPIRED', timestampProblem(timestamp))
  const off = Number(timestamp) - now
  if (Math.abs(off) <= WINDOW_SECONDS) return
  throw new Refusal(
    'TIMESTAMP_EXPIRED',
    `X-Timestamp is ${Math.abs(off)} s ${off < 0 ? 'behind' : 'ahead of'} the server's ${now}; ${WINDOW_SECONDS} s are allowed. Check the clock.`,
  )
}

function timestampProblem(timestamp: string): string {
  if (/^\d{13}$/.test(timestamp)) return 'X-Timestamp is in milliseconds; send whole seconds (ten digits).'
  if (/^\d{10}\.\d+$/.test(timestamp)) return 'X-Timestamp has a fraction; send whole seconds (ten digits).'
  if (/^\d{4}-\d{2}/.test(timestamp)) return 'X-Timestamp is a date; send Unix time in seconds (ten digits).'
  return 'X-Timestamp is not Unix time in seconds (ten digits).'
}

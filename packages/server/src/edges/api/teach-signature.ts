import { createHash } from 'node:crypto'
import type { Caller } from '../../domain/merchants/index.ts'
import { ascii, dotNet, gson, htmlSafe, slashed, spaced, withSortedKeys } from '../../platform/json/json-writers.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { SignedParts } from '../../platform/crypto/signature.ts'
import { sign, signatureMatches } from '../../platform/crypto/signature.ts'
import { parseStrictJson } from '../../platform/json/strict-json.ts'
import { joiningMistake } from './mistaken-strings.ts'

/** What a wrong signature is compared with. `origins` are the forms in which a client may have written our address. */
export type Attempt = {
  caller: Caller
  callbackSecrets: string[]
  origins: string[]
  parts: SignedParts
  signature: string
  /** Whether a body was sent; the body of a GET is not read. */
  sendsBody: boolean
}

/** The body is serialised and signed in a hundred ways: 10 ms for this size, 75 ms for the largest body. */
const MAX_COMPARED = 8 * 1024

const GENERAL_HINT = 'The signed string or the secret differs. Compare signedString with yours, then check the secret.'

/** Sandbox only: shows the string that should have been signed, and names the mistake if it is a common one. */
export function teachSignature(attempt: Attempt): Refusal {
  const { parts } = attempt
  const hint = (parts.body.length <= MAX_COMPARED && mistakeIn(attempt)) || GENERAL_HINT
  return new Refusal('INVALID_SIGNATURE', 'The signature does not match. See details.hint.', {
    details: {
      hint,
      signedString: parts.timestamp + parts.method + parts.target + parts.body.toString(),
      algorithm: 'lower-case hex of HMAC-SHA256(API secret, signedString)',
    },
  })
}

function mistakeIn({ caller, callbackSecrets, origins, parts, signature, sendsBody }: Attempt): string | null {
  if (parts.method === 'GET' && sendsBody) return 'A GET request carries no body: send none, and sign an empty one.'
  for (const { secret } of caller.secrets) {
    const mistake =
      shapeMistake(secret, parts, signature) ??
      stringMistake(secret, parts, origins, signature) ??
      keyMistake(caller.apiKey, secret, parts, signature) ??
      // Last: it tries the most.
      joiningMistake(secret, parts, signature)
    if (mistake) return mistake
  }
  return callbackSecretMistake(callbackSecrets, parts, signature)
}

function shapeMistake(secret: string, parts: SignedParts, signature: string): string | null {
  if (/^[0-9a-f]{64}$/.test(signature)) return null
  const expected = sign(secret, parts)
  if (signature.toLowerCase() === expected) return 'The signature is right but in upper case; send lower-case hex.'
  const digest = Buffer.from(expected, 'hex')
  if ([digest.toString('base64'), digest.toString('base64url')].includes(signature)) {
    return 'The signature is right but in base64; send lower-case hex.'
  }
  if (signature === `sha256=${expected}`)
    return 'The signature is right but has the prefix "sha256="; send the hex alone.'
  const other = /^[0-9a-f]+$/i.test(signature) && OTHER_HASHES[signature.length]
  if (other) return `This has the length of ${other}; make an HMAC-SHA256: 64 lower-case hex characters.`
  return 'X-Signature must be exactly 64 lower-case hex characters.'
}

/** By the number of hex characters. */
const OTHER_HASHES: Record<number, string> = { 32: 'an MD5', 40: 'a SHA-1', 96: 'a SHA-384', 128: 'a SHA-512' }

/** The query as clients write it that decode, encode or sort it before they sign. */
function otherQueries(target: string): string[] {
  const [path = '', query] = target.split(/\?(.*)/s)
  if (query === undefined) return []
  const parameters = new URLSearchParams(query)
  const encoded = parameters.toString()
  parameters.sort()
  const decoded = encoded.split('&').map((pair) => decodeURIComponent(pair.replaceAll('+', ' ')))
  return [encoded, encoded.replaceAll('+', '%20'), String(parameters), decoded.join('&')].map((one) => `${path}?${one}`)
}

/** Other strings that clients sign by mistake, each with an explanation. */
function stringMistake(secret: string, parts: SignedParts, origins: string[], signature: string): string | null {
  const { timestamp, method, target } = parts
  const body = parts.body.toString()
  const path = target.split('?')[0] ?? ''
  const candidates: [mistake: string, parts: SignedParts][] = [
    ...otherSerialisations(body).map(([text, writer]): [string, SignedParts] => [
      `The body was signed in another form than it was sent (re-serialised JSON${writer && `, as ${writer} writes it`}). Sign the very bytes you send.`,
      { ...parts, body: text },
    ]),
    ['The body was left out of the signed string.', { ...parts, body: '' }],
    ['The query string was left out; sign the path with its query.', { ...parts, target: path }],
    ...otherQueries(target).map((other): [string, SignedParts] => [
      'The query was signed in another form than it was sent (decoded, encoded otherwise or in another order). Sign it exactly as sent.',
      { ...parts, target: other },
    ]),
    ...['{}', 'null', 'undefined'].map((text): [string, SignedParts] => [
      `"${text}" was signed as the body of a request that has none; sign an empty body.`,
      { ...parts, body: text },
    ]),
    ["A line break was signed at the end (echo adds one; use printf '%s').", { ...parts, body: `${body}\n` }],
    ['The timestamp was left out of the signed string.', { ...parts, timestamp: '' }],
    ['The method was signed in lower case; sign it in upper case.', { ...parts, method: method.toLowerCase() }],
    ...origins.map((origin): [string, SignedParts] => [
      'The full address was signed; sign the path with its query alone, from /v1 on.',
      { ...parts, target: origin + target },
    ]),
    ['The /v1 prefix was left out of the signed path.', { ...parts, target: target.replace(/^\/v1/, '') }],
    ...['\n', '.', '|', ':'].map((separator): [string, SignedParts] => [
      `The parts were joined with ${JSON.stringify(separator)}; join them with nothing in between.`,
      { timestamp, method: separator + method + separator, target, body: body === '' ? body : separator + body },
    ]),
  ]
  return candidates.find(([, other]) => signatureMatches(secret, other, signature))?.[0] ?? null
}

/** The body as other serialisers write it, each with the serialiser's name if it has one. */
function otherSerialisations(body: string): [text: string, writer: string][] {
  let value: unknown
  try {
    // Strict parsing: input that is nested too deeply would crash the serialisers below.
    value = parseStrictJson(Buffer.from(body))
  } catch {
    return []
  }
  const written = [value, withSortedKeys(value)].flatMap((one): [string, string][] => {
    const compact = JSON.stringify(one)
    return [
      [compact, ''],
      [spaced(one), "Python's json.dumps"],
      [ascii(spaced(one)), "Python's json.dumps"],
      [slashed(compact), "PHP's json_encode"],
      [slashed(ascii(compact)), "PHP's json_encode"],
      [ascii(compact), ''],
      [htmlSafe(compact), "Go's json.Marshal"],
      [gson(compact), "Java's Gson"],
      [dotNet(compact), ".NET's System.Text.Json"],
      [JSON.stringify(one, null, 2), ''],
      [JSON.stringify(one, null, 4), ''],
    ]
  })
  return [...written, [body.trim(), '']]
}

function keyMistake(apiKey: string, secret: string, parts: SignedParts, signature: string): string | null {
  if (signatureMatches(apiKey, parts, signature)) return 'It was signed with the API key; sign with the API secret.'
  const bare = secret.replace(/^vs_/, '')
  if (signatureMatches(bare, parts, signature)) return 'The secret was used without its prefix "vs_"; use it whole.'
  if (sign(Buffer.from(bare, 'hex'), parts) === signature)
    return 'The secret was decoded from hex; use it as the text it is.'
  if (['\n', '\r\n'].some((end) => signatureMatches(secret + end, parts, signature)))
    return 'There was a line break at the end of the secret, as when it is read from a file; trim it.'
  return plainHashes(secret, parts).includes(signature)
    ? 'It is a plain SHA-256; make an HMAC-SHA256, keyed with the API secret.'
    : null
}

function plainHashes(secret: string, { timestamp, method, target, body }: SignedParts): string[] {
  const text = timestamp + method + target + String(body)
  return [text, secret + text, text + secret].map((one) => createHash('sha256').update(one).digest('hex'))
}

/** The callback secret used as text, or as the bytes that a webhook library decodes from it. */
function callbackSecretMistake(secrets: string[], parts: SignedParts, signature: string): string | null {
  const used = secrets.some((secret) => {
    const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return signatureMatches(secret, parts, signature) || sign(bytes, parts) === signature
  })
  return used
    ? 'It was signed with the callback secret (whsec_…), which is for callbacks that you receive; sign requests with the API secret (vs_…).'
    : null
}

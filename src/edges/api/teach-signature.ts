import type { Caller } from '../../domain/merchants/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { SignedParts } from '../../platform/signature.ts'
import { sign, signatureMatches } from '../../platform/signature.ts'

/** Sandbox only: says which string was expected to be signed, and names the mistake when it is one of the usual ones. */
export function teachSignature({ secrets, apiKey }: Caller, parts: SignedParts, signature: string): Refusal {
  const mistakes = secrets.flatMap(
    ({ secret }) =>
      shapeMistake(secret, parts, signature) ??
      stringMistake(secret, parts, signature) ??
      keyMistake(apiKey, secret, parts, signature) ??
      [],
  )
  const hint =
    mistakes[0] ??
    'The signed string or the secret differs. Compare signedString below with yours, then check the secret.'
  return new Refusal('INVALID_SIGNATURE', `The signature does not match. ${hint}`, {
    details: {
      hint,
      signedString: parts.timestamp + parts.method + parts.target + parts.body.toString(),
      algorithm: 'lower-case hex of HMAC-SHA256(API secret, signedString)',
    },
  })
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
  return 'X-Signature must be exactly 64 lower-case hex characters.'
}

/** Other strings that people sign, each with what went wrong. */
function stringMistake(secret: string, parts: SignedParts, signature: string): string | null {
  const { timestamp, method, target } = parts
  const body = parts.body.toString()
  const path = target.split('?')[0] ?? ''
  const reserialised = otherSerialisations(body)
  const candidates: [mistake: string, parts: SignedParts][] = [
    ...reserialised.map((text): [string, SignedParts] => [
      'The body was signed in another form than it was sent (re-serialised JSON). Sign the very bytes you send.',
      { ...parts, body: text },
    ]),
    ['The body was left out of the signed string.', { ...parts, body: '' }],
    ['The query string was left out; sign the path with its query.', { ...parts, target: path }],
    ['"{}" was signed as the body of a request that has none; sign an empty body.', { ...parts, body: '{}' }],
    ['"null" was signed as the body of a request that has none; sign an empty body.', { ...parts, body: 'null' }],
    ['The method was signed in lower case; sign it in upper case.', { ...parts, method: method.toLowerCase() }],
    ['The /v1 prefix was left out of the signed path.', { ...parts, target: target.replace(/^\/v1/, '') }],
    ['The timestamp was signed in milliseconds but sent in seconds.', { ...parts, timestamp: `${timestamp}000` }],
    ...['\n', '.', '|', ':'].map((separator): [string, SignedParts] => [
      `The parts were joined with ${JSON.stringify(separator)}; join them with nothing in between.`,
      { timestamp, method: separator + method + separator, target, body: body === '' ? body : separator + body },
    ]),
  ]
  return candidates.find(([, other]) => signatureMatches(secret, other, signature))?.[0] ?? null
}

function otherSerialisations(body: string): string[] {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return []
  }
  const compact = JSON.stringify(value)
  const spaced = JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/([{[]) | ([}\]])/g, '$1$2')
  const sorted = JSON.stringify(value, sortKeys)
  const slashes = compact.replaceAll('/', '\\/')
  const ascii = compact.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [
    compact,
    spaced,
    sorted,
    slashes,
    ascii,
    JSON.stringify(value, null, 2),
    JSON.stringify(value, null, 4),
    `${body}\n`,
    body.trim(),
  ]
}

function sortKeys(_key: string, part: unknown): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
  return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function keyMistake(apiKey: string, secret: string, parts: SignedParts, signature: string): string | null {
  if (signatureMatches(apiKey, parts, signature)) return 'It was signed with the API key; sign with the API secret.'
  const bare = secret.replace(/^vs_/, '')
  if (signatureMatches(bare, parts, signature)) return 'The secret was used without its prefix "vs_"; use it whole.'
  if (sign(Buffer.from(bare, 'hex'), parts) === signature)
    return 'The secret was decoded from hex; use it as the text it is.'
  return null
}

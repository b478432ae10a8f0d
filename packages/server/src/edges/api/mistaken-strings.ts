import type { SignedParts } from '../../platform/crypto/signature.ts'
import { sign } from '../../platform/crypto/signature.ts'
import { parseStrictJson } from '../../platform/json/strict-json.ts'

type Signed = { name: string; text: string }

/** One HMAC for each of the 1000 milliseconds of a second: about 30 ms for a body of this size. */
const MAX_FOR_MILLISECONDS = 1024
const ORDER = 'timestamp, method, path, body'

/** Mistakes in which parts were joined, how, and with which key; at most 1,050 HMACs. */
export function joiningMistake(secret: string, parts: SignedParts, signature: string): string | null {
  const { timestamp, method, target } = parts
  const body = parts.body.toString()
  const isSigned = (text: string) => sign(secret, wholeText(text)) === signature
  const isSignedWith = (key: string, text: string) => sign(Buffer.from(key), wholeText(text)) === signature
  const right = timestamp + method + target + body
  const [path = '', ...query] = target.split(/(?=\?)/)
  const candidates: [mistake: string, text: string][] = [
    ['The path was left out of the signed string.', timestamp + method + body],
    ['The method was left out of the signed string.', timestamp + target + body],
    [`Only the body was signed; sign ${ORDER}, with nothing in between.`, body],
    [`Only timestamp and body were signed; sign ${ORDER}, with nothing in between.`, `${timestamp}.${body}`],
    [`Only timestamp and body were signed; sign ${ORDER}, with nothing in between.`, timestamp + body],
    [
      'The path was signed with a slash at its end; sign it as it is sent.',
      `${timestamp}${method}${path}/${query.join('')}${body}`,
    ],
    [
      'The path was signed without its first slash; sign it as it is sent.',
      timestamp + method + target.slice(1) + body,
    ],
    ...[-2, -1, 1, 2].map((off): [string, string] => [
      'Another timestamp was signed than was sent; read the clock once for both.',
      String(Number(timestamp) + off) + method + target + body,
    ]),
  ]
  const known = candidates.find(([, text]) => text !== right && isSigned(text))
  if (known) return known[0]
  const order = otherOrders(parts).find(({ text }) => text !== right && isSigned(text))
  if (order) return `The parts were signed in the order ${order.name}; the order is ${ORDER}.`
  if (isSignedWith(right, secret)) return 'Key and message of the HMAC were swapped; the key is the API secret.'
  if ([`"${secret}"`, `'${secret}'`].some((quoted) => isSignedWith(quoted, right)))
    return 'The secret was used with the quotes around it; remove them.'
  if (withoutLineBreaks(body).some((text) => isSigned(timestamp + method + target + text)))
    return 'The body was signed with line breaks and sent without them, as curl -d @file does; use --data-binary @file.'
  return isSignedInMilliseconds(isSigned, parts)
    ? 'The timestamp was signed in milliseconds but sent in seconds.'
    : null
}

const wholeText = (body: string): SignedParts => ({ timestamp: '', method: '', target: '', body })

function otherOrders({ timestamp, method, target, body }: SignedParts): Signed[] {
  const parts = { timestamp, method, path: target, body: body.toString() }
  const permutations = (names: string[]): string[][] =>
    names.length < 2
      ? [names]
      : names.flatMap((first) => permutations(names.filter((name) => name !== first)).map((rest) => [first, ...rest]))
  return permutations(Object.keys(parts)).map((names) => ({
    name: names.join(', '),
    text: names.map((name) => parts[name as keyof typeof parts]).join(''),
  }))
}

/** The files that this body was, if its line breaks were removed. */
function withoutLineBreaks(body: string): string[] {
  if (!/\s/.test(body) || body.includes('\n')) return []
  try {
    const value = parseStrictJson(Buffer.from(body))
    const written = [2, 4, '\t'].map((indent) => JSON.stringify(value, null, indent))
    return written.flatMap((text) => (text.replaceAll('\n', '') === body ? [text, `${text}\n`] : []))
  } catch {
    return []
  }
}

function isSignedInMilliseconds(isSigned: (text: string) => boolean, parts: SignedParts): boolean {
  const { timestamp, method, target, body } = parts
  if (body.length > MAX_FOR_MILLISECONDS) return false
  const rest = method + target + body.toString()
  for (let millisecond = 0; millisecond < 1000; millisecond++)
    if (isSigned(timestamp + String(millisecond).padStart(3, '0') + rest)) return true
  return false
}

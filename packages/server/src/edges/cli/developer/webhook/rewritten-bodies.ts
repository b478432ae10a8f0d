import { isUtf8 } from 'node:buffer'
import {
  ascii,
  dotNet,
  gson,
  htmlSafe,
  isObject,
  slashed,
  spaced,
  withSortedKeys,
} from '../../../../platform/json/json-writers.ts'

// When verification fails, the body has usually been parsed and serialised again on the way. A signature does not reveal the body it was
// made for, so all common variants are tried.

/** Keys in the order in which a body has them; a test checks it against the views of deposits and withdrawals. */
type Order = { [key: string]: Order }

const DEPOSIT: Order = {
  transactionId: {},
  type: {},
  processId: {},
  amount: {},
  currency: {},
  status: {},
  receivedAmount: {},
  fee: {},
  netAmount: {},
  refundedAmount: {},
  takenBackAmount: {},
  flags: {},
  reason: {},
  bankCode: {},
  assignedAccount: { bankName: {}, accountName: {}, iban: {} },
  customer: { id: {}, name: {}, username: {} },
  metadata: {},
  expiresAt: {},
  createdAt: {},
  updatedAt: {},
  sequence: {},
}

const WITHDRAWAL: Order = {
  transactionId: {},
  type: {},
  processId: {},
  amount: {},
  fee: {},
  currency: {},
  status: {},
  failureReason: {},
  failureText: { tr: {}, en: {} },
  scheduledFor: {},
  bankReference: {},
  returned: {},
  refundOf: {},
  refundReason: {},
  settlement: {},
  bankId: {},
  iban: {},
  accountName: {},
  userId: {},
  userName: {},
  name: {},
  metadata: {},
  createdAt: {},
  updatedAt: {},
  sequence: {},
}

/** Bodies that may have been signed instead of this one: its original form, or a rewritten form of it. */
export function rewrittenBodies(bytes: Buffer): string[] {
  const text = bytes.toString()
  const texts = new Set([text, ...decodings(bytes), ...unwrapped(text)])
  const bodies = [...texts].flatMap((one) => [one, one.trim(), ...serialisations(one)])
  const all = new Set(bodies.flatMap((one) => [one, `${one}\n`]))
  all.delete(text)
  return [...all]
}

/** The body as Vezne writes it: no spaces, no unnecessary escapes, keys in their order. Null if it is not a JSON object. */
export function asSent(text: string): string | null {
  const value = parsed(text.trim())
  return isObject(value) ? JSON.stringify(inOrder(value, orderOf(value))) : null
}

/** The bytes decoded with other encodings, and wrongly decoded text restored. The label windows-1254 also covers ISO-8859-9. */
function decodings(bytes: Buffer): string[] {
  const text = bytes.toString()
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return [new TextDecoder('utf-16le').decode(bytes)]
  const turkish = new TextDecoder('windows-1254')
  if (!isUtf8(bytes)) return [turkish.decode(bytes)]
  const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [turkish.decode(Uint8Array.of(byte)), byte]))
  const misread = Buffer.from(Array.from(text, (character) => byteOf.get(character) ?? character.charCodeAt(0)))
  return [misread, Buffer.from(text, 'latin1')]
    .filter((one) => isUtf8(one))
    .map(String)
    .concat(text.normalize('NFC'))
}

/** A body wrapped in something: a JSON string, base64, or the `body` of a saved request. */
function unwrapped(text: string): string[] {
  const value = parsed(text)
  const inner = isObject(value) ? value['body'] : value
  const fromBase64 = /^[\w+/=\s-]{40,}$/.test(text) ? [Buffer.from(text, 'base64').toString()] : []
  return [...(typeof inner === 'string' ? [inner] : []), ...fromBase64]
}

function serialisations(text: string): string[] {
  const value = parsed(text.trim())
  if (!isObject(value)) return []
  const orders = [value, inOrder(value, orderOf(value)), withSortedKeys(value)]
  const spacings = orders.flatMap((one) => [
    JSON.stringify(one),
    spaced(one),
    JSON.stringify(one, null, 2),
    JSON.stringify(one, null, 4),
  ])
  return spacings.flatMap((one) => [
    one,
    ascii(one),
    slashed(one),
    slashed(ascii(one)),
    htmlSafe(one),
    gson(one),
    dotNet(one),
  ])
}

function orderOf(body: Record<string, unknown>): Order {
  const kind = isObject(body['data']) ? body['data']['type'] : undefined
  return { type: {}, timestamp: {}, data: kind === 'withdrawal' ? WITHDRAWAL : DEPOSIT }
}

function inOrder(value: unknown, order: Order): unknown {
  if (!isObject(value)) return value
  const known = Object.keys(order).filter((key) => key in value)
  const others = Object.keys(value).filter((key) => !(key in order))
  return Object.fromEntries([...known, ...others].map((key) => [key, inOrder(value[key], order[key] ?? {})]))
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

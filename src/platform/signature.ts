import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { workOutOnce } from './work-out-once.ts'

/** What a merchant signs: timestamp, method, raw request target and raw body, with nothing in between. */
export type SignedParts = { timestamp: string; method: string; target: string; body: Buffer | string }

export const SIGNATURE_SHAPE = /^[0-9a-f]{64}$/

export function sign(secret: string | Buffer, parts: SignedParts): string {
  return hmac(secret, parts).toString('hex')
}

/** Shape first: Buffer.from stops quietly at the first bad character, and timingSafeEqual throws on unequal lengths. */
export function signatureMatches(secret: string, parts: SignedParts, signature: string): boolean {
  if (!SIGNATURE_SHAPE.test(signature)) return false
  return timingSafeEqual(hmac(secret, parts), Buffer.from(signature, 'hex'))
}

/** Kept: making a key out of text costs more than signing with it. Both are in memory anyway, in the list of callers. */
const keyOf = workOutOnce((secret) => createSecretKey(secret, 'utf8'))

function hmac(secret: string | Buffer, { timestamp, method, target, body }: SignedParts): Buffer {
  return createHmac('sha256', typeof secret === 'string' ? keyOf(secret) : secret)
    .update(timestamp + method + target)
    .update(body)
    .digest()
}

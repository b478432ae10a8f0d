import { timingSafeEqual } from 'node:crypto'
import { hmacSha256 } from './hmac.ts'
import { memoize } from '../concurrency/memoize.ts'

/** What a merchant signs: timestamp, method, raw request target and raw body, with nothing in between. */
export type SignedParts = { timestamp: string; method: string; target: string; body: Buffer | string }

/** The contract's five minutes, to either side, the last second included. */
export const WINDOW_SECONDS = 300

export function sign(secret: string | Buffer, { timestamp, method, target, body }: SignedParts): string {
  const mac = typeof secret === 'string' ? macOf(secret) : hmacSha256(secret)
  return mac([timestamp + method + target, body], 'hex')
}

/** Lengths first: timingSafeEqual throws when they differ. */
export function signatureMatches(secret: string, parts: SignedParts, signature: string): boolean {
  const [expected, given] = [Buffer.from(sign(secret, parts)), Buffer.from(signature)]
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** Kept: preparing a key costs more than signing with it. Both are in memory anyway, in the list of callers. */
const macOf = memoize((secret) => hmacSha256(Buffer.from(secret)))

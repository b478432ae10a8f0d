import { timingSafeEqual } from 'node:crypto'
import { hmacSha256 } from './hmac.ts'
import { memoize } from '../concurrency/memoize.ts'

/** The signed text: timestamp, method, raw request target and raw body, without separators. */
export type SignedParts = { timestamp: string; method: string; target: string; body: Buffer | string }

/** The five minutes of the contract in both directions, last second included. */
export const WINDOW_SECONDS = 300

export function sign(secret: string | Buffer, { timestamp, method, target, body }: SignedParts): string {
  const mac = typeof secret === 'string' ? macOf(secret) : hmacSha256(secret)
  return mac([timestamp + method + target, body], 'hex')
}

/** Compares lengths first: timingSafeEqual throws if they differ. */
export function signatureMatches(secret: string, parts: SignedParts, signature: string): boolean {
  const [expected, given] = [Buffer.from(sign(secret, parts)), Buffer.from(signature)]
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** Cached: preparing a key costs more than signing with it. Secrets are in memory anyway, in the cache of callers. */
const macOf = memoize((secret) => hmacSha256(Buffer.from(secret)))

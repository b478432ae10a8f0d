import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Random } from './random.ts'

/** 256 bits for a URL, a cookie or a file. Only its digest is stored. */
export function newToken({ random }: { random: Random }): string {
  return random.bytes(32).toString('base64url')
}

export function digestOf(token: string): string {
  return hash('sha256', token, 'hex')
}

/** A second secret derived from a first one, which cannot be derived back. */
export function macOf(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}

/** In constant time for equal lengths. */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

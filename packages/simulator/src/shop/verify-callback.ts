import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const TOLERANCE_SECONDS = 300

export type SignedCallback = { headers: IncomingHttpHeaders; body: Buffer; secret: string; now: Date }

/** Standard Webhooks: the problem with the signature, or null. The body is the raw bytes. */
export function callbackProblem({ headers, body, secret, now }: SignedCallback): string | null {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const signatures = headers['webhook-signature']
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return 'not_signed'
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp))
  if (!/^\d{1,12}$/.test(timestamp) || age > TOLERANCE_SECONDS) return 'timestamp_out_of_tolerance'
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  // Several during a rotation: one match is enough.
  return signatures.split(' ').some((signature) => matches(signature, expected)) ? null : 'signature_mismatch'
}

function matches(signature: string, expected: Buffer): boolean {
  if (!signature.startsWith('v1,')) return false
  const given = Buffer.from(signature.slice(3), 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

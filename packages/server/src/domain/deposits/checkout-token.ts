import { timingSafeEqual } from 'node:crypto'
import type { CheckoutKeys } from './checkout-keys/checkout-keys.ts'

/**
 * The secret in a checkout address: the deposit id and 256 bits that only this deployment can compute. It is not stored,
 * so it cannot leak from the database, and the address can be shown again to a merchant who missed the response.
 */
const ID_BYTES = 12
const MAC_BYTES = 32
const SHAPE = /^[A-Za-z0-9_-]{75}$/

type Key = { merchantId: string; id: string }

export function checkoutToken(keys: CheckoutKeys, { merchantId, id }: Key): string {
  const subject = merchantId + id
  return Buffer.from(subject + keys.derive(subject), 'hex').toString('base64url')
}

/** `base`: the public address of this service. */
export function checkoutUrl(base: string, keys: CheckoutKeys, deposit: Key): string {
  return `${base}/checkout?token=${checkoutToken(keys, deposit)}`
}

/** Returns the deposit that a token opens, or null. */
export function readCheckoutToken(keys: CheckoutKeys, token: string): Key | null {
  const bytes = SHAPE.test(token) ? Buffer.from(token, 'base64url') : Buffer.alloc(0)
  if (bytes.length !== 2 * ID_BYTES + MAC_BYTES) return null
  const merchantId = bytes.subarray(0, ID_BYTES).toString('hex')
  const id = bytes.subarray(ID_BYTES, 2 * ID_BYTES).toString('hex')
  // 75 characters hold two bits more than the bytes need: only the canonical encoding is valid.
  const canonical = bytes.toString('base64url') === token
  const expected = Buffer.from(keys.derive(merchantId + id), 'hex')
  const isRight = timingSafeEqual(expected, bytes.subarray(2 * ID_BYTES))
  return isRight && canonical ? { merchantId, id } : null
}

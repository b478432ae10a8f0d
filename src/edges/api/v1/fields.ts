import { Type } from 'typebox'
import { ID_PATTERN } from '../../../platform/ids.ts'
import { invalidField } from '../../../platform/refusal.ts'

/** Text that people typed: not blank, no control characters, and never longer than the documented maximum. */
export function text(maxLength: number, minLength = 1) {
  return Type.String({ minLength, maxLength, pattern: '^(?=\\s*\\S)[^\\p{Cc}]*$' })
}

/** The contract's fifty characters; the merchant's own identifier and, for ever, its idempotency key. */
export const processId = text(50)

export const amount = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
export const currency = Type.String({ pattern: '^[A-Z]{3}$' })
/** A bank's _id, or FAST. Whether it exists is the directory's to say. */
export const bankId = Type.String({ minLength: 1, maxLength: 24 })
export const transactionId = Type.Object({ transactionId: Type.String({ pattern: ID_PATTERN }) })

export function enabledCurrency(currencies: string[], wanted: string | undefined): string {
  const chosen = wanted ?? currencies[0] ?? 'TRY'
  if (!currencies.includes(chosen)) throw invalidField('currency', `must be one of ${currencies.join(', ')}`)
  return chosen
}

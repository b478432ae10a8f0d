import { Type } from 'typebox'
import type { BankDirectory } from '../../../domain/banks/index.ts'
import { ID_PATTERN } from '../../../platform/crypto/ids.ts'
import { invalidField } from '../../../platform/refusal.ts'
import { quoted } from '../field-problems.ts'

/** Text that people typed: not blank, no control characters, nothing that turns the text around it, and never longer than documented. */
export function text(maxLength: number, minLength = 1) {
  const description = 'must not be blank and must not contain control or direction characters'
  return Type.String({
    minLength,
    maxLength,
    pattern: '^(?=\\s*\\S)[^\\p{Cc}\\u202a-\\u202e\\u2066-\\u2069]*$',
    description,
  })
}

/** The contract's fifty characters; the merchant's own identifier and, for ever, its idempotency key. */
export const processId = text(50)

export const amount = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
export const currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'must be three capital letters such as TRY',
})
/** A bank's _id or four-digit code, or FAST. Whether it exists is the directory's to say. */
export const bankId = Type.String({ minLength: 1, maxLength: 24 })
export const id = Type.String({ pattern: ID_PATTERN, description: 'must be 24 lower-case hex characters' })
export const transactionId = Type.Object({
  transactionId: Type.String({
    pattern: ID_PATTERN,
    description: 'must be 24 lower-case hex characters (for a processId use GET /v1/transactions?processId=…)',
  }),
})
export const eventId = Type.Object({ eventId: id })

/** Room for a merchant's own references; larger things belong in the merchant's own database. */
const MAX_METADATA_BYTES = 4096
export const metadata = Type.Object({})

export function checkMetadata(given: object | undefined): object | null {
  if (given === undefined) return null
  const bytes = Buffer.byteLength(JSON.stringify(given))
  if (bytes > MAX_METADATA_BYTES)
    throw invalidField('metadata', `has ${bytes} bytes as JSON; at most ${MAX_METADATA_BYTES} are allowed`)
  return given
}

/** The `_id` of a bank that was named by its `_id` or by its four-digit code. What is neither is left as it is. */
export async function toBankId(banks: BankDirectory, given: string | undefined): Promise<string | null> {
  if (given === undefined) return null
  const byCode = /^\d{4}$/.test(given) ? await banks.bankByCode(given) : undefined
  return byCode?.id ?? given
}

export function enabledCurrency(currencies: string[], wanted: string | undefined): string {
  const chosen = wanted ?? currencies[0] ?? 'TRY'
  if (!currencies.includes(chosen))
    throw invalidField('currency', `must be one of ${currencies.join(', ')}, not ${quoted(chosen)}`)
  return chosen
}

/** ISO 8601 with its zone: a local time would mean something else on every machine. */
export function instant(field: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  const date = new Date(text)
  if (
    !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text) ||
    Number.isNaN(date.getTime())
  ) {
    // In a query a + means a space, so a zone such as +03:00 arrives as " 03:00".
    const [, time, zone] = /^(\S+) (\d{2}:\d{2})$/.exec(text) ?? []
    throw invalidField(
      field,
      zone === undefined
        ? `must be a time with its zone, such as 2026-11-15T09:00:00Z, not ${quoted(text)}`
        : `has a space where its + should be; in a query a + must be written as %2B: ${time}%2B${zone}`,
    )
  }
  return date
}

const DEFAULT_LIMIT = 20

/** How many a page holds; a text, because it comes in a query. */
export const limit = Type.String({
  pattern: '^([1-9][0-9]?|100)$',
  description: 'must be a whole number from 1 to 100',
})

export function pageSize(given: string | undefined): number {
  return Number(given ?? DEFAULT_LIMIT)
}

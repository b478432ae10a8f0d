import type { TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import { LIMITS } from './limits.ts'

/** Responses are closed: a field that is not in the contract fails the tests. Requests are open, and unknown fields are ignored. */
export function closed<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false })
}

/** Text that people typed: not blank, no control characters, nothing that turns the text around it. */
export function text(maxLength: number, minLength = 1) {
  const description = 'must not be blank and must not contain control or direction characters'
  return Type.String({
    minLength,
    maxLength,
    pattern: '^(?=\\s*\\S)[^\\p{Cc}\\u202a-\\u202e\\u2066-\\u2069]*$',
    description,
  })
}

/** The merchant's own identifier and, for ever, its idempotency key. */
export const processId = text(LIMITS.processId)
export const amount = Type.Integer({ minimum: 1, maximum: LIMITS.amount })
export const currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'must be three capital letters such as TRY',
})
/** A bank's _id or four-digit code, or FAST. Whether it exists is for the bank list to say. */
export const bankId = Type.String({ minLength: 1, maxLength: LIMITS.bankId })
export const ID_PATTERN = '^[0-9a-f]{24}$'
export const id = Type.String({ pattern: ID_PATTERN, description: 'must be 24 lower-case hex characters' })
/** Anything inside; only its size as JSON is limited. */
export const metadata = Type.Object({})
/** ISO 8601 with a zone, checked by the endpoint, which can say what is wrong with it. */
export const timeWithZone = Type.String({ maxLength: LIMITS.time })
/** How many entries a page holds; a text, because it comes in a query. */
export const limit = Type.String({
  pattern: '^([1-9][0-9]?|100)$',
  description: `must be a whole number from 1 to ${LIMITS.pageSize.max}`,
})

/** What responses show of a request. */
export const shownText = (maxLength: number) => Type.String({ minLength: 1, maxLength })
export const shownProcessId = shownText(LIMITS.processId)
/** Always the _id, even if the request named the bank by its code. */
export const shownBankId = Type.String({ pattern: '^([0-9a-f]{24}|FAST)$' })
export const shownIban = Type.String({ pattern: '^TR[0-9A-Z]{24}$' })
/** In the smallest unit of the currency. */
export const money = Type.Integer({ minimum: 0, maximum: LIMITS.amount })
/** Below zero only after money that was credited by mistake, or taken back by the bank, was debited again. */
export const balance = Type.Integer({ minimum: -LIMITS.amount, maximum: LIMITS.amount })
export const count = Type.Integer({ minimum: 0 })
/** ISO 8601 in UTC, with milliseconds. */
export const time = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' })
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

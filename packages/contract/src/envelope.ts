import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import type { ErrorCode } from './errors.ts'
import { ERROR_DETAILS } from './errors.ts'
import { closed, id } from './fields.ts'

/** In a sandbox only: a field of the request that is not documented. */
export const warning = closed({ field: Type.String(), message: Type.String() })
export type Warning = Static<typeof warning>

const around = {
  warnings: Type.Optional(Type.Array(warning, { minItems: 1, maxItems: 20 })),
  /** Unix time in seconds. */
  timestamp: Type.Integer({ minimum: 0 }),
}

export function envelopeOf<Data extends TSchema>(data: Data) {
  return closed({ success: Type.Literal(true), data, ...around })
}

export function errorEnvelopeOf(code: ErrorCode) {
  const details: TSchema | undefined = (ERROR_DETAILS as Partial<Record<ErrorCode, TSchema>>)[code]
  const error = closed({
    code: Type.Literal(code),
    message: Type.String({ minLength: 1 }),
    ...(details && { details: Type.Optional(details) }),
    // Bytes that are not HTTP are no request, and have no id.
    requestId: Type.Union([id, Type.Literal('none')]),
  })
  return closed({ success: Type.Literal(false), error, ...around })
}

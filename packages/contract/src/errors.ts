import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import { balance, closed, id, money } from './fields.ts'

/** Every error code with its HTTP status. docs/api.md has the same table; a test compares them. */
export const ERROR_STATUS = {
  INVALID_API_KEY: 401,
  MISSING_SIGNATURE: 401,
  MISSING_TIMESTAMP: 401,
  TIMESTAMP_EXPIRED: 401,
  INVALID_SIGNATURE: 401,
  IP_NOT_WHITELISTED: 403,
  ACCOUNT_SUSPENDED: 403,
  VALIDATION_ERROR: 400,
  DUPLICATE_TRANSACTION: 400,
  AMOUNT_OUT_OF_RANGE: 400,
  INVALID_IBAN: 400,
  INSUFFICIENT_BALANCE: 400,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  INVALID_STATE: 409,
  REQUEST_REPEATED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

export const fieldProblem = closed({ field: Type.String(), problem: Type.String() })
export type FieldProblem = Static<typeof fieldProblem>

/** The results of readiness checks: `ok`, or what is wrong. */
export const readinessChecks = closed({
  process: Type.String(),
  database: Type.String(),
  schema: Type.String(),
  writing: Type.String(),
  primary: Type.String(),
  clock: Type.String(),
  replication: Type.String(),
})

/** By code. A code that is not here has no details; one that is may leave them out. */
export const ERROR_DETAILS = {
  VALIDATION_ERROR: Type.Array(fieldProblem),
  INVALID_IBAN: Type.Array(fieldProblem),
  AMOUNT_OUT_OF_RANGE: closed({ minAmount: money, maxAmount: money }),
  INSUFFICIENT_BALANCE: closed({ available: balance, needed: money }),
  DUPLICATE_TRANSACTION: closed({ transactionId: id, differs: Type.Array(Type.String()) }),
  /** In a sandbox only. */
  INVALID_SIGNATURE: closed({ hint: Type.String(), signedString: Type.String(), algorithm: Type.String() }),
  /** Of GET /readyz only. */
  SERVICE_UNAVAILABLE: readinessChecks,
} as const satisfies Partial<Record<ErrorCode, TSchema>>

export type ErrorDetails = Static<(typeof ERROR_DETAILS)[keyof typeof ERROR_DETAILS]>

/** Codes that the SDK adds to those of docs/api.md. */
type OwnCode =
  /** No response: refused, reset or timed out. The call may have taken effect. */
  | 'UNREACHABLE'
  /** The response is not from Vezne: another program, a proxy's error page, a redirect. */
  | 'UNREADABLE_ANSWER'
  /** `verifyCallback` rejected it; `details.problem` says why. */
  | 'INVALID_CALLBACK'
  /** An option or an id is missing or malformed. Nothing was sent. */
  | 'INVALID_OPTIONS'

/** The codes of docs/api.md. */
export type ApiErrorCode =
  | 'INVALID_API_KEY'
  | 'MISSING_SIGNATURE'
  | 'MISSING_TIMESTAMP'
  | 'TIMESTAMP_EXPIRED'
  | 'INVALID_SIGNATURE'
  | 'IP_NOT_WHITELISTED'
  | 'ACCOUNT_SUSPENDED'
  | 'VALIDATION_ERROR'
  | 'DUPLICATE_TRANSACTION'
  | 'AMOUNT_OUT_OF_RANGE'
  | 'INVALID_IBAN'
  | 'INSUFFICIENT_BALANCE'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'INVALID_STATE'
  | 'REQUEST_REPEATED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE'

/** A newer service may send a code that is not listed: then decide by `status`. */
type ErrorCode = OwnCode | ApiErrorCode | (string & Record<never, never>)

type Fields = Partial<Pick<VezneError, 'status' | 'requestId' | 'details' | 'retryAfterSeconds' | 'cause'>>

/** Every error that this package throws. Decide by `code`; the message is for people. */
export class VezneError extends Error {
  readonly code: ErrorCode
  /** The HTTP status; null if there was no response. */
  readonly status: number | null
  /** Quote it when you ask the operator for help. */
  readonly requestId: string | null
  /** Declared, not defined: a field without a value would be printed as undefined. */
  declare readonly details: unknown
  readonly retryAfterSeconds: number | null

  constructor(code: ErrorCode, message: string, fields: Fields = {}) {
    super(message, fields.cause === undefined ? {} : { cause: fields.cause })
    this.name = 'VezneError'
    this.code = code
    this.status = fields.status ?? null
    this.requestId = fields.requestId ?? null
    if (fields.details !== undefined) this.details = fields.details
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null
  }
}

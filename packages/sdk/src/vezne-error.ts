/** Codes that the SDK adds to those of docs/api.md. */
type OwnCode =
  /** No answer came: refused, reset, timed out. The call may have taken effect. */
  | 'UNREACHABLE'
  /** What came back is no answer of Vezne's: another program, a proxy's page, a redirect. */
  | 'UNREADABLE_ANSWER'
  /** `verifyCallback` does not accept it; `details.problem` says why. */
  | 'INVALID_CALLBACK'
  /** The client was made, or called, with something that cannot be sent. */
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

/** Everything that this package throws on purpose. Decide by `code`; the message is for people. */
export class VezneError extends Error {
  readonly code: ErrorCode
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null
  /** Quote it when you ask the operator for help. */
  readonly requestId: string | null
  readonly details: unknown
  readonly retryAfterSeconds: number | null

  constructor(code: ErrorCode, message: string, fields: Fields = {}) {
    super(message, { cause: fields.cause })
    this.name = 'VezneError'
    this.code = code
    this.status = fields.status ?? null
    this.requestId = fields.requestId ?? null
    this.details = fields.details
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null
  }
}

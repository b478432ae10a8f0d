/** Every reason to refuse a request. The API maps each to a status; a new one does not compile until mapped. */
export type RefusalCode =
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

export type FieldProblem = { field: string; problem: string }

/** The invalid fields, or facts by name. */
export type RefusalDetails = FieldProblem[] | Record<string, string | number | string[]>

type Extra = { details?: RefusalDetails; retryAfterSeconds?: number; cause?: unknown }

/** The caller's fault, or a temporary one of ours, in words the caller can act on. Throwing it rolls back. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly details: Extra['details']
  readonly retryAfterSeconds: number | undefined

  constructor(code: RefusalCode, message: string, extra: Extra = {}) {
    super(message, { cause: extra.cause })
    this.name = 'Refusal'
    this.code = code
    this.details = extra.details
    this.retryAfterSeconds = extra.retryAfterSeconds
  }
}

export function invalidField(field: string, problem: string): Refusal {
  return new Refusal('VALIDATION_ERROR', `${field} ${problem}`, { details: [{ field, problem }] })
}

/** The successful outcomes of a batch. */
export function notRefused<Out>(outcomes: (Out | Refusal)[]): Out[] {
  return outcomes.flatMap((outcome) => (outcome instanceof Refusal ? [] : [outcome]))
}

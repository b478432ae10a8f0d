import type { ErrorCode, ErrorDetails } from '@vezne/contract'

type Extra = { details?: ErrorDetails; retryAfterSeconds?: number; cause?: unknown }

/** The caller's fault, or a passing one of ours: said in words the caller can act on. Thrown, it rolls back by itself. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly details: Extra['details']
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, extra: Extra = {}) {
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

/** Those of a list's outcomes that went well. */
export function notRefused<Out>(outcomes: (Out | Refusal)[]): Out[] {
  return outcomes.flatMap((outcome) => (outcome instanceof Refusal ? [] : [outcome]))
}

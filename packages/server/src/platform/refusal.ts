import type { ErrorCode, ErrorDetails } from '@vezne/contract'

type Extra = { details?: ErrorDetails; retryAfterSeconds?: number; cause?: unknown }

/** The caller's fault, or a temporary one of ours, in words the caller can act on. Throwing it rolls back. */
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

/** The successful outcomes of a batch. */
export function notRefused<Out>(outcomes: (Out | Refusal)[]): Out[] {
  return outcomes.flatMap((outcome) => (outcome instanceof Refusal ? [] : [outcome]))
}

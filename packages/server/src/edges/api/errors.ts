import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/time/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { RefusalCode } from '../../platform/refusal.ts'
import { Refusal } from '../../platform/refusal.ts'
import { failure } from './envelope.ts'
import { invalidRequest } from './field-problems.ts'

/** Exhaustive: a new refusal does not compile until it has a status here. docs/api.md is held to it by a test. */
export const STATUS: Record<RefusalCode, number> = {
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
}

/** The one catch of this edge. */
export function answerError(
  { log, realClock }: { log: Log; realClock: Clock },
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = asRefusal(error)
  const status = STATUS[refusal.code]
  if (status >= 500) {
    const level = status === 503 ? 'warn' : 'error'
    log[level]({ err: refusal.cause ?? error, requestId: request.id, code: refusal.code }, 'request failed')
  }
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds))
  request.refusal = refusal
  void reply.code(status).send(failure(realClock, refusal, request.id, request.warnings))
}

export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { validation, code, statusCode } = error as FastifyError
  if (validation) return invalidRequest(error as FastifyError)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refusal('PAYLOAD_TOO_LARGE', 'The request body is larger than 64 kB.')
  if (statusCode === 415)
    return new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Send the body as Content-Type: application/json.')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Refusal('VALIDATION_ERROR', 'The request is not well-formed HTTP.', { cause: error })
  }
  return new Refusal('INTERNAL_ERROR', 'Something went wrong on our side. Quote the requestId when you report it.', {
    cause: error,
  })
}

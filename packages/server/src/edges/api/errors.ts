import { ERROR_STATUS } from '@vezne/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/time/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { Refusal } from '../../platform/refusal.ts'
import { failure } from './envelope.ts'
import { invalidRequest } from './field-problems.ts'

const PERMISSION_DENIED = '42501'

/** The only error handler of this edge. */
export function answerError(
  { log, realClock, metrics }: { log: Log; realClock: Clock; metrics: Metrics },
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = asRefusal(error)
  const status = ERROR_STATUS[refusal.code]
  if (status >= 500) {
    const denied = (refusal.cause as { code?: string } | undefined)?.code === PERMISSION_DENIED
    if (denied) metrics.denied.inc()
    // A missing right does not pass by itself.
    const level = status === 503 && !denied ? 'warn' : 'error'
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

import type { FastifyError, FastifyRequest } from 'fastify'
import type { ErrorCode } from '@vezne/contract'
import { refusalForApi } from '../../acts/refusals/say.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Api } from './route.ts'
import { asRefusal } from './errors.ts'

/** Not caused by the request itself, so the same bytes may be retried; a used processId stays used anyway. */
const NOT_RECORDED: ReadonlySet<ErrorCode> = new Set([
  'DUPLICATE_TRANSACTION',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_ERROR',
])

/**
 * Returns the error to respond with. A refusal of a state-changing call is recorded first and an exact repeat gets the recorded one: a
 * captured request must not succeed later, when the balance or a setting has changed.
 */
export async function recordedRefusal(api: Api, error: unknown, request: FastifyRequest): Promise<unknown> {
  const { authenticated, authHeaders, routeOptions } = request
  if (!authenticated || !authHeaders || !routeOptions.config.changesState) return error
  // Schema validation depends only on the signed bytes: a repeat gets the same refusal without a record.
  if ((error as FastifyError).validation) return error
  const refusal = asRefusal(error)
  if (NOT_RECORDED.has(refusal.code)) return error
  const { signature, timestamp, caller } = authHeaders
  try {
    const signed = { merchantId: caller.merchant.id, signature, timestamp, refusal }
    const { refusal: recorded, isRepeat } = await api.recordRefusal(signed)
    return isRepeat ? toldAgain(recorded) : recorded
  } catch (notRecorded) {
    return notRecorded
  }
}

const REFUSED_BEFORE = '(This signed request was refused before; sign it again with a new timestamp.)'

/** What was wrong may be mended, in a header or a setting: the caller must not look for it once more. */
function toldAgain(first: Refusal): Refusal {
  const { message, details } = refusalForApi(first)
  return new Refusal(first.code, `${message} ${REFUSED_BEFORE}`, { ...(details && { details }) })
}

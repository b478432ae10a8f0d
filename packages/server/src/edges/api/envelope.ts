import type { Warning } from '@vezne/contract'
import type { Clock } from '../../platform/time/clock.ts'
import { unixSeconds } from '../../platform/time/clock.ts'
import { refusalForApi } from '../../acts/refusals/say.ts'
import type { Refusal } from '../../platform/refusal.ts'

/** Every response is one of these two. The timestamp is real time, so that callers can sync their signing clock to it. */
export function success(clock: Clock, data: object, warnings?: Warning[] | null) {
  return { success: true, data, ...(warnings && { warnings }), timestamp: unixSeconds(clock) }
}

export function failure(clock: Clock, refusal: Refusal, requestId: string, warnings?: Warning[] | null) {
  const { message, details } = refusalForApi(refusal)
  return {
    success: false,
    error: { code: refusal.code, message, ...(details && { details }), requestId },
    ...(warnings && { warnings }),
    timestamp: unixSeconds(clock),
  }
}

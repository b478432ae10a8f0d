import type { Clock } from '../../platform/clock.ts'
import { unixSeconds } from '../../platform/clock.ts'
import type { Refusal } from '../../platform/refusal.ts'

/** Every answer is one of these two. The timestamp is real time, so that callers can set their signing clock by it. */
export function success(clock: Clock, data: object) {
  return { success: true, data, timestamp: unixSeconds(clock) }
}

export function failure(clock: Clock, refusal: Refusal, requestId: string) {
  const { code, message, details } = refusal
  return {
    success: false,
    error: { code, message, ...(details && { details }), requestId },
    timestamp: unixSeconds(clock),
  }
}

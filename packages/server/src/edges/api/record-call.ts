import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '@vezne/contract'
import { refusalForApi } from '../../acts/refusals/say.ts'
import type { Refusal } from '../../platform/refusal.ts'
import { addressOf, knownCaller } from './authenticate.ts'
import type { Api } from './route.ts'

/** Their texts are ours and quote nothing of the body. */
const SAYS_WHY: ReadonlySet<ErrorCode> = new Set([
  'MISSING_SIGNATURE',
  'MISSING_TIMESTAMP',
  'TIMESTAMP_EXPIRED',
  'INVALID_SIGNATURE',
  'REQUEST_REPEATED',
  'IP_NOT_WHITELISTED',
])
const LONGEST = 300

/** Notes the call for the merchant's own log. Throttled calls are not noted: a flood would push out all others. */
export function recordCall(api: Api, request: FastifyRequest, reply: FastifyReply): void {
  const { authHeaders, refusal, raw } = request
  const merchantId = authHeaders?.caller.merchant.id ?? (refusal && knownCaller(refusal))
  if (!merchantId || reply.statusCode === 429) return
  api.callLog.record({
    merchantId,
    method: request.method,
    path: request.url.replace(/=[^&]*/g, '=…').slice(0, LONGEST),
    status: reply.statusCode,
    code: refusal?.code ?? null,
    problem: refusal && problemOf(refusal, request.diagnosis),
    durationMs: Math.round(reply.elapsedTime),
    address: addressOf(api.trustedProxies, raw)?.toString() ?? null,
    requestId: request.id,
    secret:
      authHeaders?.secretId === undefined ? null : { apiKey: authHeaders.caller.apiKey, id: authHeaders.secretId },
  })
}

/** What was wrong, without what was sent: our own texts, or the names of fields. */
function problemOf(refusal: Refusal, diagnosis: string | null): string | null {
  if (diagnosis !== null) return diagnosis.slice(0, LONGEST)
  const { message, details } = refusalForApi(refusal)
  if (SAYS_WHY.has(refusal.code)) return message.slice(0, LONGEST)
  const fields = Array.isArray(details) ? details.map(({ field }) => field) : []
  return fields.length > 0 ? fields.join(', ').slice(0, LONGEST).toWellFormed() : null
}

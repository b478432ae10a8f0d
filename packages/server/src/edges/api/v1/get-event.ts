import { ENDPOINTS } from '@vezne/contract'
import { findEvent } from '../../../domain/webhooks/index.ts'
import { findEndpoints } from '../../../domain/merchants/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { route } from '../route.ts'
import { eventView } from './event-view.ts'

export const getEvent = route(ENDPOINTS.getEvent, {
  addresses: 'listed-if-any',
  async handle({ db }, { merchant, params }) {
    const event = await findEvent(db, merchant.id, params.eventId)
    if (!event) throw new Refusal('NOT_FOUND', `There is no event ${params.eventId}.`)
    const attempts = event.attempts.map(({ endpointId, at, connectMs, waitMs, readMs, ...attempt }) => ({
      endpointId,
      at: at.toISOString(),
      outcome: attempt.outcome,
      status: attempt.status,
      problem: attempt.problem,
      durationMs: { connect: connectMs, wait: waitMs, read: readMs },
      answer: attempt.answer,
    }))
    return { data: { ...eventView(event, await findEndpoints(db, [merchant.id])), attempts } }
  },
})

import { ENDPOINTS } from '@vezne/contract'
import { resendEvent as resendOne } from '../../../domain/webhooks/index.ts'
import { route } from '../route.ts'

/** Resends to one endpoint, or to every endpoint that had the event if none is given. */
export const resendEvent = route(ENDPOINTS.resendEvent, {
  addresses: 'listed-if-any',
  async handle(api, { merchant, actor, params, query }) {
    return { data: { deliveries: await resendOne(api, actor, merchant.id, params.eventId, query.endpointId) } }
  },
})

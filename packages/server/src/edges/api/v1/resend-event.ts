import { Type } from 'typebox'
import { resendEvent as resendOne } from '../../../domain/webhooks/index.ts'
import { endpoint } from '../endpoint.ts'
import { eventId, id } from './fields.ts'

/** To one endpoint, or, without a body, to all that had it. */
export const resendEvent = endpoint({
  method: 'POST',
  path: '/v1/events/:eventId/resend',
  addresses: 'listed-if-any',
  status: 200,
  schema: {
    params: eventId,
    querystring: Type.Object({ endpointId: Type.Optional(id) }, { additionalProperties: false }),
  },
  async handle(api, { merchant, params, query }) {
    return { data: { deliveries: await resendOne(api, merchant.id, params.eventId, query.endpointId) } }
  },
})

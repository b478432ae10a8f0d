import { ENDPOINTS } from '@vezne/contract'
import { resendFailed as resendAll } from '../../../domain/webhooks/index.ts'
import { invalidField } from '../../../platform/refusal.ts'
import { route } from '../route.ts'
import { instant } from './fields.ts'

/** Resends everything that failed since a given time, for example after the receiver was down overnight. */
export const resendFailed = route(ENDPOINTS.resendFailed, {
  addresses: 'listed-if-any',
  async handle(api, { merchant, actor, body }) {
    const since = instant('since', body.since)
    if (!since) throw invalidField('since', 'is missing')
    return { data: { deliveries: await resendAll(api, actor, merchant.id, since) } }
  },
})

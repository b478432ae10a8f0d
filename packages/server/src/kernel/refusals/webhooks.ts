import { is } from './catalogue.ts'

/** Events and their delivery to endpoints. */
export const WEBHOOKS = {
  event_erased: is<{ event: string; day: string }>('INVALID_STATE'),
  event_unwanted: is('INVALID_STATE'),
  event_not_delivered: is<{ event: string }>('INVALID_STATE'),
  endpoint_without_address: is<{ endpoint: string }>('INVALID_STATE'),
  endpoint_switched_off: is<{ merchant: string; endpoint: string; reason: string | null }>('INVALID_STATE'),
}

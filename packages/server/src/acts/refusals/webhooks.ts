import type { WEBHOOKS } from '../../kernel/refusals/webhooks.ts'
import type { Sentences } from './sentence.ts'
import { gun } from './words.ts'

export const WEBHOOKS_SENTENCES: Sentences<typeof WEBHOOKS> = {
  event_erased: {
    en: ({ event, day }) =>
      `The personal data of event ${event} was erased on ${day}. The event is not sent again, because its body is no longer what was sent at first.`,
    tr: ({ event, day }) =>
      `${event} olayının kişisel verileri ${gun(day)} günü silindi. İçeriği artık ilk gönderilenle aynı olmadığı için yeniden gönderilmez.`,
  },
  event_unwanted: {
    en: 'No endpoint with an address subscribes to this event. Add one, then send the event again.',
    tr: 'Bu olayı isteyen bir callback adresi yok. Ekleyip olayı yeniden gönderin.',
  },
  event_not_delivered: {
    en: ({ event }) =>
      `Event ${event} has not been delivered. Wait for its delivery, or remove the endpoint that does not accept it.`,
    tr: ({ event }) =>
      `${event} olayı henüz teslim edilmedi. Teslimini bekleyin veya olayı kabul etmeyen callback adresini kaldırın.`,
    cli: ({ event }) => `vezne events show ${event}`,
  },
  endpoint_without_address: {
    en: ({ endpoint }) => `Endpoint ${endpoint} has no address yet. Set one first.`,
    tr: ({ endpoint }) => `${endpoint} için henüz callback adresi girilmedi. Önce adresi girin.`,
  },
  endpoint_switched_off: {
    en: ({ endpoint, reason }) =>
      `Endpoint ${endpoint} is disabled${reason === null ? '' : ` (${reason})`}. Enable it first.`,
    tr: ({ endpoint, reason }) =>
      `${endpoint} callback adresi kapalı${reason === null ? '' : ` (${reason})`}. Önce açın.`,
    cli: ({ merchant, endpoint }) => `vezne endpoint enable ${merchant} ${endpoint}`,
  },
}

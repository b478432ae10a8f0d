import type { WEBHOOKS } from '../../kernel/refusals/webhooks.ts'
import type { Sentences } from './sentence.ts'
import { gun } from './words.ts'

export const WEBHOOKS_SENTENCES: Sentences<typeof WEBHOOKS> = {
  event_erased: {
    en: ({ event, day }) =>
      `The personal data of event ${event} was erased on ${day}. It is not sent again: its body is no longer what was sent.`,
    tr: ({ event, day }) =>
      `${event} numaralı olayın kişisel verileri ${gun(day)} günü silindi. İçeriği artık ilk gönderilenle aynı olmadığı için yeniden gönderilmez.`,
  },
  event_unwanted: {
    en: 'No endpoint with an address wants this event. Add one, then send the event again.',
    tr: 'Bu olayı isteyen, adresi girilmiş bir bildirim adresi yok. Ekleyip olayı yeniden gönderin.',
  },
  event_not_delivered: {
    en: ({ event }) =>
      `Event ${event} has not been delivered. Wait for it, or remove the endpoint that does not take it.`,
    tr: ({ event }) =>
      `${event} numaralı olay henüz teslim edilmedi. Teslimini bekleyin veya onu almayan bildirim adresini kaldırın.`,
    cli: ({ event }) => `vezne events show ${event}`,
  },
  endpoint_without_address: {
    en: ({ endpoint }) => `${endpoint} has no address yet.`,
    tr: ({ endpoint }) => `${endpoint} için henüz adres girilmedi.`,
  },
  endpoint_switched_off: {
    en: ({ endpoint, reason }) => `${endpoint} is disabled${reason === null ? '' : ` (${reason})`}. Enable it first.`,
    tr: ({ endpoint, reason }) =>
      `${endpoint} numaralı bildirim adresi kapalı${reason === null ? '' : ` (${reason})`}. Önce açın.`,
    cli: ({ merchant, endpoint }) => `vezne endpoint enable ${merchant} ${endpoint}`,
  },
}

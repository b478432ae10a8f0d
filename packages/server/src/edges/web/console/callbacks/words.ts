import type { Language } from '../site.ts'

const tr = {
  outcomes: {
    accepted: 'kabul edildi',
    '4xx': 'sunucu reddetti',
    '5xx': 'sunucu hata verdi',
    redirect: 'yönlendirme; izlenmez',
    timeout: '15 sn içinde yanıt yok',
    tls: 'güvenli bağlantı kurulamadı',
    dns: 'alan adı bulunamadı',
    refused: 'bağlantı kurulamadı',
  },
  earlierTries: (count: number) => `önceki ${count} deneme`,
  delivery: 'Teslim',
  anyDelivery: 'Tümü',
  transaction: 'İşlem',
  testEvent: 'deneme olayı',
  resend: 'Yeniden gönder',
  resent: 'Olay yeniden sıraya alındı.',
  noEvents: 'Bu seçimde olay yok.',
}

type Words = typeof tr

const en: Words = {
  outcomes: {
    accepted: 'accepted',
    '4xx': 'the server refused it',
    '5xx': 'the server failed',
    redirect: 'redirect; not followed',
    timeout: 'no response within 15 s',
    tls: 'no secure connection',
    dns: 'the name does not resolve',
    refused: 'no connection',
  },
  earlierTries: (count) => (count === 1 ? '1 earlier attempt' : `${count} earlier attempts`),
  delivery: 'Delivery',
  anyDelivery: 'All',
  transaction: 'Transaction',
  testEvent: 'test event',
  resend: 'Resend',
  resent: 'The event is queued again.',
  noEvents: 'No events in this selection.',
}

/** Words about callbacks, of both consoles. */
export const CALLBACK_WORDS: Record<Language, Words> = { tr, en }

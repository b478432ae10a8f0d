import type { Language } from '../site.ts'

const tr = {
  title: 'Hakediş',
  account: 'Hesap',
  schedule: 'Otomatik gönderim',
  off: 'kapalı',
  daily: 'her gün',
  weekly: (day: string) => `her ${day}`,
  weekdays: ['pazartesi', 'salı', 'çarşamba', 'perşembe', 'cuma', 'cumartesi', 'pazar'],
  at: (when: string, time: string) => `${when}, saat ${time}`,
  atLeast: (amount: string) => `en az ${amount} varsa`,
  due: 'Sıradaki',
  waits: 'zamanı geldi; gönderilmeyi bekliyor',
  last: 'Son hakedişler',
  none: 'Henüz hakediş gönderilmedi.',
  tooSmall: 'bakiye en az tutarın altındaydı; gönderilmedi',
  bySchedule: 'otomatik',
  now: 'Şimdi gönder',
  leaves: (amount: string) => `${amount} şu hesaba gider:`,
  leavesHint:
    'Bu, kullanılabilir bakiyenin tamamıdır; komisyon kesilmez. Siz bu sayfadayken gelen para bakiyede kalır.',
  notNow: 'Şimdi gönderilemez.',
  said: { settlementSent: 'Hakediş çekim olarak oluşturuldu; durumu “Son hakedişler” listesinde.' },
}

type Words = typeof tr

const en: Words = {
  title: 'Settlement',
  account: 'Account',
  schedule: 'Sent automatically',
  off: 'off',
  daily: 'every day',
  weekly: (day) => `every ${day}`,
  weekdays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  at: (when, time) => `${when} at ${time}`,
  atLeast: (amount) => `if there is at least ${amount}`,
  due: 'Next',
  waits: 'is due and waits to be sent',
  last: 'Latest settlements',
  none: 'No settlement has been sent yet.',
  tooSmall: 'the balance was below the minimum; nothing was sent',
  bySchedule: 'automatic',
  now: 'Send now',
  leaves: (amount) => `${amount} goes to this account:`,
  leavesHint:
    'This is all of the available balance, without a fee. What comes in while you look at this page stays in the balance.',
  notNow: 'It cannot be sent now.',
  said: { settlementSent: 'The settlement is created as a withdrawal; its state is under “Latest settlements”.' },
}

export const SETTLEMENT_WORDS: Record<Language, Words> = { tr, en }

import type { BANK_ANSWERS } from '../../kernel/refusals/bank-answers.ts'
import type { Sentences } from './sentence.ts'
import { durum } from './words.ts'

const FIELDS = {
  reference: ['reference', 'referans'],
  amount: ['amount', 'tutar'],
  recipient: ['recipient', 'alıcı'],
  currency: ['currency', 'para birimi'],
} as const
const STATUSES = { accepted: 'ödendi', pending: 'bekliyor', returned: 'geri döndü' }

export const BANK_ANSWERS_SENTENCES: Sentences<typeof BANK_ANSWERS> = {
  answer_late: { en: 'the bank did not respond in time', tr: 'banka zamanında yanıt vermedi' },
  answer_none: {
    en: ({ error }) => `the bank cannot be reached (${error})`,
    tr: ({ error }) => `bankaya bağlanılamadı (${error})`,
  },
  answer_too_large: {
    en: ({ megabytes }) => `the answer is larger than ${megabytes} MB`,
    tr: ({ megabytes }) => `yanıt ${megabytes} MB’tan büyük`,
  },
  answer_unreadable: {
    en: ({ error }) => `the answer could not be read (${error})`,
    tr: ({ error }) => `yanıt okunamadı (${error})`,
  },
  answer_without_status: { en: 'the answer has no status that is known', tr: 'yanıtta bilinen bir durum yok' },
  answer_http: {
    en: ({ status, text }) => `HTTP ${status} ${text}`.trim(),
    tr: ({ status, text }) => `HTTP ${status} ${text}`.trim(),
  },
  answer_http_differs: {
    en: ({ status, difference }) => `HTTP ${status}, and ${difference}`,
    tr: ({ status, difference }) => `HTTP ${status}; ${difference}`,
  },
  answer_differs: {
    en: ({ field, written }) => `the answer has another ${FIELDS[field][0]}: ${written}`,
    tr: ({ field, written }) => `yanıtta başka bir ${FIELDS[field][1]} var: ${written}`,
  },
  answer_contradicts: {
    en: ({ status, difference }) => `${status}, but ${difference}`,
    tr: ({ status, difference }) => `${STATUSES[status]}, ama ${difference}`,
  },
  answer_without_reference: {
    en: 'accepted, but without a reference of the bank',
    tr: 'ödendi, ama bankanın referansı yok',
  },
  answer_refused_as_known: {
    en: ({ reason }) => `refused because the bank has it already, so it may have paid: ${reason}`,
    tr: ({ reason }) => `bankada zaten olduğu için reddedildi, ödemiş olabilir: ${durum(reason)}`,
  },
  answer_of_files: {
    en: 'this connection exchanges files; there is nothing to call',
    tr: 'bu bağlantı dosyayla çalışır; çağrılacak bir adresi yok',
  },
  page_unreadable: {
    en: 'the page has no list `lines` or no text `cursor`',
    tr: 'sayfada `lines` listesi veya `cursor` metni yok',
  },
  page_cursor_wrong: {
    en: ({ most }) => `the cursor is not plain ASCII of at most ${most} characters`,
    tr: ({ most }) => `imleç (cursor) en çok ${most} düz ASCII karakter olmalı`,
  },
  page_too_long: {
    en: ({ lines, most }) => `the page has ${lines} lines; at most ${most} are read at once`,
    tr: ({ lines, most }) => `sayfada ${lines} satır var; bir kerede en çok ${most} satır okunur`,
  },
}

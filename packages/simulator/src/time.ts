import type { Language } from './web/language.ts'

/** The only source of time; main.ts decides which one it is. */
export type Now = () => Date

const ZONE = 'Europe/Istanbul'
const OFFSET_MS = 3 * 3600 * 1000
/** As files write it after a local time. */
export const UTC_OFFSET = '+03:00'
// The Swedish date format is ISO 8601.
const ISO_DATE = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE })
const MINUTE = { timeZone: ZONE, year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
const DISPLAY_FORMAT = {
  tr: new Intl.DateTimeFormat('tr-TR', { ...MINUTE, day: '2-digit', month: '2-digit' }),
  en: new Intl.DateTimeFormat('en-GB', { ...MINUTE, day: 'numeric', month: 'short' }),
}

/** The bank's day, which starts at midnight in Istanbul: 2026-11-15. */
export function bankDate(date: Date): string {
  return ISO_DATE.format(date)
}

/** Local time of the bank, without a zone: 2026-11-15T14:32:05. Turkey has had one offset all year since 2016. */
export function localTime(at: string): string {
  return new Date(Date.parse(at) + OFFSET_MS).toISOString().slice(0, 19)
}

/** The instant of a local time of the bank. */
export function instantOf(local: string): string {
  return new Date(Date.parse(`${local}Z`) - OFFSET_MS).toISOString()
}

/** 15.11.2026 14:32 or 15 Nov 2026, 14:32, as on the checkout page. */
export function formatTime(date: Date, language: Language): string {
  return DISPLAY_FORMAT[language].format(date)
}

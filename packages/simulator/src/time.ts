/** The only source of time; main.ts decides which one it is. */
export type Now = () => Date

const ZONE = 'Europe/Istanbul'
// The Swedish date format is ISO 8601.
const ISO_DATE = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE })
const DISPLAY_FORMAT = new Intl.DateTimeFormat('tr-TR', {
  timeZone: ZONE,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** The bank's day, which starts at midnight in Istanbul: 2026-11-15. */
export function bankDate(date: Date): string {
  return ISO_DATE.format(date)
}

/** 15.11.2026 14:32, in either language. */
export function formatTime(date: Date): string {
  return DISPLAY_FORMAT.format(date)
}

import type { Holiday } from './store.ts'

/** What a customer should know before sending: by FAST at once, by EFT now, or by EFT when it opens again. */
export type RailNote = { rail: 'fast' } | { rail: 'eft_open' } | { rail: 'eft_closed'; opens: string }

/** EFT runs 08:00–17:30 Istanbul time on business days, until 13:00 on half days. In minutes of the day. */
const OPENS = 8 * 60
const CLOSES = 17 * 60 + 30
const HALF_DAY_CLOSES = 13 * 60

/** Longest run of closed days is a religious holiday with its weekends; two weeks see past any. */
const LOOK_AHEAD_DAYS = 14

export function railNote(amount: bigint, fastMaximum: bigint, now: Date, holidays: readonly Holiday[]): RailNote {
  if (amount <= fastMaximum) return { rail: 'fast' }
  const { day, minutes } = istanbul(now)
  const closes = closingTime(day, holidays)
  if (closes !== null && minutes >= OPENS && minutes < closes) return { rail: 'eft_open' }
  const later = closes !== null && minutes < OPENS ? [day] : []
  const opens = [...later, ...daysAfter(day)].find((next) => closingTime(next, holidays) !== null)
  return { rail: 'eft_closed', opens: opens ?? day }
}

/** Null on days without EFT. */
function closingTime(day: string, holidays: readonly Holiday[]): number | null {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay()
  const holiday = holidays.find((one) => one.day === day)
  if (weekday === 0 || weekday === 6 || (holiday && !holiday.halfDay)) return null
  return holiday ? HALF_DAY_CLOSES : CLOSES
}

function daysAfter(day: string): string[] {
  const noon = new Date(`${day}T12:00:00Z`).getTime()
  return Array.from({ length: LOOK_AHEAD_DAYS }, (_, index) => {
    return new Date(noon + (index + 1) * 86_400_000).toISOString().slice(0, 10)
  })
}

const CLOCK = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Istanbul', dateStyle: 'short', timeStyle: 'short' })

/** The day and the minute of the day in Istanbul. */
export function istanbul(date: Date): { day: string; minutes: number } {
  const [day = '', time = ''] = CLOCK.format(date).split(' ')
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return { day, minutes: hours * 60 + minutes }
}

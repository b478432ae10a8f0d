import { addDays, istanbul } from '../../kernel/istanbul.ts'
import { eftOpen, nextEftDay } from './rail-calendar.ts'
import type { Holiday } from './store.ts'

/** What a customer should know before paying: FAST is immediate, EFT is open, or EFT opens later. */
export type RailNote = { rail: 'fast' } | { rail: 'eft_open' } | { rail: 'eft_closed'; opens: string }

/** The longest closure is a religious holiday with its weekends; a date beyond two weeks is not shown. */
const LOOK_AHEAD_DAYS = 14

export function railNote(amount: bigint, fastMaximum: bigint, now: Date, holidays: readonly Holiday[]): RailNote {
  if (amount <= fastMaximum) return { rail: 'fast' }
  const localNow = istanbul(now)
  if (eftOpen(localNow, holidays)) return { rail: 'eft_open' }
  const opens = nextEftDay(localNow, holidays)
  return { rail: 'eft_closed', opens: opens <= addDays(localNow.day, LOOK_AHEAD_DAYS) ? opens : localNow.day }
}

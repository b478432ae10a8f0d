import { istanbul, startOfDay } from '../../../kernel/istanbul.ts'
import type { Holiday } from '../../banks/index.ts'
import { businessDaysAgo } from '../../banks/index.ts'
import type { Draft } from '../bank-line.ts'
import { sameSender } from '../bank-line.ts'
import type { KeyedLine } from '../store.ts'
import { bothNamed, isCompatibleText, isSameText, namesOther } from './same-text.ts'
import { COMPLETE_FORMATS } from './statement-file.ts'

/** A stored line that is not in the final statement of its day, and the line of the file that is or may be its booking. */
export type FoundAgain = { line: KeyedLine; draft: Draft; isSame: boolean }

/** Banks move a booking to the next business day. */
const MOVED_BUSINESS_DAYS = 2

/** The first day from which a booking may have been moved to this day. */
export function movedFrom(day: string, holidays: readonly Holiday[]): string {
  return istanbul(businessDaysAgo(startOfDay(day), MOVED_BUSINESS_DAYS, holidays)).day
}

/**
 * Compares a line of a file with stored lines of its account and amount that a final statement did not have. Of a report during the day all but the provisional
 * number agrees: the same booking. Else a person decides, also if it is booked up to two business days later.
 */
export function findAgain(draft: Draft, missing: KeyedLine[], holidays: readonly Holiday[]): FoundAgain | null {
  if (missing.length === 0) return null
  const from = movedFrom(dayOf(draft), holidays)
  const near = missing.filter((one) => isNear(one, draft, from))
  const same = near.find((one) => isRenumbered(one, draft))
  if (same) return { line: same, draft, isSame: true }
  const suspected = near.find((one) => isSuspected(one, draft))
  return suspected ? { line: suspected, draft, isSame: false } : null
}

const dayOf = ({ bookedAt }: { bookedAt: Date }) => istanbul(bookedAt).day
const isOnSameDay = (a: KeyedLine, b: Draft) => dayOf(a) === dayOf(b)

function isNear(one: KeyedLine, draft: Draft, from: string): boolean {
  const day = dayOf(one)
  if (day > dayOf(draft) || day < from) return false
  return sameSender(one, draft) && !namesOther(one.narrative, draft.narrative)
}

function isRenumbered(one: KeyedLine, draft: Draft): boolean {
  if (!one.bankReference || !draft.bankReference || one.bankReference === draft.bankReference) return false
  const isReport = one.format !== null && !COMPLETE_FORMATS.some((format) => format === one.format)
  return (
    isReport && isOnSameDay(one, draft) && bothNamed(one, draft) && isCompatibleText(one.narrative, draft.narrative)
  )
}

/** Of debits only those with the same text: banks book fees of one amount many times. */
function isSuspected(one: KeyedLine, draft: Draft): boolean {
  if (draft.direction === 'debit') return isSameText(one.narrative, draft.narrative)
  return isOnSameDay(one, draft) || isCompatibleText(one.narrative, draft.narrative)
}

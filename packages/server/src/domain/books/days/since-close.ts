import type { Queryable } from '../../../platform/postgres/db.ts'
import type { LateLine } from '../../statements/index.ts'
import { daysReadAfter, linesReadAfter } from '../../statements/index.ts'
import type { ChangedFigure } from './figures.ts'
import { changedFigures } from './figures.ts'
import type { DayProof } from './prove-day.ts'
import { closingOf } from './store.ts'

/** More than this is a statement that was missing as a whole; its file says more. */
const MAX_LINES = 100

/** What two people agreed to when they closed the day, and what has changed since. */
export type ClosedWith = {
  hash: string
  closedBy: string
  at: Date
  changed: ChangedFigure[]
  /** Lines of the day that were read afterwards, oldest first. */
  lines: LateLine[]
}

/** Null if no one closed this very day: it is open, or before the first that was closed. */
export async function closedWith(db: Queryable, { day, closed, figures }: DayProof): Promise<ClosedWith | null> {
  const closing = closed ? await closingOf(db, day) : null
  if (!closing) return null
  const { figuresHash: hash, operator: closedBy, decidedAt: at } = closing
  const changed = changedFigures(closing.figures, figures)
  return {
    hash,
    closedBy,
    at,
    changed,
    lines: changed.length === 0 ? [] : await linesReadAfter(db, day, at, MAX_LINES),
  }
}

/** Closed days of which lines were read since the last close. The next close takes them in. */
export async function changedDays(db: Queryable, last: string | null): Promise<{ day: string; readAt: Date }[]> {
  const closing = last === null ? null : await closingOf(db, last)
  return closing ? daysReadAfter(db, closing.day, closing.decidedAt) : []
}

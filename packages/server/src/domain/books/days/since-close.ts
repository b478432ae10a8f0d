import type { Queryable } from '../../../platform/postgres/db.ts'
import { listAccounts } from '../../banks/index.ts'
import type { LateLine } from '../../statements/index.ts'
import { balancesOfDay, daysReadAfter, daysTouchedAfter, linesReadAfter } from '../../statements/index.ts'
import type { DayProof } from './prove-day.ts'
import { closingOf } from './store.ts'

/** More than this is a statement that was missing as a whole; its file says more. */
const MAX_LINES = 100
/** Days whose balances are compared, newest first: more come with one file, which these already show. */
const MAX_DAYS = 31

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

type ChangedDay = { day: string; readAt: Date }

/** Closed days of which lines, or other balances, were read since the last close. The next close takes them in. */
export async function changedDays(db: Queryable, last: string | null): Promise<ChangedDay[]> {
  const closing = last === null ? null : await closingOf(db, last)
  if (!closing) return []
  const byLines = await daysReadAfter(db, closing.day, closing.decidedAt)
  const known = new Set(byLines.map(({ day }) => day))
  const touched = await daysTouchedAfter(db, closing.day, closing.decidedAt, MAX_DAYS)
  const byBalances: ChangedDay[] = []
  for (const one of touched) if (!known.has(one.day) && (await hasOtherBalances(db, one.day))) byBalances.push(one)
  return [...byLines, ...byBalances].toSorted((a, b) => (a.day < b.day ? -1 : 1))
}

/** Whether the bank gives another balance of the day than two people agreed to. */
async function hasOtherBalances(db: Queryable, day: string): Promise<boolean> {
  const figures = (await closingOf(db, day))?.figures
  if (!figures) return false
  const given = new Map((await balancesOfDay(db, day)).map((one) => [one.collectingAccountId, one]))
  return (await listAccounts(db)).some(({ id, iban }) => {
    const { opening = null, closing = null } = given.get(id) ?? {}
    const agreed = (name: string) => figures[`${iban} ${name}`] ?? 'null'
    const wasOpening = agreed('opening')
    // A balance that was reckoned, and that the bank has confirmed since, has not changed.
    const wasClosing = agreed('closing') === 'null' ? agreed('carried') : agreed('closing')
    const hasLost = closing === null && agreed('closing') !== 'null'
    return (
      hasLost ||
      (closing !== null && String(closing) !== wasClosing) ||
      (wasOpening !== 'null' && String(opening) !== wasOpening)
    )
  })
}

/** Every figure of a day by its name, as people agreed to it. */
type Figures = Record<string, string>

/** `before` or `now` is null if the day had, or has, no such figure. */
type ChangedFigure = { name: string; before: string | null; now: string | null }

function changedFigures(before: Figures, now: Figures): ChangedFigure[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name])
  return names.toSorted().map((name) => ({ name, before: before[name] ?? null, now: now[name] ?? null }))
}

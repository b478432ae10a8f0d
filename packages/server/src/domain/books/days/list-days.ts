import type { Db } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { addDays, istanbul } from '../../../kernel/istanbul.ts'
import { closedUntil } from '../../ledger/index.ts'
import { daySubject, heldSubjects } from '../../people/index.ts'
import { firstStatementDay } from '../../statements/index.ts'
import { closableFrom } from './close-day.ts'
import type { ClosedFigures } from './closed-days.ts'
import { closedFigures } from './closed-days.ts'
import type { DayEvent } from './store.ts'
import { changedDays } from './since-close.ts'
import { closingsBetween, selectDayEvents } from './store.ts'

/** `before`: the books begin later. `running`: it can not be closed yet. `proposed`, `reopening`: it waits for another person. */
type BookState = 'before' | 'running' | 'open' | 'proposed' | 'closed' | 'reopening'

/** `events`: who closed and reopened it, newest first. `isChanged`: it is closed, and lines of it came since the last close. `closedWith`: the figures of its close. */
export type BookDay = {
  day: string
  state: BookState
  events: DayEvent[]
  isChanged: boolean
  closedWith: ClosedFigures | null
}

/** `next`: the only day that can be closed; null: any, because none is closed yet. `last`: the only one that can be reopened. */
export type Days = { days: BookDay[]; next: string | null; last: string | null }

/** So many days, newest first, up to `until` or today. */
export async function listDays({ db, clock }: { db: Db; clock: Clock }, count: number, until?: string): Promise<Days> {
  const to = until ?? istanbul(clock.now()).day
  const from = addDays(to, 1 - count)
  const last = await closedUntil(db.pages)
  const first = await firstStatementDay(db.pages)
  const events = Map.groupBy(await selectDayEvents(db.pages, { from, to }), ({ day }) => day)
  const changed = new Set((await changedDays(db.pages, last)).map(({ day }) => day))
  const closings = new Map((await closingsBetween(db.pages, { from, to })).map((one) => [one.day, one]))
  const wanted = Array.from({ length: count }, (_, at) => addDays(to, -at))
  const proposed = await heldSubjects({ clock }, db.pages, wanted.map(daySubject))
  const days = wanted.map((day): BookDay => {
    const its = events.get(day) ?? []
    const closing = closings.get(day)
    const facts = { hasEvents: its.length > 0, isProposed: proposed.has(daySubject(day)) }
    const state = stateOf(day, { first, last }, facts, clock.now())
    const closedWith = closing ? closedFigures(closing) : null
    return { day, state, events: its, isChanged: changed.has(day), closedWith }
  })
  return { days, next: last && addDays(last, 1), last }
}

type Limits = { first: string | null; last: string | null }

type Known = { hasEvents: boolean; isProposed: boolean }

function stateOf(day: string, { first, last }: Limits, { hasEvents, isProposed }: Known, now: Date): BookState {
  const isBefore = first === null ? last === null : day < first
  if (isBefore && !hasEvents && !isProposed && now >= closableFrom(day)) return 'before'
  if (last !== null && day <= last) return isProposed ? 'reopening' : 'closed'
  if (now < closableFrom(day)) return 'running'
  if (isProposed) return 'proposed'
  return last === null && isBefore ? 'before' : 'open'
}

import type { Db } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { addDays, istanbul } from '../../../kernel/istanbul.ts'
import { closedUntil } from '../../ledger/index.ts'
import { firstStatementDay } from '../../statements/index.ts'
import { closableFrom } from './close-day.ts'
import type { ClosedFigures } from './closed-figures.ts'
import { closedFigures } from './closed-figures.ts'
import type { DayEvent } from './store.ts'
import { changedDays } from './since-close.ts'
import { closingsBetween, selectDayEvents } from './store.ts'

/** `before`: the books begin later. `running`: it can not be closed yet. `proposed`, `reopening`: one person has said so, another is awaited. */
type BookState = 'before' | 'running' | 'open' | 'proposed' | 'closed' | 'reopening'

/** `events`: who proposed, closed and reopened it, newest first. `isChanged`: it is closed, and lines of it came since the last close. `closedWith`: the figures of its close. */
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
  const days = Array.from({ length: count }, (_, at) => addDays(to, -at)).map((day): BookDay => {
    const its = events.get(day) ?? []
    const closing = closings.get(day)
    const state = stateOf(day, { first, last }, its[0], clock.now())
    const closedWith = closing ? closedFigures(closing) : null
    return { day, state, events: its, isChanged: changed.has(day), closedWith }
  })
  return { days, next: last && addDays(last, 1), last }
}

type Limits = { first: string | null; last: string | null }

function stateOf(day: string, { first, last }: Limits, newest: DayEvent | undefined, now: Date): BookState {
  const isProposal = newest?.completes === null
  const isBefore = first === null ? last === null : day < first
  if (isBefore && newest === undefined && now >= closableFrom(day)) return 'before'
  if (last !== null && day <= last) return isProposal && newest.action === 'reopen' ? 'reopening' : 'closed'
  if (now < closableFrom(day)) return 'running'
  if (isProposal && newest.action === 'close') return 'proposed'
  return last === null && isBefore ? 'before' : 'open'
}

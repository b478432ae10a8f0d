import type { Queryable } from '../../../platform/postgres/db.ts'
import { closingsBetween, selectDayEvents } from './store.ts'

type Span = { fromDay: string; toDay: string }

/** Days of these spans that are closed, oldest first, and the two people who closed each. */
export async function closedBy(db: Queryable, spans: Span[]): Promise<{ day: string; people: string[] }[]> {
  const byDay = new Map<string, string[]>()
  for (const { fromDay: from, toDay: to } of spans) {
    const events = await selectDayEvents(db, { from, to })
    for (const { day, operator, completes } of await closingsBetween(db, { from, to })) {
      const first = events.find(({ id }) => id === completes)?.operator ?? []
      byDay.set(day, [first, operator].flat())
    }
  }
  return [...byDay].map(([day, people]) => ({ day, people })).toSorted((a, b) => (a.day < b.day ? -1 : 1))
}

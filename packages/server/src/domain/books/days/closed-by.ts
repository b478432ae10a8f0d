import type { Queryable } from '../../../platform/postgres/db.ts'
import { closingsBetween } from './store.ts'

type Span = { fromDay: string; toDay: string }

/** Days of these spans that are closed, oldest first, and the two people who closed each. */
export async function closedBy(db: Queryable, spans: Span[]): Promise<{ day: string; people: string[] }[]> {
  const byDay = new Map<string, string[]>()
  for (const { fromDay: from, toDay: to } of spans) {
    const closings = await closingsBetween(db, { from, to })
    for (const { day, proposedBy, operator } of closings) byDay.set(day, [proposedBy, operator])
  }
  return [...byDay].map(([day, people]) => ({ day, people })).toSorted((a, b) => (a.day < b.day ? -1 : 1))
}

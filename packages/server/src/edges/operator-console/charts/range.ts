import type { HourRange } from '../../../domain/overview/index.ts'
import { daysOf } from '../../../domain/overview/index.ts'
import { addDays, isDay, istanbul } from '../../../kernel/istanbul.ts'
import { lastDays } from '../../web/console/transaction-list.ts'

/** A longer range would keep the connection of reports busy for too long. */
export const MAX_DAYS = 92

/** `last`: so many days until now, if the address says so. `isCut`: it asked for more days than are shown. */
export type ChartRange = HourRange & { last: number | null; isCut: boolean }

/** The range that an address asks for: `last`, or `from` and `to` as 2026-11-17 or 2026-11-17T09; the default is today. */
export function rangeFrom(query: Record<string, unknown>, now: Date): ChartRange {
  const { day: today, minutes } = istanbul(now)
  const thisHour = hourOf(today, Math.floor(minutes / 60))
  const [from, to] = [readHour(query['from'], 0), readHour(query['to'], 23)]
  const last = from === null && to === null ? (lastDays(query) ?? 1) : null
  const end = to !== null && to < thisHour && last === null ? to : thisHour
  const wanted = last === null ? (from ?? '') : hourOf(addDays(today, 1 - last), 0)
  const start = wanted !== '' && wanted <= end ? wanted : hourOf(end.slice(0, 10), 0)
  const first = hourOf(addDays(end.slice(0, 10), 1 - MAX_DAYS), 0)
  return { from: start < first ? first : start, to: end, last, isCut: start < first }
}

const hourOf = (day: string, hour: number) => `${day}T${String(hour).padStart(2, '0')}`

function readHour(given: unknown, hour: number): string | null {
  const [, day = '', written] = /^(\d{4}-\d{2}-\d{2})(?:T([01]\d|2[0-3]))?$/.exec(String(given)) ?? []
  return isDay(day) ? hourOf(day, written === undefined ? hour : Number(written)) : null
}

/** 17.11.2026 09:00 – 13:59, or whole days. */
export function rangeText({ from, to }: HourRange): string {
  const dayText = (hour: string) => hour.slice(0, 10).split('-').toReversed().join('.')
  const [first, last] = [from.slice(11), to.slice(11)]
  const days = [...new Set([dayText(from), dayText(to)])]
  if (daysOf({ from, to }).length > 1 && first === '00') return days.join(' – ')
  return `${dayText(from)} ${first}:00 – ${days[1] === undefined ? '' : `${days[1]} `}${last}:59`
}

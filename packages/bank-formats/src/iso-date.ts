import { excerpt, fileError } from './file-problems.ts'
import type { Position } from './statement.ts'

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Since 2016, in summer and winter. */
const ISTANBUL = '+03:00'

/** Whether `yyyy-mm-dd` is a day of the calendar. */
export function isDay(text: string): boolean {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return day >= 1 && day <= (month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0))
}

/** The day of an ISO 20022 date or date and time, as written: a time zone does not move it. */
export function dayOf(text: string, position: Position): string {
  const day = /^(\d{4}-\d\d-\d\d)(?:$|[TZ+-])/.exec(text)?.[1]
  if (day === undefined || !isDay(day))
    throw fileError(position, 'value_not_date', { text: excerpt(text), forms: ['2026-01-31'] })
  return day
}

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d(?:\.\d{1,3})?)\d*)?(Z|[+-]\d\d:?\d\d)?$/

/**
 * The time of an ISO 20022 date and time, with its zone or that of Istanbul; null for a day without a time.
 * Midnight is null too: it is how programs write a time that they do not have.
 */
export function timeOf(text: string, position: Position): string | null {
  if (text[10] !== 'T') return null
  const [, minute = '', second = '00', zone = ISTANBUL] = TIME.exec(text) ?? []
  const time = `${minute}:${second}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`
  if (Number.isNaN(Date.parse(time))) throw fileError(position, 'value_not_time', { text: excerpt(text) })
  return /T(?:00|24):00:00(?:\.0+)?(?:Z|[+-])/.test(time) ? null : time
}

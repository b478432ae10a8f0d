import { daysBetween, startOfDay } from '../../kernel/istanbul.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { HOUR_MS } from '../../platform/time/clock.ts'
import type { BankDirectory } from '../banks/index.ts'
import { INTERBANK_CURRENCY } from '../banks/index.ts'
import type { LineFigures } from '../matching/index.ts'
import { figuresOfDay } from '../matching/index.ts'
import type { PayoutOutcome } from '../withdrawals/index.ts'
import { payoutOutcomes } from '../withdrawals/index.ts'

/** First and last hour in Istanbul, both included: 2026-11-17T09. */
export type HourRange = { from: string; to: string }

/** A week by hour has 168 points; a longer range is shown by day. */
const MAX_DAYS_BY_HOUR = 7

/** `at`: 2026-11-17T09, or 2026-11-17 for a day. */
export type ChartPoint = Omit<LineFigures, 'hour'> & { at: string }
export type BankPayouts = { bank: string; completed: number; rejected: number; returned: number; open: number }
export type Charts = { points: ChartPoint[]; payouts: BankPayouts[] }

const OUTCOMES: Record<PayoutOutcome['state'], Exclude<keyof BankPayouts, 'bank'>> = {
  ...{ ready: 'open', calling: 'open', asking: 'open' },
  ...{ sent: 'completed', failed: 'rejected', returned: 'returned' },
}

type Deps = { db: Pick<Db, 'report'>; banks: BankDirectory }

/** Money in TRY by booking day, and payouts by the day on which they were made. Reads day by day. */
export async function chartsOf({ db, banks }: Deps, range: HourRange): Promise<Charts> {
  const days = daysOf(range)
  const byHour = days.length <= MAX_DAYS_BY_HOUR
  const points: ChartPoint[] = []
  const payouts = new Map<string, BankPayouts>()
  const bankOf = new Map((await banks.accounts()).map(({ id, bankName }) => [id, bankName]))
  for (const day of days) {
    const figures = await figuresOfDay(db.report, day, INTERBANK_CURRENCY)
    points.push(...(byHour ? hoursOf(day, figures, range) : [{ ...wholeDay(figures), at: day }]))
    for (const { sourceAccountId, state, count } of await payoutOutcomes(db.report, ...timesOf(day, byHour, range))) {
      const bank = bankOf.get(sourceAccountId) ?? sourceAccountId
      const sums = payouts.get(bank) ?? { bank, completed: 0, rejected: 0, returned: 0, open: 0 }
      sums[OUTCOMES[state]] += count
      payouts.set(bank, sums)
    }
  }
  return { points, payouts: [...payouts.values()].toSorted((a, b) => a.bank.localeCompare(b.bank, 'tr')) }
}

const dayIn = (hour: string) => hour.slice(0, 10)

export const daysOf = ({ from, to }: HourRange): string[] => daysBetween(dayIn(from), dayIn(to))

const NOTHING = {
  ...{ credits: 0n, debits: 0n, automatic: 0, byHand: 0, suspense: 0, review: 0, waiting: 0 },
  secondsToMatch: null,
}

export function wholeDay(figures: LineFigures[]): Omit<ChartPoint, 'at'> {
  return figures.find(({ hour }) => hour === null) ?? NOTHING
}

/** Every hour of the range, also those without lines. */
function hoursOf(day: string, figures: LineFigures[], { from, to }: HourRange): ChartPoint[] {
  return Array.from({ length: 24 }, (_, hour) => {
    const at = `${day}T${String(hour).padStart(2, '0')}`
    return { ...(figures.find((one) => one.hour === hour) ?? NOTHING), at }
  }).filter(({ at }) => at >= from && at <= to)
}

/** From the first to after the last moment of a day in the range. */
function timesOf(day: string, byHour: boolean, { from, to }: HourRange): [Date, Date] {
  const hourIn = (hour: string) => (byHour ? Number(hour.slice(11)) : 0)
  const start = startOfDay(day).getTime()
  const first = day === dayIn(from) ? start + hourIn(from) * HOUR_MS : start
  const end = day === dayIn(to) && byHour ? start + (hourIn(to) + 1) * HOUR_MS : start + 24 * HOUR_MS
  return [new Date(first), new Date(end)]
}

import type { Db } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { addDays, istanbul, startOfDay } from '../../../kernel/istanbul.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { businessDaysAgo } from '../../banks/index.ts'
import { closedUntil } from '../../ledger/index.ts'
import { daySubject, heldSubjects } from '../../people/index.ts'
import { firstStatementDay, lastReads } from '../../statements/index.ts'
import { closableFrom } from './close-day.ts'
import { changedDays } from './since-close.ts'

type Deps = { db: Db; clock: Clock; banks: BankDirectory }

/** A statement that has not come by then will not come by itself. */
const LATE_BUSINESS_DAYS = 2

/** `open`: days that can be closed and that no proposal is about, oldest first. `changed`: closed days of which lines came since. */
type DaysToClose = { open: string[]; changed: { day: string; readAt: Date }[] }

export async function daysToClose({ db, clock, banks }: Deps): Promise<DaysToClose> {
  const now = clock.now()
  const last = await closedUntil(db.report)
  const first = await firstStatementDay(db.report)
  const from = last === null ? first : addDays(last, 1)
  const changed = await changedDays(db.report, last)
  if (from === null) return { open: [], changed }
  const until = await readUntil({ db, clock, banks })
  const over: string[] = []
  for (let day = from; closableFrom(day) <= now && startOfDay(addDays(day, 1)) <= until; day = addDays(day, 1))
    over.push(day)
  const proposed = await heldSubjects({ clock }, db.report, over.map(daySubject))
  return { open: over.filter((day) => !proposed.has(daySubject(day))), changed }
}

/** Until when the statements of all accounts that are read were read, or should have been. */
async function readUntil({ db, clock, banks }: Deps): Promise<Date> {
  const accounts = (await banks.accounts()).filter(({ state }) => state !== 'blocked')
  const sources = [...new Set(accounts.flatMap(({ connection }) => connection ?? []))]
  const late = businessDaysAgo(clock.now(), LATE_BUSINESS_DAYS, await banks.holidays()).getTime()
  const reads = sources.length === 0 ? [] : await lastReads(db.report, sources)
  const times = reads.map(({ readAt }) => Math.max(readAt?.getTime() ?? 0, late))
  return new Date(times.length === 0 ? startOfDay(istanbul(clock.now()).day) : Math.min(...times))
}

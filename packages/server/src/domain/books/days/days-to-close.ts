import type { Db } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { addDays, istanbul, startOfDay } from '../../../kernel/istanbul.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { businessDaysAgo } from '../../banks/index.ts'
import { closedUntil } from '../../ledger/index.ts'
import { firstStatementDay, lastReads } from '../../statements/index.ts'
import { closableFrom } from './close-day.ts'
import { changedDays } from './since-close.ts'
import type { Decision } from './store.ts'
import { openProposals } from './store.ts'

type Deps = { db: Db; clock: Clock; banks: BankDirectory }

/** A statement that has not come by then will not come by itself. */
const LATE_BUSINESS_DAYS = 2

/** The newest proposal of a day. `equal`: of other people, with the same figures; each of them may close it. */
type DayProposal = Decision & { equal: Decision[] }

/** `proposals`: of days for which another person is awaited. `open`: other days that can be closed, oldest first. `changed`: closed days of which lines came since. */
export type DaysToClose = { proposals: DayProposal[]; open: string[]; changed: { day: string; readAt: Date }[] }

export async function daysToClose({ db, clock, banks }: Deps): Promise<DaysToClose> {
  const now = clock.now()
  const last = await closedUntil(db.report)
  const first = await firstStatementDay(db.report)
  const from = last === null ? first : addDays(last, 1)
  const proposals = byDay(await openProposals(db.report, last))
  const changed = await changedDays(db.report, last)
  if (from === null) return { proposals, open: [], changed }
  const proposed = new Set(proposals.map(({ day }) => day))
  const until = await readUntil({ db, clock, banks })
  const open: string[] = []
  for (let day = from; closableFrom(day) <= now && startOfDay(addDays(day, 1)) <= until; day = addDays(day, 1))
    if (!proposed.has(day)) open.push(day)
  return { proposals, open, changed }
}

function byDay(open: Decision[]): DayProposal[] {
  return [...Map.groupBy(open, ({ day }) => day).values()].flatMap(([newest, ...others]) => {
    if (!newest) return []
    const isEqual = ({ action, figuresHash, operator }: Decision) =>
      action === newest.action && figuresHash === newest.figuresHash && operator !== newest.operator
    return [{ ...newest, equal: others.filter(isEqual) }]
  })
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

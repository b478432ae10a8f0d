import { addDays, istanbul, startOfDay } from '../../kernel/istanbul.ts'
import { idsBetween } from '../../platform/crypto/ids.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { StatusTotal } from '../deposits/index.ts'
import { depositTotals } from '../deposits/index.ts'
import { withdrawalTotals } from '../withdrawals/index.ts'

export type TodaysTotals = { deposits: StatusTotal[]; withdrawals: StatusTotal[] }

/** One merchant's transactions that were created today, by status. */
export async function todaysTotals(db: Queryable, merchantId: string, now: Date): Promise<TodaysTotals> {
  const { day } = istanbul(now)
  const [from, to] = [startOfDay(day), startOfDay(addDays(day, 1))]
  const created = { from, to, ...idsBetween(from, to) }
  return {
    deposits: await depositTotals(db, merchantId, created),
    withdrawals: await withdrawalTotals(db, merchantId, created),
  }
}

import type { Db } from '../../../platform/postgres/db.ts'
import { listPayouts } from '../../payouts/index.ts'
import type { LineTotal } from '../../statements/index.ts'
import { suspenseTotals } from '../../statements/index.ts'
import type { DayProof } from './prove-day.ts'
import { proveDay } from './prove-day.ts'

/** `open`: what waits now, whatever the day: money in suspense, and payouts with an unknown outcome. */
export type DayReport = DayProof & { open: { suspense: LineTotal[]; unknownPayouts: LineTotal[] } }

/** More than this is an incident with commands of its own. */
const UNKNOWN_COUNTED = 10_000

export async function reportDay({ db }: { db: Db }, day: string): Promise<DayReport> {
  const proof = await proveDay(db, day)
  const unknown = await listPayouts(db.report, 'unknown', UNKNOWN_COUNTED)
  const unknownPayouts = [...Map.groupBy(unknown, ({ currency }) => currency)].map(([currency, payouts]) => ({
    currency,
    count: payouts.length,
    amount: payouts.reduce((sum, { amount }) => sum + amount, 0n),
    oldest: payouts.reduce((oldest, { createdAt }) => (createdAt < oldest ? createdAt : oldest), new Date(8.64e15)),
  }))
  return { ...proof, open: { suspense: await suspenseTotals(db.report), unknownPayouts } }
}

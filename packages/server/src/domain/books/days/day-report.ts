import { sumOf } from '../../../kernel/money.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { openRests } from '../journal/rests.ts'
import { openReceivables } from '../journal/receivables.ts'
import { listPayouts, unknownSince } from '../../withdrawals/index.ts'
import type { LineTotal, UnconfirmedLine } from '../../statements/index.ts'
import { reviewTotals, suspenseTotals, unconfirmedOfDay } from '../../statements/index.ts'
import type { DayProof } from './prove-day.ts'
import { proveDay } from './prove-day.ts'
import type { ClosedWith } from './since-close.ts'
import { closedWith } from './since-close.ts'

/**
 * `open`: what waits now, whatever the day: money in suspense, rests of splits there, credits and debits in review, money owed to us, and payouts
 * with an unknown outcome. `closedWith`: what two people agreed to, if they closed it. `unconfirmed`: lines of the day that its final statement lacks.
 */
export type DayReport = DayProof & {
  closedWith: ClosedWith | null
  unconfirmed: UnconfirmedLine[]
  open: Record<'suspense' | 'rests' | 'credits' | 'debits' | 'receivables' | 'unknownPayouts', LineTotal[]>
}

/** More than this is an incident with commands of its own. */
const UNKNOWN_COUNTED = 10_000

export async function reportDay({ db }: { db: Db }, day: string): Promise<DayReport> {
  const proof = await proveDay(db, day)
  const unknown = await listPayouts(db.report, 'asking', UNKNOWN_COUNTED)
  const receivables = (await openReceivables(db.report)).map(({ account: { currency }, open, since }) => {
    return { currency, amount: open, since }
  })
  const rests = (await openRests(db.report)).map(({ line: { currency, bookedAt: since }, amount }) => {
    return { currency, amount, since }
  })
  const unknownPayouts = unknown.map((one) => ({
    currency: one.currency,
    amount: one.amount,
    since: unknownSince(one),
  }))
  const open = {
    suspense: await suspenseTotals(db.report),
    rests: totalsOf(rests),
    credits: await reviewTotals(db.report, 'credit'),
    debits: await reviewTotals(db.report, 'debit'),
    receivables: totalsOf(receivables),
    unknownPayouts: totalsOf(unknownPayouts),
  }
  const unconfirmed = await unconfirmedOfDay(db.report, day)
  return { ...proof, open, unconfirmed, closedWith: await closedWith(db.report, proof) }
}

function totalsOf(rows: { currency: string; amount: bigint; since: Date }[]): LineTotal[] {
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, its]) => ({
    currency,
    count: its.length,
    amount: sumOf(its),
    oldest: its.reduce((oldest, { since }) => (since < oldest ? since : oldest), new Date(8.64e15)),
  }))
}

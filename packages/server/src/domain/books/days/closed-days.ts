import type { Db, Queryable } from '../../../platform/postgres/db.ts'
import type { Difference } from './difference.ts'
import { abs, isUnexplained } from './difference.ts'
import type { Decision } from './store.ts'
import { closingsBetween, countWrongBalances, lastClosing } from './store.ts'

/** What a day was closed with. `accepted`: what no one could explain. Of the accounts in use, `without` had no balance of the bank. */
export type ClosedFigures = { at: Date; accepted: bigint; without: number; used: number }

/** From the figures that two people agreed to: `TR… closing`, `TR… unexplained LINE` and so on. */
export function closedFigures({ figures, reason, decidedAt }: Decision): ClosedFigures {
  const named = Object.entries(figures).map(([name, value]) => {
    const [iban = '', what = ''] = name.split(' ')
    return { iban, what, value }
  })
  const accounts = [...Map.groupBy(named, ({ iban }) => iban).values()].filter((its) =>
    its.some(({ what }) => what === 'closing'),
  )
  const isKnown = (its: typeof named) => its.some(({ value }) => value !== '0' && value !== 'null')
  // One whose balance could not be proven is in use, also with nothing on it.
  const isUnproven = (its: typeof named) => its.some(({ what }) => what === 'carried') && !hasBalance(its, reason)
  const used = accounts.filter((its) => isKnown(its) || isUnproven(its))
  const open = used.flat().filter(({ what }) => isUnexplained({ kind: what as Difference['kind'] }))
  return {
    at: decidedAt,
    accepted: open.reduce((sum, { value }) => sum + abs(BigInt(value)), 0n),
    without: used.filter((its) => !hasBalance(its, reason)).length,
    used: used.length,
  }
}

/** Without a reason no day is closed whose balance was only carried from an earlier one. */
function hasBalance(figures: { what: string; value: string }[], reason: string | null): boolean {
  const isGiven = figures.some(({ what, value }) => what === 'closing' && value !== 'null')
  return isGiven || (reason === null && figures.some(({ what }) => what === 'carried'))
}

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

/** The last closed day, and how many balances stored with it are not the sum of the entries until then. Null: none is closed. */
export async function checkClosing({ db }: { db: Db }): Promise<{ day: string; wrong: number } | null> {
  const closing = await lastClosing(db.report, null)
  return closing && { day: closing.day, wrong: await countWrongBalances(db.report, closing) }
}

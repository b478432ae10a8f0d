import type { Queryable } from '../../../platform/postgres/db.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { note } from '../../../kernel/refusals/note.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { CollectingAccount } from '../../banks/index.ts'
import { closedUntil } from '../../ledger/index.ts'
import type { Balances, DayBalances } from '../day-statements/store.ts'
import { balancesBetween } from '../day-statements/store.ts'
import { balancesByDay } from './balances.ts'
import type { ReadStatement } from './read-in-parts.ts'
import type { Finding } from './statement-file.ts'

/** The others are counted: a file of a year may change as many days. */
const SHOWN = 3

/** Balances of closed days that the import would replace: two people agreed to the figures of those days. */
export async function closedDayFindings(
  db: Queryable,
  { id, currency }: CollectingAccount,
  statement: ReadStatement,
): Promise<Finding[]> {
  const until = await closedUntil(db)
  const given = [...balancesByDay(statement)].filter(([day]) => until !== null && day <= until)
  const days = given.map(([day]) => day).toSorted()
  const [from, to] = [days[0], days.at(-1)]
  if (from === undefined || to === undefined) return []
  const stored = new Map((await balancesBetween(db, id, { from, to })).map((one) => [one.day, one]))
  const found = given.flatMap(([day, balances]) => changesOf(day, stored.get(day), balances, currency))
  const rest = found.length - SHOWN
  const more = note('finding_closed_days_more', { count: rest })
  return [...found.slice(0, SHOWN), ...(rest > 0 ? [more] : [])].map((what) => ({
    severity: 'problem',
    check: 'closed',
    what,
  }))
}

function changesOf(day: string, stored: DayBalances | undefined, given: Balances, currency: string): Said[] {
  // The next page of the day keeps its opening balance.
  const isNextPage = stored !== undefined && stored.opening !== null && stored.closing === given.opening
  return (['opening', 'closing'] as const).flatMap((name) => {
    const [was, is] = [stored?.[name] ?? null, given[name]]
    if (was === null || is === null || was === is || (name === 'opening' && isNextPage)) return []
    const balances = { was: money(was, currency), is: money(is, currency), difference: money(is - was, currency) }
    return note('finding_closed_day', { which: name, day, ...balances })
  })
}

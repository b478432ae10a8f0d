import type { Queryable } from '../../../platform/postgres/db.ts'
import { formatMoney } from '../../../kernel/money.ts'
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
  const more = `${rest} more balances of closed days become other ones`
  return [...found.slice(0, SHOWN), ...(rest > 0 ? [more] : [])].map((what) => ({
    severity: 'problem',
    check: 'closed',
    what,
  }))
}

function changesOf(day: string, stored: DayBalances | undefined, given: Balances, currency: string): string[] {
  // The next page of the day keeps its opening balance.
  const isNextPage = stored !== undefined && stored.opening !== null && stored.closing === given.opening
  return (['opening', 'closing'] as const).flatMap((name) => {
    const [was, is] = [stored?.[name] ?? null, given[name]]
    if (was === null || is === null || was === is || (name === 'opening' && isNextPage)) return []
    const money = (amount: bigint) => formatMoney(amount, currency)
    return `${day} is closed: its ${name} balance ${money(was)} becomes ${money(is)} (difference ${money(is - was)}). Ask the bank which is right`
  })
}

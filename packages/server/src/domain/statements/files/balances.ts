import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Balances, DayStatement } from '../day-statements/store.ts'
import { openDayStatements, updateBalances } from '../day-statements/store.ts'
import type { Joined } from './pages.ts'
import type { ReadStatement } from './read-in-parts.ts'
import type { StatementFile } from './statement-file.ts'
import { isFinal } from './statement-file.ts'

/** Writes the bank's balances to the statements of the days: all days if lines have balances, else the first and the last. */
export async function fillBalances(
  app: { clock: Clock; ids: Ids },
  tx: Tx,
  file: StatementFile,
  known: Joined[],
): Promise<void> {
  for (const { statement, account, isPart } of known) {
    if (isPart || !isFinal(statement.head.format)) continue
    const days = balancesByDay(statement)
    const wanted = [...days.keys()].map((day): DayStatement => {
      return { id: app.ids.next(), collectingAccountId: account.id, connection: file.connection, day }
    })
    if (wanted.length === 0) continue
    const found = await openDayStatements(tx, wanted, app.clock.now())
    for (const { id, day } of found.toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
      const { opening, closing } = days.get(day) as Balances
      await updateBalances(tx, { statementId: id, opening, closing }, file.id)
    }
  }
}

/** What the bank says of each day at its start and its end. */
export function balancesByDay({ days, head, foot, fromDay, toDay }: ReadStatement): Map<string, Balances> {
  const all = new Map<string, Balances>(days)
  const add = (day: string, balances: Partial<Balances>) =>
    all.set(day, { opening: null, closing: null, ...all.get(day), ...balances })
  if (fromDay !== null && head.opening) add(fromDay, { opening: head.opening.amount })
  if (toDay !== null && foot.closing) add(toDay, { closing: foot.closing.amount })
  return all
}

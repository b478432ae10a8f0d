import type { Clock } from '../../../platform/time/clock.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { businessDaysAgo } from '../../banks/index.ts'
import { notReplaced } from './replace-entered.ts'
import type { BookedEntry } from './store.ts'
import { selectBookedBefore } from './store.ts'

/** By then every bank has given the statement of the day. */
export const REPLACED_WITHIN_DAYS = 3

/** Entered lines that no line of the bank has replaced in time: the bank may not know the booking. */
export async function overdueEntries(app: {
  db: Queryable
  clock: Clock
  banks: BankDirectory
}): Promise<BookedEntry[]> {
  const before = businessDaysAgo(app.clock.now(), REPLACED_WITHIN_DAYS, await app.banks.holidays())
  return (await notReplaced(app.db, await selectBookedBefore(app.db, before))).open
}

import { addDays } from '../../../kernel/istanbul.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { balancesAround, sumOfLines } from '../../statements/index.ts'

/** The balance at the end of a day for which the bank gave none, from that of another day and the lines between. */
export type CarriedBalance = { closing: bigint; fromDay: string; proven: boolean }

/** An account without a balance for longer than this has a source that gives none any more. */
const USUAL_DAYS = 31

/**
 * By account. An account that never had a balance has none here. The opening of a later day proves this one; the closing
 * of an earlier day does not, because lines may be missing since.
 */
export async function carryBalances(
  db: Queryable,
  accountIds: string[],
  day: string,
): Promise<Map<string, CarriedBalance>> {
  const carried = new Map<string, CarriedBalance>()
  for (const around of await balancesAround(db, accountIds, day)) {
    const { collectingAccountId: id, lastDay, lastClosing, nextDay, nextOpening } = around
    if (nextDay !== null && nextOpening !== null) {
      const since = await sumOfLines(db, id, { after: day, until: addDays(nextDay, -1) })
      carried.set(id, { closing: nextOpening - since, fromDay: nextDay, proven: true })
      continue
    }
    const closing = lastClosing + (await sumOfLines(db, id, { after: lastDay, until: day }))
    carried.set(id, { closing, fromDay: lastDay, proven: lastDay < addDays(day, -USUAL_DAYS) })
  }
  return carried
}

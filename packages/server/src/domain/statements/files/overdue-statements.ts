import { istanbul } from '../../../kernel/istanbul.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { businessDaysAgo, listAccounts } from '../../banks/index.ts'
import { selectCovered } from './store.ts'

/** The statement of a day comes on the next business day, and may be one business day late. */
const LATE_BUSINESS_DAYS = 2

/** `until`: the last day that a statement of whole days covers, or null. */
export type SilentAccount = { iban: string; until: string | null }

/** Accounts of a connection that sends files whose statement is more than one business day late. */
export async function overdueStatements(
  { db, clock, banks }: { db: Queryable; clock: Clock; banks: Pick<BankDirectory, 'holidays'> },
  connection: string,
): Promise<SilentAccount[]> {
  const accounts = (await listAccounts(db)).filter((one) => one.connection === connection && one.state !== 'blocked')
  const ids = accounts.map(({ id }) => id)
  const covered = new Map((await selectCovered(db, ids)).map(({ id, day }) => [id, day]))
  const { day: due } = istanbul(businessDaysAgo(clock.now(), LATE_BUSINESS_DAYS, await banks.holidays()))
  return accounts.flatMap(({ id, iban }) => {
    const until = covered.get(id) ?? null
    return until !== null && until >= due ? [] : { iban, until }
  })
}

import type { Clock } from '../../../platform/time/clock.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { istanbul, startOfDay } from '../../../kernel/istanbul.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { businessDaysAgo, listAccounts } from '../../banks/index.ts'
import { saveReadFiles } from '../cursors/store.ts'
import { selectCovered } from './store.ts'

/**
 * Saves the time until which every account of the connection is covered by statements of whole days. Deposits expire up to it. A
 * statement that came on its own day covers only the days before: what is booked later that day comes with the next one.
 */
export async function saveCoverage({ clock }: { clock: Clock }, tx: Tx, connection: string): Promise<void> {
  const accounts = (await listAccounts(tx)).filter((one) => one.connection === connection && one.state !== 'blocked')
  const ids = accounts.map(({ id }) => id)
  const covered = ids.length > 0 ? await selectCovered(tx, ids) : []
  const today = startOfDay(istanbul(clock.now()).day).getTime()
  const times = covered.map(({ day }) => (day === null ? null : Math.min(startOfDay(day).getTime() + DAY_MS, today)))
  const isComplete = times.length > 0 && !times.includes(null)
  const until = isComplete ? new Date(Math.min(...times.map(Number))) : null
  await saveReadFiles(tx, connection, until)
}

/** The statement of a day comes on the next business day, and may be one business day late. */
const LATE_BUSINESS_DAYS = 2

/** `until`: the last day that a statement of whole days covers, or null. */
type SilentAccount = { iban: string; until: string | null }

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

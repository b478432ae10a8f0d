import type { Clock } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/db.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { businessDaysAgo } from '../../banks/index.ts'
import type { LineTotal } from '../../statements/index.ts'
import { accountsShowingDebits, queuedDebits } from '../../statements/index.ts'
import type { Payout } from './payout.ts'
import type { Overdue } from './store.ts'
import { selectWithoutDebit, sumWithoutDebit } from './store.ts'

type Needs = { db: Queryable; clock: Clock; banks: BankDirectory }

/** EFT of an evening is on the statement of the next business day; banks that send files need one more. */
const PATIENCE_BUSINESS_DAYS = 2

/**
 * Where our books and the bank's statement tell of different payouts, by currency. `payouts`: completed, and no debit shows it
 * after two business days. `debits`: money that left and is no payout of ours, or contradicts one.
 */
export async function missingLines(app: Needs): Promise<{ payouts: LineTotal[]; debits: LineTotal[] }> {
  const [payouts, debits] = await Promise.all([sumWithoutDebit(app.db, await overdue(app)), queuedDebits(app.db)])
  return { payouts, debits }
}

/** Oldest first. */
export async function listWithoutDebit(app: Needs, limit: number): Promise<Payout[]> {
  return selectWithoutDebit(app.db, await overdue(app), limit)
}

/** What was sent by hand is looked for only where the statement shows debits at all: it may not be read, or have credits only. */
async function overdue({ db, clock, banks }: Needs): Promise<Overdue> {
  const before = businessDaysAgo(clock.now(), PATIENCE_BUSINESS_DAYS, await banks.holidays())
  const accountIds = (await banks.accounts()).map(({ id }) => id)
  return { before, accountIds: await accountsShowingDebits(db, accountIds) }
}

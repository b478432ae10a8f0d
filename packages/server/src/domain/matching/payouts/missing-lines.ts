import type { Clock } from '../../../platform/time/clock.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { businessDaysAgo } from '../../banks/index.ts'
import type { LineTotal } from '../../statements/index.ts'
import { accountsShowingDebits, reviewTotals } from '../../statements/index.ts'
import type { Payout, Overdue } from '../../payouts/index.ts'
import { OVERDUE_BUSINESS_DAYS, selectWithoutDebit, sumWithoutDebit } from '../../payouts/index.ts'

type Deps = { db: Queryable; clock: Clock; banks: BankDirectory }

/** By currency. */
export type MissingLines = {
  /** Completed, but without a debit on a statement after two business days. */
  payouts: LineTotal[]
  /** Money that left and is not a payout of ours, or contradicts one. */
  debits: LineTotal[]
  /** Money that may have arrived but is in no ledger account: suspected corrections, and lines that cannot be booked. */
  credits: LineTotal[]
}

/** Differences between our books and the bank's statement. */
export async function missingLines(app: Deps): Promise<MissingLines> {
  const [payouts, debits, credits] = await Promise.all([
    sumWithoutDebit(app.db, await overdue(app)),
    reviewTotals(app.db, 'debit'),
    reviewTotals(app.db, 'credit'),
  ])
  return { payouts, debits, credits }
}

/** Oldest first. */
export async function listWithoutDebit(app: Deps, limit: number): Promise<Payout[]> {
  return selectWithoutDebit(app.db, await overdue(app), limit)
}

/** Payouts sent by hand are checked only on accounts whose statement shows debits: others may be unread or list credits only. */
async function overdue({ db, clock, banks }: Deps): Promise<Overdue> {
  const before = businessDaysAgo(clock.now(), OVERDUE_BUSINESS_DAYS, await banks.holidays())
  const accountIds = (await banks.accounts()).map(({ id }) => id)
  return { before, accountIds: await accountsShowingDebits(db, accountIds) }
}

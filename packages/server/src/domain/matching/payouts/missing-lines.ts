import type { Clock } from '../../../platform/time/clock.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { businessDaysAgo } from '../../banks/index.ts'
import type { LineTotal } from '../../statements/index.ts'
import { accountsShowingDebits, reviewTotals } from '../../statements/index.ts'
import type { Payout, Overdue } from '../../withdrawals/index.ts'
import {
  OVERDUE_BUSINESS_DAYS,
  selectWithoutCredit,
  selectWithoutDebit,
  sumWithoutCredit,
  sumWithoutDebit,
} from '../../withdrawals/index.ts'

type Deps = { db: Queryable; clock: Clock; banks: BankDirectory }

/** By currency. */
export type MissingLines = {
  /** Completed, but without a debit on a statement after two business days. */
  payouts: LineTotal[]
  /** Returned on the bank's word, but without a credit on a statement after two business days. */
  returns: LineTotal[]
  /** Money that left and is not a payout of ours, or contradicts one. */
  debits: LineTotal[]
  /** Money that may have arrived but is in no ledger account: suspected corrections, and lines that cannot be booked. */
  credits: LineTotal[]
}

/** Differences between our books and the bank's statement. */
export async function missingLines(app: Deps): Promise<MissingLines> {
  const [payouts, returns, debits, credits] = await Promise.all([
    sumWithoutDebit(app.db, await overdue(app)),
    sumWithoutCredit(app.db, await overdueSince(app)),
    reviewTotals(app.db, 'debit'),
    reviewTotals(app.db, 'credit'),
  ])
  return { payouts, returns, debits, credits }
}

/** Oldest first. */
export async function listWithoutDebit(app: Deps, limit: number): Promise<Payout[]> {
  return selectWithoutDebit(app.db, await overdue(app), limit)
}

export async function listWithoutCredit(app: Deps, limit: number): Promise<Payout[]> {
  return selectWithoutCredit(app.db, await overdueSince(app), limit)
}

async function overdueSince({ clock, banks }: Deps): Promise<Date> {
  return businessDaysAgo(clock.now(), OVERDUE_BUSINESS_DAYS, await banks.holidays())
}

/** Payouts sent by hand are checked only on accounts whose statement shows debits: others may be unread or list credits only. */
async function overdue(app: Deps): Promise<Overdue> {
  const accountIds = (await app.banks.accounts()).map(({ id }) => id)
  return { before: await overdueSince(app), accountIds: await accountsShowingDebits(app.db, accountIds) }
}

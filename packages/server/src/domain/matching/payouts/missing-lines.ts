import type { Clock } from '../../../platform/time/clock.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { businessDaysAgo } from '../../banks/index.ts'
import type { LineTotal } from '../../statements/index.ts'
import { accountsShowingDebits, linesToReview } from '../../statements/index.ts'
import type { Payout, Overdue } from '../../payouts/index.ts'
import { selectWithoutDebit, sumWithoutDebit } from '../../payouts/index.ts'

type Deps = { db: Queryable; clock: Clock; banks: BankDirectory }

/** EFT of an evening is on the statement of the next business day; banks that send files need one more. */
const PATIENCE_BUSINESS_DAYS = 2

/** By currency. */
export type MissingLines = {
  /** Completed, and no debit shows it after two business days. */
  payouts: LineTotal[]
  /** Money that left and is no payout of ours, or contradicts one. */
  debits: LineTotal[]
  /** Money that may have come, and is in no account of ours: suspected corrections, and what cannot be booked. */
  credits: LineTotal[]
}

/** Where our books and the bank's statement differ. */
export async function missingLines(app: Deps): Promise<MissingLines> {
  const [payouts, debits, credits] = await Promise.all([
    sumWithoutDebit(app.db, await overdue(app)),
    linesToReview(app.db, 'debit'),
    linesToReview(app.db, 'credit'),
  ])
  return { payouts, debits, credits }
}

/** Oldest first. */
export async function listWithoutDebit(app: Deps, limit: number): Promise<Payout[]> {
  return selectWithoutDebit(app.db, await overdue(app), limit)
}

/** What was sent by hand is looked for only where the statement shows debits at all: it may not be read, or have credits only. */
async function overdue({ db, clock, banks }: Deps): Promise<Overdue> {
  const before = businessDaysAgo(clock.now(), PATIENCE_BUSINESS_DAYS, await banks.holidays())
  const accountIds = (await banks.accounts()).map(({ id }) => id)
  return { before, accountIds: await accountsShowingDebits(db, accountIds) }
}

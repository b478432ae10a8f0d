import type { Db } from '../../../platform/postgres/db.ts'
import type { Log } from '../../../platform/log.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { addDays, istanbul } from '../../../kernel/istanbul.ts'
import { listAccounts, updateStops } from '../../banks/index.ts'
import { filesChangedAt } from '../../statements/index.ts'
import type { Difference } from './difference.ts'
import { abs } from './difference.ts'
import type { AccountProof } from './prove-day.ts'
import { proofOf, proveDayIn } from './prove-day.ts'
import { lockChecks, selectChecks, upsertChecks } from './checks/store.ts'
import { atOneMoment } from './store.ts'

type Deps = { db: Db; clock: Clock; log: Log; booksStopAmount: bigint | null }

/** Yesterday's lines may still arrive, and people explain differences during the day. */
const INTERVAL_MS = 10 * 60_000
/** An import is committed after its time, and its lines are matched after that: it is compared at once, and again then. */
const SETTLED_MS = 5000

/**
 * Proves yesterday again and again, and stores the result for metrics and routing. From an account with more unexplained
 * than `booksStopAmount`, no payout leaves until it is explained.
 */
export async function checkBooks({ db, clock, log, booksStopAmount }: Deps): Promise<void> {
  const now = clock.now()
  const day = addDays(istanbul(now).day, -1)
  // Who has just imported a statement looks at once.
  const changedAt = (await filesChangedAt(db))?.getTime() ?? 0
  const settledAt = changedAt + SETTLED_MS
  const knows = (checkedAt: number) => checkedAt >= settledAt || (checkedAt > changedAt && now.getTime() < settledAt)
  const isFresh = ({ day: checked, checkedAt }: { day: string; checkedAt: Date }) =>
    checked === day &&
    Math.abs(now.getTime() - checkedAt.getTime()) < INTERVAL_MS &&
    (knows(checkedAt.getTime()) || changedAt > now.getTime())
  if ((await selectChecks(db)).some(isFresh) || (await listAccounts(db)).length === 0) return
  const proof = await atOneMoment(db, async (tx) => ((await lockChecks(tx)) ? proveDayIn(tx, day) : null))
  if (!proof) return
  const { accounts } = proof
  const open = accounts.filter(({ unexplained }) => unexplained !== 0n)
  const stopped = open.filter(({ unexplained }) => booksStopAmount !== null && unexplained > booksStopAmount)
  await db.transaction(async (tx) => {
    await upsertChecks(
      tx,
      accounts.map((account) => ({
        collectingAccountId: account.collectingAccountId,
        day,
        unexplained: account.unexplained,
        proof: proofOf(account),
        balanceDay: balanceDayOf(account, day),
        bankBalance: account.difference === null ? null : account.ledger + account.difference,
        difference: account.difference,
        accepted: account.differences.reduce((sum, one) => sum + (isAcceptedRest(one) ? abs(one.amount) : 0n), 0n),
        since: account.unexplained === 0n ? null : (balanceDayOf(account, day) ?? day),
        checkedAt: now,
      })),
    )
    await updateStops(
      tx,
      stopped.map(({ collectingAccountId }) => collectingAccountId),
    )
  })
  if (open.length > 0)
    log.error(
      { day, accounts: open.map(({ iban }) => iban), stopped: stopped.length },
      'the books differ from the bank; see docs/books.md, "Not explained"',
    )
}

const isAcceptedRest = ({ kind, subject }: Difference) => kind === 'accepted' && subject === ''

/** The opening of the next day shows this one's balance. */
function balanceDayOf({ difference, carried }: AccountProof, day: string): string | null {
  if (difference === null) return null
  return carried !== null && carried.fromDay < day ? carried.fromDay : day
}

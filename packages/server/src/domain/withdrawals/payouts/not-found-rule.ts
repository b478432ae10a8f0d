import { addDays, istanbul, startOfDay } from '../../../kernel/istanbul.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { BankDirectory, Holiday } from '../../banks/index.ts'
import { nextEftDay } from '../../banks/index.ts'
import { isManual } from '../../connections/index.ts'
import { coveredUntil, idsNaming } from '../../statements/index.ts'
import type { PayoutCall } from '../bank-calls/store.ts'
import { callsOf } from '../bank-calls/store.ts'
import { findLiveBatch } from './batches/store.ts'
import type { Payout } from './payout.ts'
import { DIFFERS, unknownSince } from './payout.ts'

/**
 * Whether people may say that the bank did not send it. `early`: not before `from`. `unproven`: only if they confirm that neither
 * the bank nor a statement shows it.
 */
export type NotFoundRule = { state: 'open' } | { state: 'unproven' } | { state: 'early'; from: Date }

type Facts = {
  calls: PayoutCall[]
  /** When the bank took its order file. */
  fetchedAt: Date | null
  /** The last day of its account that a statement file covers. */
  covered: string | null
  holidays: readonly Holiday[]
  now: Date
}

const END_OF_DAY = 24 * 60
/** A bank that has never seen it and gets it again, every hour, must not keep people from ending it for ever. */
const MAX_BUSINESS_DAYS = 5

/**
 * A payout that was given to a bank may be on the statement of that day or of the next business day. Until both are over only the
 * bank can say that it was not sent, and it is asked by itself. Of one that is sent by hand people know.
 */
export function judgeNotFound(payout: Payout, { calls, fetchedAt, covered, holidays, now }: Facts): NotFoundRule {
  if (wasNeverGiven(payout)) return { state: 'open' }
  const sent = Math.max((payout.sentAt ?? payout.createdAt).getTime(), fetchedAt?.getTime() ?? 0)
  const lastDay = businessDaysAfter(new Date(sent), 1, holidays)
  const longest = businessDaysAfter(unknownSince(payout), MAX_BUSINESS_DAYS, holidays)
  const from = startOfDay(addDays(lastDay < longest ? lastDay : longest, 1))
  const isOver = now >= from
  const isCovered = isOver && covered !== null && covered >= lastDay
  if (isManual(payout.connection)) return { state: isCovered ? 'open' : 'unproven' }
  if (!isOver) return { state: 'early', from }
  return { state: isCovered || hasResponded(calls) ? 'open' : 'unproven' }
}

function businessDaysAfter(at: Date, count: number, holidays: readonly Holiday[]): string {
  let { day } = istanbul(at)
  for (let left = count; left > 0; left--) day = nextEftDay({ day, minutes: END_OF_DAY }, holidays)
  return day
}

/** Not sent yet, or not any more: the bank has never seen it, its file was cancelled, or it was refused before the call. */
function wasNeverGiven({ state, submits, reason }: Payout): boolean {
  return state === 'ready' || (submits === 0 && reason === DIFFERS)
}

/** About the latest sending, and it said something: a query that failed proves nothing. */
function hasResponded(calls: PayoutCall[]): boolean {
  const sent = calls.findLastIndex(({ kind }) => kind === 'submit')
  return calls.slice(sent + 1).some(({ kind, outcome }) => kind === 'find' && outcome !== 'unknown')
}

type Deps = { banks: Pick<BankDirectory, 'holidays'>; clock: { now: () => Date } }

export async function notFoundRule({ banks, clock }: Deps, db: Queryable, payout: Payout): Promise<NotFoundRule> {
  const { merchantId, withdrawalId, sourceAccountId } = payout
  return judgeNotFound(payout, {
    calls: await callsOf(db, merchantId, withdrawalId),
    fetchedAt: (await findLiveBatch(db, withdrawalId))?.fetchedAt ?? null,
    covered: await coveredUntil(db, sourceAccountId),
    holidays: await banks.holidays(),
    now: clock.now(),
  })
}

export function mustBeTimely(rule: NotFoundRule, unproven: boolean): void {
  if (rule.state === 'early') throw refuse('payout_may_still_show', { from: istanbul(rule.from).day })
  if (rule.state === 'unproven' && !unproven) throw refuse('payout_unproven')
}

/**
 * A line with its number shows that the money may have left. While the payout is open such a line can be explained as nothing else, so
 * each person who says that it was not sent says of every line that it is another's.
 */
export async function mustBeUnnamed(
  db: Queryable,
  { withdrawalId }: Payout,
  notLines: readonly string[],
): Promise<void> {
  const line = (await idsNaming(db, withdrawalId)).find((id) => !notLines.includes(id))
  if (line !== undefined) throw refuse('payout_on_statement', { line, withdrawal: withdrawalId })
}

import { addDays, istanbul, startOfDay } from '../../kernel/istanbul.ts'
import { sumOf } from '../../kernel/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { HOUR_MS } from '../../platform/time/clock.ts'
import type { BankDirectory, CollectingAccount } from '../banks/index.ts'
import { INTERBANK_CURRENCY } from '../banks/index.ts'
import type { BookCheck } from '../books/index.ts'
import { daysToClose, selectChecks } from '../books/index.ts'
import { openAsProposed } from '../proposals/index.ts'
import { figuresOfDay, missingLines } from '../matching/index.ts'
import { sumInDoubt, sumToSend, totalsToApprove } from '../withdrawals/index.ts'
import type { LineTotal } from '../statements/index.ts'
import { countUnread, lastReads, overdueUnconfirmed, unconfirmedEntered, suspenseTotals } from '../statements/index.ts'
import { selectHealth } from '../webhooks/index.ts'
import { wholeDay } from './charts.ts'

/** The questions of the first page, in this order. */
export const WORK_GROUPS = ['approve', 'broken', 'ageing'] as const
type WorkGroup = (typeof WORK_GROUPS)[number]

/** One pile of work. `oldest` is null if it is empty. `events`: that wait in it. `isCalm`: no one must act yet. */
export type Work = {
  name: WorkName
  group: WorkGroup
  count: number
  amounts: { currency: string; amount: bigint }[]
  oldest: Date | null
  events?: number
  isCalm?: boolean
}

export type WorkName =
  | 'withdrawals_to_approve'
  | 'proposals_to_approve'
  | 'unknown_payouts'
  | 'payouts_to_send'
  | 'payouts_without_debit'
  | 'returns_without_credit'
  | 'debits_to_explain'
  | 'credits_to_review'
  | 'suspense'
  | 'unexplained_differences'
  | 'unread_lines'
  | 'entered_not_shown'
  | 'failing_endpoints'
  | 'days_to_close'
  | 'closed_days_changed'
  | 'accepted_differences'

type Deps = { db: Db; clock: Clock; banks: BankDirectory }

type Account = Pick<CollectingAccount, 'id' | 'currency'>

const MAX_ENTRIES = 1000

/** What waits for people, whether or not there is any. */
export async function todaysWork(app: Deps): Promise<Work[]> {
  const { report } = app.db
  const { payouts, returns, debits, credits } = await missingLines({ ...app, db: report })
  const unread = await countUnread(report)
  const waiting = await openAsProposed({ ...app, db: report }, MAX_ENTRIES)
  const days = await daysToClose(app)
  const [checks, accounts] = [await selectChecks(report), await app.banks.accounts()]
  return [
    pile('withdrawals_to_approve', 'approve', await totalsToApprove(report)),
    proposals('proposals_to_approve', waiting),
    pile('unknown_payouts', 'broken', await sumInDoubt(report)),
    pile('payouts_without_debit', 'broken', payouts),
    pile('returns_without_credit', 'broken', returns),
    unexplained(checks, accounts),
    { name: 'unread_lines', group: 'broken', count: unread.count, amounts: [], oldest: unread.oldest ?? null },
    await enteredNotShown(app),
    await failingEndpoints(app),
    pile('payouts_to_send', 'ageing', await sumToSend(report)),
    pile('suspense', 'ageing', await suspenseTotals(report)),
    pile('credits_to_review', 'ageing', credits),
    pile('debits_to_explain', 'ageing', debits),
    daysOpen(days.open),
    changedSince(days.changed),
    accepted(checks, accounts),
  ]
}

const MAX_ENDPOINTS = 50
/** A short fault of a merchant's server is over by then: the calls are repeated. */
const CALM_MS = HOUR_MS

/** Callback addresses whose calls only fail, as old as the first failure. */
async function failingEndpoints({ db, clock }: Deps): Promise<Work> {
  const failing = await selectHealth(db.pages, { only: 'failing', limit: MAX_ENDPOINTS })
  const since = failing.flatMap(({ failingSince }) => failingSince ?? [])
  const [oldest = null] = since.toSorted((a, b) => a.getTime() - b.getTime())
  const events = failing.reduce((sum, { waiting }) => sum + waiting, 0)
  const isCalm = oldest === null || clock.now().getTime() - oldest.getTime() < CALM_MS
  return { name: 'failing_endpoints', group: 'broken', count: failing.length, amounts: [], oldest, events, isCalm }
}

/** Lines that people entered and the bank has not shown. No one must act before the bank's statement is late. */
async function enteredNotShown(app: Deps): Promise<Work> {
  const db = app.db.report
  const lines = await unconfirmedEntered(db)
  const totals = [...Map.groupBy(lines, ({ currency }) => currency)].map(([currency, its]): LineTotal => {
    const since = its.map(({ entered }) => entered?.decidedAt?.getTime() ?? 0)
    const amount = sumOf(its)
    return { currency, count: its.length, amount, oldest: new Date(Math.min(...since)) }
  })
  const isCalm = !(await overdueUnconfirmed({ ...app, db })).some(({ entered }) => entered)
  return { ...pile('entered_not_shown', 'broken', totals), isCalm }
}

/** Accounts whose last proof has something that no one has explained, as old as the end of its first day. */
function unexplained(checks: BookCheck[], accounts: Account[]): Work {
  const open = checks.filter((check) => check.unexplained !== 0n)
  const [first] = open.map(({ since, day }) => since ?? day).toSorted()
  const oldest = first === undefined ? null : startOfDay(addDays(first, 1))
  return { ...differences(open, accounts, 'unexplained'), name: 'unexplained_differences', group: 'broken', oldest }
}

/** Accounts that differ by what two people accepted at a close: someone may still have to ask the bank. */
function accepted(checks: BookCheck[], accounts: Account[]): Work {
  const open = checks.filter((check) => check.accepted !== 0n)
  return { ...differences(open, accounts, 'accepted'), name: 'accepted_differences', group: 'ageing', oldest: null }
}

function differences(open: BookCheck[], accounts: Account[], which: 'unexplained' | 'accepted') {
  const currencyOf = new Map(accounts.map(({ id, currency }) => [id, currency]))
  const amounts = [...Map.groupBy(open, ({ collectingAccountId: id }) => currencyOf.get(id) ?? 'TRY')].map(
    ([currency, its]) => ({ currency, amount: its.reduce((sum, one) => sum + one[which], 0n) }),
  )
  return { count: open.length, amounts }
}

function proposals(name: WorkName, proposed: { proposedAt: Date }[]): Work {
  const since = proposed.map(({ proposedAt }) => proposedAt).toSorted((a, b) => a.getTime() - b.getTime())
  return { name, group: 'approve', count: proposed.length, amounts: [], oldest: since[0] ?? null }
}

/** As old as the end of the first. */
function daysOpen(open: string[]): Work {
  const [first] = open
  const oldest = first === undefined ? null : startOfDay(addDays(first, 1))
  return { name: 'days_to_close', group: 'ageing', count: open.length, amounts: [], oldest }
}

/** As old as the first line that came. */
function changedSince(changed: { readAt: Date }[]): Work {
  const since = changed.map(({ readAt }) => readAt).toSorted((a, b) => a.getTime() - b.getTime())
  return { name: 'closed_days_changed', group: 'ageing', count: changed.length, amounts: [], oldest: since[0] ?? null }
}

function pile(name: WorkName, group: WorkGroup, totals: LineTotal[]): Work {
  const oldest = totals.map((total) => total.oldest).toSorted((a, b) => a.getTime() - b.getTime())
  const count = totals.reduce((sum, total) => sum + total.count, 0)
  return {
    name,
    group,
    count,
    amounts: totals.map(({ currency, amount }) => ({ currency, amount })),
    oldest: oldest[0] ?? null,
  }
}

/** Money in TRY that moved on collecting accounts, and lines that were matched without a person, by booking day. */
export type DayTotals = { day: string; credits: bigint; debits: bigint; count: number; automatic: number }

/** Today and the same weekday a week ago. */
export async function todaysMoney({ db, clock }: Deps): Promise<[today: DayTotals, weekAgo: DayTotals]> {
  const { day } = istanbul(clock.now())
  const of = async (wanted: string): Promise<DayTotals> => {
    const figures = wholeDay(await figuresOfDay(db.report, wanted, INTERBANK_CURRENCY))
    const { credits, debits, automatic, byHand, suspense, review, waiting } = figures
    return { day: wanted, credits, debits, count: automatic + byHand + suspense + review + waiting, automatic }
  }
  return [await of(day), await of(addDays(day, -7))]
}

/** When each source of statements was last read. */
export function statementReads(db: Db, sources: string[]): Promise<{ source: string; readAt: Date | null }[]> {
  return lastReads(db.report, sources)
}

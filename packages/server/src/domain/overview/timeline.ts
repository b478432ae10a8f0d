import { actorName, MATCHER } from '../../kernel/actor.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { JournalEntry } from '../books/index.ts'
import { entriesAbout, entriesOnDeposit, findEntry, refundOf } from '../books/index.ts'
import type { ApprovalWord } from '../proposals/index.ts'
import { approvalsOf } from '../proposals/index.ts'
import type { Deposit, StatusChange } from '../deposits/index.ts'
import { findDepositById, historyOf } from '../deposits/index.ts'
import type { Booked } from '../ledger/index.ts'
import { bookedAbout, NO_MERCHANT } from '../ledger/index.ts'
import { decisionsOf, secondPaymentsOf } from '../matching/index.ts'
import type { DoubtDecision, Payout, Reader, PayoutCall, Withdrawal } from '../withdrawals/index.ts'
import { findingsAbout, findPayout, hiddenFindings, callsOf, findWithdrawalById, stopOf } from '../withdrawals/index.ts'
import type { LineOrigin, StoredLine } from '../statements/index.ts'
import { linesOfDeposit, linesOfPayout, originsOf, selectLinesById } from '../statements/index.ts'
import type { EventWithDeliveries } from '../webhooks/index.ts'
import { listEvents } from '../webhooks/index.ts'
import { depositChanges } from './merchant-timeline.ts'

/** One thing that happened to a transaction. */
export type Moment =
  | { at: Date; kind: 'created' }
  | { at: Date; kind: 'claimed' }
  | { at: Date; kind: 'account_changed' }
  | ({ at: Date; kind: 'status' } & Omit<StatusChange, 'at'>)
  | { at: Date; kind: 'refund'; refund: Withdrawal }
  | { at: Date; kind: 'line'; line: StoredLine; origin: LineOrigin | null }
  | { at: Date; kind: 'decision'; line: string; verdict: string; why: string; person: string }
  | { at: Date; kind: 'booked'; entry: Booked }
  /** A journal entry about one of its lines. `refund`: the withdrawal that it made, if it is another. */
  | {
      at: Date
      kind: 'journal'
      entry: JournalEntry
      state: 'proposed' | 'posted'
      person: string
      refund: string | null
    }
  | { at: Date; kind: 'callback'; event: EventWithDeliveries }
  | { at: Date; kind: 'approval'; person: string; decision: ApprovalWord['decision']; note: string | null }
  | { at: Date; kind: 'stop'; person: string; what: 'stopped' | 'rejected'; reason: string }
  | { at: Date; kind: 'call'; call: PayoutCall }
  | { at: Date; kind: 'statement'; person: string; verdict: DoubtDecision['verdict']; evidence: string }
  /** What a person has found, and the reader must not see yet. */
  | { at: Date; kind: 'hidden_statement' }
  /** An approval or finding in a person's name that the service did not write. */
  | { at: Date; kind: 'unmarked'; person: string }

export type Timeline =
  | { kind: 'deposit'; deposit: Deposit; moments: Moment[] }
  | { kind: 'withdrawal'; withdrawal: Withdrawal; payout: Payout | null; moments: Moment[] }

/** More than any transaction has; a merchant that resends by hand could have more. */
const MAX_EVENTS = 50

/** Everything that is known of one transaction of any merchant and that this reader may see, oldest first. */
export async function transactionTimeline(
  app: { marks: Marks },
  db: Queryable,
  id: string,
  reader: Reader,
): Promise<Timeline | null> {
  const deposit = await findDepositById(db, id)
  if (deposit) return { kind: 'deposit', deposit, moments: inOrder(await depositMoments(db, deposit)) }
  const withdrawal = await findWithdrawalById(db, id)
  if (!withdrawal) return null
  const payout = (await findPayout(db, id)) ?? null
  const moments = [
    ...(await withdrawalMoments(db, withdrawal)),
    ...(await approvalMoments(app, db, withdrawal)),
    ...(payout ? await findingMoments(app, db, payout, reader) : []),
  ]
  return { kind: 'withdrawal', withdrawal, payout, moments: inOrder(moments) }
}

/** Of what has the same time, the cause first. */
const CAUSES = ['created', 'line', 'call', 'journal', 'decision', 'refund', 'status', 'booked', 'callback']

function inOrder(moments: Moment[]): Moment[] {
  const rank = ({ kind }: Moment) => CAUSES.indexOf(kind)
  return moments.toSorted((a, b) => a.at.getTime() - b.at.getTime() || rank(a) - rank(b))
}

async function depositMoments(db: Queryable, deposit: Deposit): Promise<Moment[]> {
  const { merchantId, id, createdAt, claimedAt, accountChangedAt } = deposit
  const own = await linesOfDeposit(db, merchantId, id)
  const known = new Set(own.map((line) => line.id))
  const second = (await secondPaymentsOf(db, id)).filter((line) => !known.has(line))
  const lines = [...own, ...(await selectLinesById(db, second))]
  const about = await entriesOf(db, lines)
  const shared = await sharedMoments(db, merchantId, id)
  return [
    { at: createdAt, kind: 'created' },
    ...(claimedAt ? [{ at: claimedAt, kind: 'claimed' as const }] : []),
    ...(accountChangedAt ? [{ at: accountChangedAt, kind: 'account_changed' as const }] : []),
    ...(await depositChanges(db, deposit)),
    ...(await lineMoments(db, lines)),
    ...(await journalMoments(db, about)),
    ...shared,
    ...(await bookedMoments(db, NO_MERCHANT, second)),
    ...(await takenBackMoments(db, deposit, shared, { lines, entries: about })),
  ]
}

async function entriesOf(db: Queryable, lines: StoredLine[]): Promise<JournalEntry[]> {
  const entries = await Promise.all(lines.map((line) => entriesAbout(db, line.id)))
  return [...new Map(entries.flat().map((entry) => [entry.id, entry])).values()]
}

/** An entry is decided first and posted in the same transaction. */
const POSTING_MS = 5000

type Known = { lines: StoredLine[]; entries: JournalEntry[] }

/** Money that the deposit has no more: its lines, and all about them until it was taken back. Then they are another's. */
async function takenBackMoments(db: Queryable, { id }: Deposit, shared: Moment[], known: Known): Promise<Moment[]> {
  const isReversal = (moment: Moment) => moment.kind === 'booked' && moment.entry.kind === 'deposit_reversal'
  const last = shared.findLast(isReversal)?.at
  if (!last) return []
  const changed = await entriesOnDeposit(db, id, last)
  const [knownLines, knownEntries] = [known.lines, known.entries].map((all) => new Set(all.map((one) => one.id)))
  const gone = changed.flatMap(({ details }) => details.seen.lines).filter((line) => !knownLines?.has(line.id))
  const lines = await selectLinesById(db, [...new Set(gone.map((line) => line.id))])
  const entries = [...changed, ...(await entriesOf(db, lines))].filter((entry) => !knownEntries?.has(entry.id))
  const until = Math.max(...changed.map(({ postedAt }) => postedAt.getTime())) + POSTING_MS
  const moments = [
    ...(await lineMoments(db, lines)),
    ...(await journalMoments(db, [...new Map(entries.map((entry) => [entry.id, entry])).values()])),
    ...(await bookedMoments(
      db,
      NO_MERCHANT,
      lines.map((line) => line.id),
    )),
  ]
  return moments.filter(({ at }) => at.getTime() <= until)
}

async function journalMoments(db: Queryable, entries: JournalEntry[]): Promise<Moment[]> {
  const told = entries.map(async (entry): Promise<Moment[]> => {
    const { proposedAt, proposedBy, postedAt, approvedBy } = entry
    const refund = entry.kind === 'refund_unexplained' ? ((await refundOf(db, entry.id))?.id ?? null) : null
    const person = proposedBy ?? actorName(MATCHER)
    return [
      ...(approvedBy === null
        ? []
        : [
            {
              at: proposedAt,
              kind: 'journal' as const,
              entry,
              state: 'proposed' as const,
              person,
              refund: null,
            },
          ]),
      { at: postedAt, kind: 'journal', entry, state: 'posted', person: approvedBy ?? person, refund },
      ...(await bookedMoments(db, NO_MERCHANT, [entry.id])),
    ]
  })
  return (await Promise.all(told)).flat()
}

async function bookedMoments(db: Queryable, merchantId: string, subjects: string[]): Promise<Moment[]> {
  const booked = await Promise.all(subjects.map((subject) => bookedAbout(db, merchantId, subject)))
  return booked.flat().map((entry) => ({ at: entry.at, kind: 'booked' as const, entry }))
}

async function lineMoments(db: Queryable, lines: StoredLine[]): Promise<Moment[]> {
  const ids = lines.map(({ id }) => id)
  const decisions = await decisionsOf(db, ids)
  const origins = await originsOf(db, ids)
  return [
    ...lines.map((line) => {
      return { at: line.createdAt, kind: 'line' as const, line, origin: origins.get(line.id) ?? null }
    }),
    ...decisions.map(({ lineId, verdict, why, decidedBy, decidedAt }) => {
      return { at: decidedAt, kind: 'decision' as const, line: lineId, verdict, why, person: decidedBy }
    }),
  ]
}

/** What deposits and withdrawals have in common: bookings and callbacks. */
async function sharedMoments(db: Queryable, merchantId: string, id: string): Promise<Moment[]> {
  const events = await listEvents(db, merchantId, { transactionId: id, limit: MAX_EVENTS })
  return [
    ...(await bookedMoments(db, merchantId, [id])),
    ...events.map((event) => ({ at: event.createdAt, kind: 'callback' as const, event })),
  ]
}

async function approvalMoments(app: { marks: Marks }, db: Queryable, withdrawal: Withdrawal): Promise<Moment[]> {
  const { said, forged } = await approvalsOf(app, db, withdrawal)
  return [
    ...forged.map(({ at, person }): Moment => ({ at, kind: 'unmarked', person })),
    ...said.map(({ at, person, decision, note }): Moment => ({ at, kind: 'approval', person, decision, note })),
  ]
}

async function findingMoments(app: { marks: Marks }, db: Queryable, payout: Payout, reader: Reader): Promise<Moment[]> {
  const { said, forged } = await findingsAbout(app, db, payout)
  const hidden = await hiddenFindings(db, payout, said, reader)
  return [
    ...forged.map(({ operator, decidedAt }): Moment => ({ at: decidedAt, kind: 'unmarked', person: operator })),
    ...said.map((one): Moment => {
      if (hidden.has(one)) return { at: one.decidedAt, kind: 'hidden_statement' }
      const { operator, verdict, evidence, decidedAt } = one
      return { at: decidedAt, kind: 'statement', person: operator, verdict, evidence }
    }),
  ]
}

async function withdrawalMoments(db: Queryable, withdrawal: Withdrawal): Promise<Moment[]> {
  const { merchantId, id, createdAt } = withdrawal
  const lines = await linesOfPayout(db, id)
  // The refund of unexplained money has the id of the entry that made it.
  const made = merchantId === NO_MERCHANT ? await findEntry(db, withdrawal.processId) : undefined
  return [
    { at: createdAt, kind: 'created' },
    ...(await historyOf(db, withdrawal)).map((change) => ({ kind: 'status' as const, ...change })),
    ...stopMoments(withdrawal, await stopOf(db, withdrawal)),
    ...(await callsOf(db, merchantId, id)).map((call) => ({ at: call.calledAt, kind: 'call' as const, call })),
    ...(await lineMoments(db, lines)),
    ...(await journalMoments(db, [...(await entriesOf(db, lines)), ...(made ? [made] : [])])).map((moment) =>
      moment.kind === 'journal' && moment.refund === id ? { ...moment, refund: null } : moment,
    ),
    ...(await sharedMoments(db, merchantId, id)),
  ]
}

function stopMoments({ failureReason }: Withdrawal, stop: Awaited<ReturnType<typeof stopOf>>): Moment[] {
  if (!stop) return []
  const { stoppedAt: at, operator: person, reason } = stop
  return [{ at, kind: 'stop', person, what: failureReason === 'rejected_by_operator' ? 'rejected' : 'stopped', reason }]
}

import type { FactsFor } from '../../../kernel/refusals/refuse.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { BankDirectory } from '../../banks/index.ts'
import type { Changes, Deposit, DepositViews } from '../../deposits/index.ts'
import { findDepositById, lockDeposits } from '../../deposits/index.ts'
import type { NewEntry } from '../../ledger/index.ts'
import { NO_MERCHANT } from '../../ledger/index.ts'
import { mustNameNoOpenPayout } from '../../matching/index.ts'
import type { Authority } from '../../people/index.ts'
import type { Payout, Refund, WithdrawalViews } from '../../withdrawals/index.ts'
import { awaitingDebit, findPayout, isOpen, lockPayout, payoutsLike } from '../../withdrawals/index.ts'
import type { LinePart, StoredLine } from '../../statements/index.ts'
import { findLine, lockLinesById, payoutReferences } from '../../statements/index.ts'
import type { JournalEntry, JournalKind, Seen, Terms } from './journal-entry.ts'

export type JournalDeps = Authority & {
  db: Db
  clock: Clock
  ids: Ids
  banks: BankDirectory
  views: DepositViews & WithdrawalViews
}

/** What a person says that lines are, or which entry is taken back. */
export type Proposed = { kind: JournalKind; terms: Terms; reverses?: string | null }

/** A proposal as far as its bookings depend on it. */
export type Draft = Pick<JournalEntry, 'id' | 'kind' | 'reverses'> & { terms: Terms }

type Part = Pick<LinePart, 'kind' | 'subject' | 'merchantId' | 'amount'>

/** What becomes of a line: of this journal entry, of a deposit, of payouts as their debit or their return; or open again. */
type PlannedLine = {
  line: StoredLine
  /** `journal`: of this entry, or as this kind, instead. */
  entry?: Pick<JournalEntry, 'id' | 'kind'>
  becomes: 'journal' | 'suspense' | 'needs_review' | 'deposit' | 'payout' | 'return'
  /** What it is for besides this entry, which has the rest. */
  parts?: Part[]
}

/** Everything that posting an entry changes. Made with all of it locked, and compared with what was proposed. */
export type Plan = {
  entries: NewEntry[]
  lines: PlannedLine[]
  deposits: { deposit: Deposit; changes: Changes }[]
  /** Takes back what merchants were credited, if need be below zero. */
  mayOverdraw?: true
  refund?: Refund
  /** The refund goes to an account that the bank has not named. */
  isToAnother?: boolean
  /** They have their debit in these lines. Open ones are settled by it. */
  sent?: Payout[]
  /** They came back in these lines. */
  returned?: Payout[]
  /** They have no debit any more. */
  unsent?: Payout[]
  /** They did not come back. */
  unreturned?: Payout[]
  payoutState?: string
  /** Those that were filled in. */
  terms?: Terms
}

export type Planner = (app: JournalDeps, tx: Tx, draft: Draft) => Promise<Plan>

export function seenOf(plan: Plan): Seen {
  const { entries, lines, deposits, refund, payoutState } = plan
  const payouts = [plan.sent, plan.returned, plan.unsent, plan.unreturned].flatMap((some) => some ?? [])
  return {
    entries,
    lines: lines.map(({ line: { id, state, reason }, becomes }) => ({ id, state, reason, becomes })),
    deposits: deposits.map(({ deposit: { id, merchantId, status, sequence }, changes }) => {
      return { id, merchantId, status, sequence, becomes: changes.status ?? status }
    }),
    // Not in full: this row is never erased.
    payout: refund
      ? `${refund.iban.slice(0, 4)}…${refund.iban.slice(-4)}`
      : [...new Set(payouts.map(({ withdrawalId }) => withdrawalId))].join(', ') || null,
    ...(payoutState !== undefined && { payoutState }),
  }
}

export function journalEntry(kind: NewEntry['kind'], { id }: Draft, transfers: NewEntry['transfers']): NewEntry {
  return { kind, merchantId: NO_MERCHANT, subjectId: id, transfers: transfers.filter(({ amount }) => amount > 0n) }
}

/** What an entry did not book of itself is not taken back with it, and some kinds have a reverse of their own. */
const REVERSE: Partial<Record<NewEntry['kind'], NewEntry['kind'] | null>> = {
  withdrawal_settlement: null,
  withdrawal_return: null,
  debit_clearing: 'debit_receipt',
  deposit_settlement: 'deposit_reversal',
}

/** Each transfer backwards. */
export function backwards(
  { kind: was, merchantId, subjectId, transfers, effectiveOn }: NewEntry,
  { id }: Draft,
): NewEntry[] {
  const own = REVERSE[was]
  if (own === null) return []
  const back = transfers.map(({ from, to, amount }) => ({ from: to, to: from, amount }))
  const on = effectiveOn === undefined ? {} : { effectiveOn }
  return [{ kind: own ?? 'journal_reversal', merchantId, subjectId: own ? subjectId : id, ...on, transfers: back }]
}

/** What of a line is for a payout. */
export type Slice = { line: StoredLine; payout: Payout; amount: bigint }

/** The payouts in order, over the lines in order. */
export function slicesOf(lines: StoredLine[], payouts: Payout[]): Slice[] {
  const left = new Map(lines.map((line) => [line, line.amount]))
  return payouts.flatMap((payout) => {
    let open = payout.amount
    return lines.flatMap((line) => {
      const has = left.get(line) ?? 0n
      const amount = has < open ? has : open
      left.set(line, has - amount)
      open -= amount
      return amount > 0n ? [{ line, payout, amount }] : []
    })
  })
}

export function payoutPart(kind: 'payout' | 'payout_return', payout: Payout, amount: bigint): Part {
  return { kind, subject: payout.withdrawalId, merchantId: payout.merchantId, amount }
}

export const partsOf = (kind: 'payout' | 'payout_return', line: StoredLine, slices: Slice[]): Part[] =>
  slices.filter((slice) => slice.line === line).map(({ payout, amount }) => payoutPart(kind, payout, amount))

/** Open again, with the payout that its text names. */
export function reopened<Becomes extends 'suspense' | 'needs_review'>(
  line: StoredLine,
  payouts: Payout[],
  becomes: Becomes,
) {
  const named = payoutReferences(line.narrative)
  const its = payouts.find(({ withdrawalId }) => named.includes(withdrawalId))
  return { line: { ...line, candidateWithdrawalId: its?.withdrawalId ?? null }, becomes }
}

/** In key order. */
export async function lockThePayouts(
  tx: Tx,
  withdrawalIds: string[],
  wanted: FactsFor<'withdrawal_without_payout'>['wanted'],
): Promise<Payout[]> {
  const locked = []
  for (const id of withdrawalIds.toSorted()) {
    const known = await findPayout(tx, id)
    if (!known) throw refuseField('withdrawal', 'withdrawal_without_payout', { wanted })
    const payout = await lockPayout(tx, known.merchantId, id)
    if (payout) locked.push(payout)
  }
  return locked
}

/**
 * Locks all lines of the proposal, in order. A new line belongs to the matcher, which locks lines before deposits. A line that
 * names an open payout is what prevents that it is sent again: it stays unexplained until the payout has ended, unless it is
 * explained as the debit of that payout (`debitOf`).
 */
export async function lockTheLines(
  tx: Tx,
  terms: Pick<Terms, 'lineIds' | 'notPayouts' | 'withdrawalId' | 'withdrawalIds'>,
  debitOf: string[] = [],
): Promise<StoredLine[]> {
  const { lineIds: ids, notPayouts = [], withdrawalId, withdrawalIds = [] } = terms
  const own = withdrawalId === undefined ? withdrawalIds : [withdrawalId]
  if (new Set(ids).size !== ids.length) throw refuseField('line', 'line_named_twice')
  for (const id of ids) {
    const line = await findLine(tx, id)
    if (!line) throw refuse('line_unknown', { line: id })
    if (line.state === 'new') throw refuse('line_not_judged', { line: id })
  }
  const lines = await lockLinesById(tx, ids)
  const alike = new Set<string>()
  for (const line of lines.filter(({ state }) => state !== 'matched')) {
    await mustNameNoOpenPayout(tx, line, debitOf)
    if (line.direction !== 'debit') continue
    const like = [
      ...(await mustNotBePayout(tx, line, notPayouts, own)),
      ...(await mustBeOfAllNamed(tx, line, notPayouts, own)),
    ]
    for (const one of like) alike.add(one.withdrawalId)
  }
  for (const id of notPayouts.filter((one) => !alike.has(one))) await refuseNotPayout(tx, id)
  return lines
}

/** The bank may have cut the id off. Without the debit, a refusal of the payout would be believed, and its money be given back. */
async function mustNotBePayout(tx: Tx, line: StoredLine, notPayouts: string[], own: string[]): Promise<Payout[]> {
  const like = await payoutsLike(tx, line, notPayouts.length + 2)
  const other = like.find(({ withdrawalId: id }) => !own.includes(id) && !notPayouts.includes(id))
  if (!other) return like
  throw refuse('line_like_debit_of_payout', {
    line: line.id,
    withdrawal: other.withdrawalId,
    like: line.amount === other.amount ? 'amount' : 'recipient',
    isOpen: isOpen(other),
    has: partOf(line, other),
  })
}

/** One debit may pay several payouts. Explained as that of one, the others would lack theirs, and the rest be owed by no one. */
async function mustBeOfAllNamed(tx: Tx, line: StoredLine, notPayouts: string[], own: string[]): Promise<Payout[]> {
  const named = await awaitingDebit(tx, payoutReferences(line.narrative))
  const ids = named.map(({ withdrawalId }) => withdrawalId)
  const other = ids.find((id) => !own.includes(id) && !notPayouts.includes(id))
  if (named.length < 2 || other === undefined) return named
  if (named.some((one) => one.withdrawalId === other && one.sourceAccountId !== line.collectingAccountId))
    throw refuse('line_names_payout_elsewhere', { line: line.id, withdrawal: other })
  throw refuse('line_names_waiting_payouts', { line: line.id, withdrawals: ids, other })
}

function partOf({ amount }: StoredLine, payout: Payout): 'part' | 'all' | 'more' {
  if (amount === payout.amount) return 'all'
  return amount < payout.amount ? 'part' : 'more'
}

/** It may have ended since the proposal, so what the two people said may no longer be so. */
async function refuseNotPayout(tx: Tx, withdrawalId: string): Promise<never> {
  const payout = await findPayout(tx, withdrawalId)
  if (!payout) throw refuse('payout_unknown', { withdrawal: withdrawalId })
  throw refuse('payout_like_no_line', { withdrawal: withdrawalId, state: payout.state })
}

/** Outgoing money that no one has explained. */
export function mustBeDebit(line: StoredLine): StoredLine {
  if (line.direction !== 'debit' || line.state !== 'needs_review') throw notOpen(line, 'debit')
  return mustNotRepeat(line)
}

/** Incoming money that is no one's yet. */
export function mustBeCredit(line: StoredLine): StoredLine {
  if (line.direction !== 'credit' || (line.state !== 'suspense' && line.state !== 'needs_review'))
    throw notOpen(line, 'credit')
  if (line.depositId !== null) throw refuse('line_held', { line: line.id, deposit: line.depositId })
  return mustNotRepeat(line)
}

function mustNotRepeat(line: StoredLine): StoredLine {
  if (line.state !== 'needs_review' || line.correctsLineId === null) return line
  throw refuse('line_may_repeat', { line: line.id, first: line.correctsLineId, state: line.state })
}

const asItIs = ({ id, direction, state, reason }: StoredLine) => ({ line: id, direction, state, reason })

const notOpen = (line: StoredLine, wanted: 'debit' | 'credit'): Refusal =>
  refuse('line_not_open', { ...asItIs(line), wanted })

export function notOf(line: StoredLine, of: 'deposit' | 'payout', ids: string[]): Refusal {
  return refuse('line_not_of', { ...asItIs(line), of, ids })
}

type NotOne = 'line_not_one' | 'return_not_one_line' | 'shared_debit_not_one_line'

export function onlyOne(lines: StoredLine[], otherwise: NotOne = 'line_not_one'): StoredLine {
  const [line, another] = lines
  if (!line || another) throw refuseField('line', otherwise)
  return line
}

/** One debit and one credit, in any order. */
export function debitAndCredit(lines: StoredLine[]): [debit: StoredLine, credit: StoredLine] {
  const [debit, credit] = ['debit', 'credit'].map((wanted) => lines.find(({ direction }) => direction === wanted))
  if (!debit || !credit || lines.length !== 2) throw refuseField('line', 'lines_not_debit_and_credit')
  if (debit.currency !== credit.currency) throw currenciesDiffer(debit, 'line', credit.currency)
  return [debit, credit]
}

export function currenciesDiffer(
  { id, currency }: StoredLine,
  other: 'line' | 'deposit' | 'payout',
  otherCurrency: string,
): Refusal {
  return refuse('currencies_differ', { line: id, currency, other, otherCurrency })
}

/** In key order. */
export async function lockTheDeposits(tx: Tx, ids: string[]): Promise<Deposit[]> {
  const known = await Promise.all(ids.map((id) => findDepositById(tx, id)))
  const missing = ids.find((_id, place) => !known[place])
  if (missing !== undefined) throw refuse('deposit_unknown', { deposit: missing })
  const found = known.filter((one) => one !== undefined)
  return lockDeposits(
    tx,
    found.map(({ merchantId }) => merchantId),
    found.map(({ id }) => id),
  )
}

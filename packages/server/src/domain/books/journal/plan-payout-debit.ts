import { money } from '../../../kernel/refusals/facts.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import type { NewEntry } from '../../ledger/index.ts'
import { bookedOn, debitClearing, debitReceipt, merchantAccount, NO_MERCHANT, suspenseOf } from '../../ledger/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { findPayout, isOpen, isWaiting, lockPayout } from '../../payouts/index.ts'
import { settlementOf, wasNotSent } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { lockLinesAbout, payoutReferences } from '../../statements/index.ts'
import { lockWithdrawal } from '../../withdrawals/index.ts'
import type { JournalEntry } from './journal-entry.ts'
import type { Plan, Planner } from './plan.ts'
import { lockTheLines, mustBeDebit, notOf } from './plan.ts'

/**
 * The bank debited a payout in several lines. Together they are its debit, with the same effect as one line of its amount: an
 * open payout is settled, and a return that waited for the debit is booked.
 */
export const planPayoutDebit: Planner = async (_app, tx, { terms }) => {
  const { withdrawalId = '' } = terms
  const payout = await lockThePayout(tx, withdrawalId)
  const others = await lockLinesAbout(tx, withdrawalId)
  mustAwaitDebit(payout, others)
  const locked = await lockTheLines(tx, terms, [withdrawalId])
  const lines = locked.map(mustBeFree).toSorted((a, b) => a.bookedAt.getTime() - b.bookedAt.getTime())
  mustBeItsParts(lines, payout)
  const waiting = waitingReturn(payout, others)
  return {
    entries: [
      ...(isOpen(payout) ? await settlements(tx, payout, lines) : []),
      ...lines.map(debitClearing),
      ...(waiting ? [returnOf(payout, waiting)] : []),
    ],
    lines: [
      ...lines.map((line) => ({ line, becomes: 'payout' as const })),
      ...(waiting ? [{ line: waiting, becomes: 'return' as const }] : []),
    ],
    deposits: [],
    sent: payout,
    ...(waiting && { returned: payout }),
    payoutState: isOpen(payout) ? 'open' : payout.state,
  }
}

/** A return that came before the debit is booked with it. */
export function waitingReturn(payout: Payout, others: StoredLine[]): StoredLine | undefined {
  return payout.state === 'returned' ? undefined : others.find((line) => line.state === 'suspense' && isWaiting(line))
}

/** The lines are unexplained again. The payout stays completed, and is reported as one without a debit. */
export async function planDebitTakenBack(tx: Tx, { details }: JournalEntry): Promise<Plan> {
  const { withdrawalId = '', lineIds } = details.terms
  const payout = await lockThePayout(tx, withdrawalId)
  const lines = await lockTheLines(tx, { lineIds })
  const other = lines.find((line) => line.withdrawalId !== withdrawalId)
  if (other) throw notOf(other, 'payout', [withdrawalId])
  return {
    entries: lines.map(debitReceipt),
    lines: lines.map((line) => unexplained(line, [withdrawalId])),
    deposits: [],
    unsent: [payout],
  }
}

/** Open again, with the payout that its text names. */
export function unexplained(line: StoredLine, withdrawalIds: string[]): Plan['lines'][number] {
  const named = payoutReferences(line.narrative)
  const candidateWithdrawalId = withdrawalIds.find((id) => named.includes(id)) ?? null
  return { line: { ...line, candidateWithdrawalId }, becomes: 'needs_review' }
}

export async function lockThePayout(tx: Tx, withdrawalId: string): Promise<Payout> {
  const known = await findPayout(tx, withdrawalId)
  if (!known) throw refuseField('withdrawal', 'withdrawal_without_payout', { wanted: 'debited' })
  return (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
}

export function mustAwaitDebit(payout: Payout, others: StoredLine[]): void {
  const { withdrawalId: withdrawal, state, submits } = payout
  if (wasNotSent(payout)) throw neverLeft(payout)
  // As for one line of its amount: money not yet submitted to the bank cannot have left.
  if (state === 'intent' && submits === 0) throw refuse('payout_not_handed_over', { withdrawal })
  const its = others.find((line) => line.direction === 'debit' && line.withdrawalId === withdrawal)
  if (its) throw refuse('payout_has_debit', { withdrawal, debit: its.id, line: null })
}

/** `line`: the debit that came all the same. */
export function neverLeft({ withdrawalId, merchantId, state }: Payout, line: string | null = null): Refusal {
  return refuse('payout_never_left', {
    withdrawal: withdrawalId,
    state,
    isRefund: merchantId === NO_MERCHANT,
    line,
  })
}

/** One that was explained before has a way back. */
export function mustBeFree(line: StoredLine): StoredLine {
  if (line.state !== 'matched' || line.journalId === null) return mustBeDebit(line)
  throw refuse('line_explained', { line: line.id, kind: line.reason, entry: line.journalId })
}

function mustBeItsParts(lines: StoredLine[], payout: Payout): void {
  const { withdrawalId: withdrawal, sourceAccountId, amount, currency } = payout
  const elsewhere = lines.find((line) => line.collectingAccountId !== sourceAccountId)
  if (elsewhere) throw refuse('line_not_on_payouts_account', { line: elsewhere.id, withdrawal, isOwed: false })
  for (const { id, candidateWithdrawalId: named } of lines)
    if (named !== null && named !== withdrawal)
      throw refuse('line_names_other_withdrawal', { line: id, withdrawal: named })
  const sum = lines.reduce((sofar, line) => sofar + line.amount, 0n)
  const [total, ordered] = [money(sum, currency), money(amount, currency)]
  const excess = sum - amount
  if (excess < 0n) throw refuse('debit_parts_missing', { total, ordered, missing: money(-excess, currency) })
  const ids = lines.map(({ id }) => id)
  const needless = excess > 0n && lines.find((line) => line.amount <= excess)
  if (needless) throw refuse('line_not_needed', { line: needless.id, total, ordered })
  if (excess > 0n)
    throw refuse('debit_parts_exceed', { withdrawal, lines: ids, total, ordered, excess: money(excess, currency) })
  if (ids.length > 1) return
  throw refuse('debit_in_one_line', { line: ids[0] ?? '', withdrawal, isOpen: isOpen(payout) })
}

/** Each part on the day of its line; the fee with the last. */
export async function settlements(tx: Tx, payout: Payout, lines: StoredLine[]): Promise<NewEntry[]> {
  const withdrawal = await lockWithdrawal(tx, payout.merchantId, payout.withdrawalId)
  if (withdrawal?.amount !== payout.amount) throw refuse('payout_differs', { withdrawal: payout.withdrawalId })
  const { fee } = withdrawal
  return lines.map((line) => ({
    ...settlementOf(payout, { amount: line.amount, fee: line === lines.at(-1) ? fee : 0n }),
    effectiveOn: bookedOn(line),
  }))
}

export function returnOf(
  { merchantId, withdrawalId: subjectId, currency, amount }: Payout,
  waiting: StoredLine,
): NewEntry {
  const to = merchantAccount('merchant_available', merchantId, currency)
  return { kind: 'withdrawal_return', merchantId, subjectId, transfers: [{ from: suspenseOf(waiting), to, amount }] }
}

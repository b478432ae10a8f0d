import { sumOf } from '../../../kernel/money.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import type { NewEntry } from '../../ledger/index.ts'
import {
  bankAccount,
  bookedOn,
  debitClearing,
  merchantAccount,
  NO_MERCHANT,
  suspenseOf,
  unexplainedOf,
} from '../../ledger/index.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { isOpen, isWaiting, settlementOf, wasNotSent, lockWithdrawal } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { lockLinesAbout, payoutReferences } from '../../statements/index.ts'
import type { Terms } from './journal-entry.ts'
import type { Draft, Plan, Slice } from './plan.ts'
import {
  journalEntry,
  lockTheLines,
  lockThePayouts,
  mustBeDebit,
  onlyOne,
  payoutPart,
  partsOf,
  slicesOf,
} from './plan.ts'

/** What the bank took besides the payouts is owed to us, or a charge. */
const REST = { receivables: 'journal_receivable', bank_charges: 'journal_bank_charge' } as const
type Rest = keyof typeof REST

type Sent = { payout: Payout; waiting: StoredLine | undefined }

/**
 * The lines are the debit of these payouts: several of one payout, or one of several, with what the bank took besides. The effect is
 * that of a line for each: an open payout is settled, and a return that waited for the debit is booked.
 */
export async function planDebits(tx: Tx, draft: Draft, rest: Rest | null): Promise<Plan> {
  const { terms } = draft
  const { withdrawalId = '', withdrawalIds, lineIds } = terms
  const ids = withdrawalIds ?? [withdrawalId]
  if (withdrawalIds && (new Set(ids).size !== ids.length || ids.length < 2))
    throw refuseField('withdrawal', 'withdrawals_not_several')
  const payouts = await lockThePayouts(tx, ids, 'debited')
  const sent: Sent[] = []
  for (const payout of payouts) {
    const others = await lockLinesAbout(tx, payout.withdrawalId)
    mustAwaitDebit(payout, others, lineIds, ids.length === 1)
    sent.push({ payout, waiting: waitingReturn(payout, others) })
  }
  const locked = (await lockTheLines(tx, terms, ids)).map(mustBeFree)
  const lines = locked.toSorted((a, b) => a.bookedAt.getTime() - b.bookedAt.getTime())
  if (payouts.length > 1) onlyOne(lines, 'shared_debit_not_one_line')
  for (const line of lines) mustBeOfThem(line, payouts, terms, rest)
  const more = restOf(lines, payouts, terms, rest)
  const slices = slicesOf(lines, payouts)
  const returns = sent.flatMap(({ payout, waiting }) => (waiting ? [{ payout, waiting }] : []))
  return {
    entries: [
      ...(await settlements(tx, slices)),
      ...clearings(slices),
      ...(more > 0n ? [besides(draft, lines, slices, rest ?? 'bank_charges')] : []),
      ...returns.map(({ payout, waiting }) => returnOf(payout, waiting)),
    ],
    lines: [
      ...lines.map((line) => ({ line, becomes: 'payout' as const, parts: partsOf('payout', line, slices) })),
      ...returns.map(({ payout, waiting }) => {
        return {
          line: waiting,
          becomes: 'return' as const,
          parts: [payoutPart('payout_return', payout, waiting.amount)],
        }
      }),
    ],
    deposits: [],
    sent: payouts,
    returned: returns.map(({ payout }) => payout),
    payoutState: payouts.map((payout) => (isOpen(payout) ? 'open' : payout.state)).join(', '),
  }
}

/** The settlement takes the money of payouts from cash: of each line, what it has of them is unexplained no more. */
function clearings(slices: Slice[]): NewEntry[] {
  const byLine = [...Map.groupBy(slices, ({ line }) => line)]
  return byLine.map(([line, its]) => debitClearing({ ...line, amount: sumOf(its) }))
}

/** Each part on the day of its line; the fee with the last. */
async function settlements(tx: Tx, slices: Slice[]): Promise<NewEntry[]> {
  const entries = []
  for (const [payout, its] of Map.groupBy(slices, (slice) => slice.payout)) {
    if (!isOpen(payout)) continue
    const withdrawal = await lockWithdrawal(tx, payout.merchantId, payout.withdrawalId)
    if (withdrawal?.amount !== payout.amount) throw refuse('payout_differs', { withdrawal: payout.withdrawalId })
    for (const slice of its) {
      const fee = slice === its.at(-1) ? withdrawal.fee : 0n
      entries.push({ ...settlementOf(payout, { amount: slice.amount, fee }), effectiveOn: bookedOn(slice.line) })
    }
  }
  return entries
}

function besides(draft: Draft, lines: StoredLine[], slices: Slice[], kind: Rest): NewEntry {
  const transfers = lines.map((line) => ({
    from: bankAccount(kind, line.collectingAccountId, line.currency),
    to: unexplainedOf(line),
    amount: line.amount - sumOf(slices.filter((slice) => slice.line === line)),
  }))
  return journalEntry(REST[kind], draft, transfers)
}

function returnOf({ merchantId, withdrawalId: subjectId, currency, amount }: Payout, waiting: StoredLine): NewEntry {
  const to = merchantAccount('merchant_available', merchantId, currency)
  return { kind: 'withdrawal_return', merchantId, subjectId, transfers: [{ from: suspenseOf(waiting), to, amount }] }
}

/** A return that came before the debit is booked with it. */
function waitingReturn(payout: Payout, others: StoredLine[]): StoredLine | undefined {
  return payout.state === 'returned' ? undefined : others.find((line) => line.state === 'suspense' && isWaiting(line))
}

function mustAwaitDebit(payout: Payout, others: StoredLine[], lineIds: string[], isAlone: boolean): void {
  const { withdrawalId: withdrawal, state, submits } = payout
  // Of several payouts it is not owed as a whole.
  const line = lineIds.length === 1 && isAlone ? (lineIds[0] ?? null) : null
  if (wasNotSent(payout)) throw neverLeft(payout, line)
  // As for one line of its amount: money not yet submitted to the bank cannot have left.
  if (state === 'ready' && submits === 0) throw refuse('payout_not_handed_over', { withdrawal })
  const its = others.find((other) => other.direction === 'debit' && other.withdrawalId === withdrawal)
  if (its) throw refuse('payout_has_debit', { withdrawal, debit: its.id, line })
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
function mustBeFree(line: StoredLine): StoredLine {
  if (line.state !== 'matched' || line.journalId === null) return mustBeDebit(line)
  throw refuse('line_explained', { line: line.id, kind: line.reason, entry: line.journalId })
}

function mustBeOfThem(line: StoredLine, payouts: Payout[], { notPayouts = [] }: Terms, rest: Rest | null): void {
  const { currency, collectingAccountId, candidateWithdrawalId: named, narrative } = line
  const ids = new Set(payouts.map(({ withdrawalId }) => withdrawalId))
  const elsewhere = payouts.find((one) => one.sourceAccountId !== collectingAccountId || one.currency !== currency)
  if (elsewhere) {
    const { withdrawalId: withdrawal } = elsewhere
    throw refuse('line_not_on_payouts_account', { line: line.id, withdrawal, isOwed: rest !== null })
  }
  if (named === null || [named, ...payoutReferences(narrative)].some((id) => ids.has(id))) return
  if (!notPayouts.includes(named)) throw refuse('line_names_other_withdrawal', { line: line.id, withdrawal: named })
}

/** What the bank took besides. Of several lines each is needed. */
function restOf(lines: StoredLine[], payouts: Payout[], { charge }: Terms, rest: Rest | null): bigint {
  if (charge && charge.amount <= 0n) throw refuseField('charge', 'term_not_above_zero')
  const currency = lines[0]?.currency ?? ''
  const more = sumOf(lines) - sumOf(payouts)
  const ids = { lines: lines.map(({ id }) => id), withdrawals: payouts.map(({ withdrawalId }) => withdrawalId) }
  const [total, ordered] = [money(sumOf(lines), currency), money(sumOf(payouts), currency)]
  const its = { ...ids, total, ordered }
  const [line, withdrawal] = [ids.lines[0], ids.withdrawals[0]]
  if (line === undefined || withdrawal === undefined)
    throw refuseField('line', 'payout_line_missing', { direction: 'debit' })
  if (more < 0n) throw refuse('debit_below_payouts', { ...its, missing: money(-more, currency) })
  const needless = lines.length > 1 && lines.find(({ amount }) => amount <= more)
  if (needless) throw refuse('line_not_needed', { line: needless.id, total, ordered })
  const isSaid = rest !== null || charge !== undefined
  if (isSaid && more === 0n) throw refuse('debit_has_no_rest', its)
  if (rest === null && more !== (charge?.amount ?? 0n))
    throw refuse('debit_above_payouts', { ...its, more: money(more, currency) })
  if (more > 0n || lines.length > 1 || payouts.length > 1) return more
  throw refuse('debit_in_one_line', { line, withdrawal, isOpen: payouts.some(isOpen) })
}

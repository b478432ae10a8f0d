import { money } from '../../../kernel/refusals/facts.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { NewEntry } from '../../ledger/index.ts'
import { bankAccount, debitClearing, debitReceipt, unexplainedOf } from '../../ledger/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { isOpen } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { lockLinesAbout, payoutReferences } from '../../statements/index.ts'
import type { JournalEntry, Terms } from './journal-entry.ts'
import { lockThePayout, mustAwaitDebit, mustBeFree, returnOf } from './plan-payout-debit.ts'
import { settlements, unexplained, waitingReturn } from './plan-payout-debit.ts'
import type { Draft, Plan, Planner } from './plan.ts'
import { journalEntry, lockTheLines, notOf, onlyOne } from './plan.ts'

/**
 * The bank debited several payouts in one line. Each has its part of the line, with the same effect as a line of its own: an open
 * payout is settled, and a return that waited for the debit is booked. The bank may have charged something besides.
 */
export const planSharedDebit: Planner = async (_app, tx, draft) => {
  const { terms } = draft
  const { withdrawalIds: ids = [], charge } = terms
  if (new Set(ids).size !== ids.length || ids.length < 2) throw refuseField('withdrawal', 'withdrawals_not_several')
  const payouts = await lockThePayouts(tx, ids)
  const shares: Plan['shares'] = []
  for (const payout of payouts) {
    const others = await lockLinesAbout(tx, payout.withdrawalId)
    mustAwaitDebit(payout, others)
    shares.push({ payout, waiting: waitingReturn(payout, others) })
  }
  const line = mustBeFree(onlyOne(await lockTheLines(tx, terms, ids), 'shared_debit_not_one_line'))
  mustBeTheirs(line, payouts, terms)
  const entries: NewEntry[] = []
  for (const { payout } of shares.filter((one) => isOpen(one.payout)))
    entries.push(...(await settlements(tx, payout, [{ ...line, amount: payout.amount }])))
  entries.push(debitClearing({ ...line, amount: sumOf(payouts) }), ...chargeOf(draft, line, charge?.amount ?? 0n))
  const returns = shares.flatMap(({ payout, waiting }) => (waiting ? [{ payout, waiting }] : []))
  return {
    entries: [...entries, ...returns.map(({ payout, waiting }) => returnOf(payout, waiting))],
    lines: [
      { line: { ...line, candidateWithdrawalId: line.candidateWithdrawalId ?? ids[0] ?? null }, becomes: 'payouts' },
      ...returns.map(({ waiting }) => ({ line: waiting, becomes: 'return' as const })),
    ],
    deposits: [],
    shares,
    payoutState: payouts.map((payout) => (isOpen(payout) ? 'open' : payout.state)).join(', '),
  }
}

/** The line is unexplained again. The payouts stay completed, and are reported as ones without a debit. */
export async function planSharedTakenBack(tx: Tx, draft: Draft, { id, details }: JournalEntry): Promise<Plan> {
  const { withdrawalIds = [], lineIds, charge } = details.terms
  const payouts = await lockThePayouts(tx, withdrawalIds)
  const line = onlyOne(await lockTheLines(tx, { lineIds }))
  if (line.journalId !== id) throw notOf(line, 'payout', withdrawalIds)
  const charged = chargeOf(draft, line, charge?.amount ?? 0n).map((entry) => ({
    ...entry,
    kind: 'journal_reversal' as const,
    transfers: entry.transfers.map(({ from, to, amount }) => ({ from: to, to: from, amount })),
  }))
  return {
    entries: [debitReceipt({ ...line, amount: sumOf(payouts) }), ...charged],
    lines: [unexplained(line, withdrawalIds)],
    deposits: [],
    unsent: payouts,
  }
}

const sumOf = (payouts: Payout[]) => payouts.reduce((sum, { amount }) => sum + amount, 0n)

/** In key order. */
async function lockThePayouts(tx: Tx, withdrawalIds: string[]): Promise<Payout[]> {
  const locked = []
  for (const id of withdrawalIds.toSorted()) locked.push(await lockThePayout(tx, id))
  return locked
}

function chargeOf(draft: Draft, line: StoredLine, amount: bigint): NewEntry[] {
  if (amount === 0n) return []
  const from = bankAccount('bank_charges', line.collectingAccountId, line.currency)
  return [journalEntry('journal_bank_charge', draft, [{ from, to: unexplainedOf(line), amount }])]
}

function mustBeTheirs(
  line: StoredLine,
  payouts: Payout[],
  { withdrawalIds = [], notPayouts = [], charge }: Terms,
): void {
  const { currency, candidateWithdrawalId: named } = line
  const elsewhere = payouts.find((one) => one.sourceAccountId !== line.collectingAccountId || one.currency !== currency)
  if (elsewhere) {
    const { withdrawalId: withdrawal } = elsewhere
    throw refuse('line_not_on_payouts_account', { line: line.id, withdrawal, isOwed: false })
  }
  const isNamed = payoutReferences(line.narrative).some((id) => withdrawalIds.includes(id))
  if (named !== null && !isNamed && !notPayouts.includes(named))
    throw refuse('line_names_other_withdrawal', { line: line.id, withdrawal: named })
  if (charge && charge.amount <= 0n) throw refuseField('charge', 'term_not_above_zero')
  const total = sumOf(payouts) + (charge?.amount ?? 0n)
  if (total === line.amount) return
  const its = { line: line.id, has: money(line.amount, currency), payouts: money(sumOf(payouts), currency) }
  const more = line.amount - sumOf(payouts)
  throw more > 0n ? refuse('debit_above_payouts', { ...its, more: String(more) }) : refuse('debit_below_payouts', its)
}

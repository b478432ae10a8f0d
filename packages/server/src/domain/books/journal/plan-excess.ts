import { money } from '../../../kernel/refusals/facts.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { bankAccount, debitClearing, unexplainedOf } from '../../ledger/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { findPayout, isOpen, lockPayout, wasNotSent } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { lockLinesAbout } from '../../statements/index.ts'
import type { Draft, Plan } from './plan.ts'
import { journalEntry, lockTheLines, mustBeDebit } from './plan.ts'
import { neverLeft } from './plan-payout-debit.ts'

const ENTRIES = { receivables: 'journal_receivable', bank_charges: 'journal_bank_charge' } as const

/** The bank took more for a payout than was ordered: the lines are the payout's debit, and the rest is owed to us, or a charge. */
export async function planExcess(tx: Tx, draft: Draft, kind: keyof typeof ENTRIES): Promise<Plan> {
  const { withdrawalId = '' } = draft.terms
  const known = await findPayout(tx, withdrawalId)
  if (!known) throw refuseField('withdrawal', 'withdrawal_without_payout', { wanted: 'debited' })
  const payout = (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
  const others = await lockLinesAbout(tx, withdrawalId)
  const lines = (await lockTheLines(tx, draft.terms)).map(mustBeDebit)
  const [first, ...more] = lines
  if (!first) throw refuseField('line', 'payout_line_missing', { direction: 'debit' })
  const amount = mustExceed(lines, payout, others)
  const from = bankAccount(kind, first.collectingAccountId, first.currency)
  return {
    // The settlement of the payout has taken its part from cash already.
    entries: [
      ...[{ ...first, amount: first.amount - amount }, ...more].map(debitClearing),
      journalEntry(ENTRIES[kind], draft, [{ from, to: unexplainedOf(first), amount }]),
    ],
    lines: lines.map((line) => ({ line, becomes: 'payout' })),
    deposits: [],
    sent: payout,
  }
}

/** Returns what is left. Of several lines each is needed, so each has more than that. */
function mustExceed(lines: StoredLine[], payout: Payout, others: StoredLine[]): bigint {
  const { withdrawalId: withdrawal, currency } = payout
  const line = lines[0]?.id ?? null
  if (isOpen(payout)) throw refuse('payout_not_ended', { withdrawal, state: payout.state })
  if (wasNotSent(payout)) throw neverLeft(payout, line)
  const debit = others.find((other) => other.direction === 'debit' && other.withdrawalId === withdrawal)
  if (debit) throw refuse('payout_has_debit', { withdrawal, debit: debit.id, line })
  const elsewhere = lines.find(({ collectingAccountId }) => collectingAccountId !== payout.sourceAccountId)
  if (elsewhere) throw refuse('line_not_on_payouts_account', { line: elsewhere.id, withdrawal, isOwed: true })
  const total = lines.reduce((sum, { amount }) => sum + amount, 0n)
  const excess = total - payout.amount
  const needless = lines.length > 1 && lines.find(({ amount }) => amount <= excess)
  const [took, ordered] = [money(total, currency), money(payout.amount, currency)]
  if (needless) throw refuse('line_not_needed', { line: needless.id, total: took, ordered })
  if (excess > 0n) return excess
  const areParts = lines.length > 1 || excess < 0n
  throw refuse('debit_has_no_rest', { withdrawal, took, ordered, lines: lines.map(({ id }) => id), areParts })
}

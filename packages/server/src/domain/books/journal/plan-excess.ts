import { formatMoney } from '../../../kernel/money.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { invalidField, Refusal } from '../../../platform/refusal.ts'
import { bankAccount, debitClearing, unexplainedOf } from '../../ledger/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { findPayout, isOpen, lockPayout, wasNotSent } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { lockLinesAbout } from '../../statements/index.ts'
import type { Draft, Plan } from './plan.ts'
import { journalEntry, lockTheLines, mustBeDebit } from './plan.ts'

const ENTRIES = { receivables: 'journal_receivable', bank_charges: 'journal_bank_charge' } as const

/** The bank took more for a payout than was ordered: the lines are the payout's debit, and the rest is owed to us, or a charge. */
export async function planExcess(tx: Tx, draft: Draft, kind: keyof typeof ENTRIES): Promise<Plan> {
  const { withdrawalId = '' } = draft.terms
  const known = await findPayout(tx, withdrawalId)
  if (!known) throw invalidField('withdrawal', 'must be the withdrawal whose payout the bank debited')
  const payout = (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
  const others = await lockLinesAbout(tx, withdrawalId)
  const lines = (await lockTheLines(tx, draft.terms)).map(mustBeDebit)
  const [first, ...more] = lines
  if (!first) throw invalidField('line', 'must name the debit, or each of the debits, of the payout')
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
  const { withdrawalId, state, currency } = payout
  const whole = `The whole debit is a receivable: vezne journal propose receivable --line ${lines[0]?.id}`
  if (isOpen(payout))
    throw new Refusal('INVALID_STATE', `The payout is ${state}. Two people end it first: vezne withdrawal resolve`)
  if (wasNotSent(payout))
    throw new Refusal('INVALID_STATE', `The payout was not sent; its merchant has the money back. ${whole}`)
  if (others.some((other) => other.direction === 'debit' && other.withdrawalId === withdrawalId))
    throw new Refusal('INVALID_STATE', `The payout has its debit already. ${whole}`)
  if (lines.some((line) => line.collectingAccountId !== payout.sourceAccountId))
    throw new Refusal('INVALID_STATE', `The payout left from another account than this line. ${whole}`)
  const total = lines.reduce((sum, { amount }) => sum + amount, 0n)
  const excess = total - payout.amount
  const needless = lines.length > 1 && lines.find(({ amount }) => amount <= excess)
  if (needless)
    throw new Refusal('INVALID_STATE', `Line ${needless.id} is not needed to make the payout. Leave it out.`)
  if (excess > 0n) return excess
  const [took, ordered] = [total, payout.amount].map((amount) => formatMoney(amount, currency))
  const next = lines.length > 1 || excess < 0n ? ' If they are parts of it: vezne journal propose payout_debit' : ''
  throw new Refusal('INVALID_STATE', `The debit has ${took}, the payout ${ordered}: there is no rest.${next}`)
}

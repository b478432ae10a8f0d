import { formatMoney } from '../../../kernel/money.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { invalidField, Refusal } from '../../../platform/refusal.ts'
import type { NewEntry } from '../../ledger/index.ts'
import { bankAccount, debitClearing, suspenseOf, unexplainedOf } from '../../ledger/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { findPayout, isOpen, lockPayout, wasNotSent } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { lockLinesAbout } from '../../statements/index.ts'
import type { Draft, Plan, Planner } from './plan.ts'
import { journalEntry, lockTheLines, mustBeCredit, mustBeDebit, onlyOne } from './plan.ts'
import { planMerchantCharge } from './plan-merchant-charge.ts'
import { lockReceivable } from './receivables.ts'
import { lockRest } from './rests.ts'

/** Money that left by a fault of the bank, which will come back; or a credit that gives back all of it, or a part. */
export const planReceivable: Planner = async (_app, tx, draft) => {
  const { withdrawalId, settles, lineIds, restOf } = draft.terms
  if (withdrawalId !== undefined)
    return settles === undefined ? planExcess(tx, draft, withdrawalId) : planMerchantCharge(tx, draft, withdrawalId)
  if (restOf !== undefined) {
    const { line, amount } = await lockRest(tx, { restOf, lineIds })
    return { entries: [await settlement(tx, draft, { ...line, amount })], lines: [], deposits: [] }
  }
  const line = onlyOne(await lockTheLines(tx, draft.terms))
  if (line.direction === 'credit') {
    const entry = await settlement(tx, draft, mustBeCredit(line))
    return { entries: [entry], lines: [{ line, becomes: 'journal' }], deposits: [] }
  }
  if (settles !== undefined) throw invalidField('settles', 'must be absent: the line is a debit')
  return { entries: [owed(draft, mustBeDebit(line), line.amount)], lines: [{ line, becomes: 'journal' }], deposits: [] }
}

function owed(draft: Draft, line: StoredLine, amount: bigint) {
  const from = bankAccount('receivables', line.collectingAccountId, line.currency)
  return journalEntry('journal_receivable', draft, [{ from, to: unexplainedOf(line), amount }])
}

async function settlement(tx: Tx, draft: Draft, line: StoredLine): Promise<NewEntry> {
  const { settles = '' } = draft.terms
  const { account, open } = await lockReceivable(tx, settles)
  if (line.currency !== account.currency || line.amount > open) {
    const [came, left] = [formatMoney(line.amount, line.currency), formatMoney(open, account.currency)]
    throw new Refusal(
      'INVALID_STATE',
      `${came} came, ${left} is still owed: this line is not, or not only, its return.`,
    )
  }
  return journalEntry('journal_receivable', draft, [{ from: suspenseOf(line), to: account, amount: line.amount }])
}

/** The bank took more for a payout than was ordered: the line is the payout's debit, and the rest is owed to us. */
async function planExcess(tx: Tx, draft: Draft, withdrawalId: string): Promise<Plan> {
  const known = await findPayout(tx, withdrawalId)
  if (!known) throw invalidField('withdrawal', 'must be the withdrawal whose payout the bank debited')
  const payout = (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
  const others = await lockLinesAbout(tx, withdrawalId)
  const line = mustBeDebit(onlyOne(await lockTheLines(tx, draft.terms)))
  mustExceed(line, payout, others)
  return {
    // The settlement of the payout has taken its part from cash already.
    entries: [debitClearing({ ...line, amount: payout.amount }), owed(draft, line, line.amount - payout.amount)],
    lines: [{ line, becomes: 'payout' }],
    deposits: [],
    sent: payout,
  }
}

function mustExceed(line: StoredLine, payout: Payout, others: StoredLine[]): void {
  const { withdrawalId, state } = payout
  const whole = `The whole debit is a receivable: vezne journal propose receivable --line ${line.id}`
  if (isOpen(payout))
    throw new Refusal('INVALID_STATE', `The payout is ${state}. Two people end it first: vezne withdrawal resolve`)
  if (wasNotSent(payout))
    throw new Refusal('INVALID_STATE', `The payout was not sent; its merchant has the money back. ${whole}`)
  if (others.some((other) => other.direction === 'debit' && other.withdrawalId === withdrawalId))
    throw new Refusal('INVALID_STATE', `The payout has its debit already. ${whole}`)
  if (line.collectingAccountId !== payout.sourceAccountId)
    throw new Refusal('INVALID_STATE', `The payout left from another account than this line. ${whole}`)
  if (line.amount > payout.amount) return
  const [took, ordered] = [line, payout].map(({ amount, currency }) => formatMoney(amount, currency))
  throw new Refusal('INVALID_STATE', `The line has ${took}, the payout ${ordered}: nothing is left that is owed to us.`)
}

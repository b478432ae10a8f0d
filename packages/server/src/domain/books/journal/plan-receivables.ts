import { money } from '../../../kernel/refusals/facts.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { NewEntry } from '../../ledger/index.ts'
import { bankAccount, suspenseOf, unexplainedOf } from '../../ledger/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import type { Draft, Plan, Planner } from './plan.ts'
import { journalEntry, lockTheLines, mustBeCredit, mustBeDebit, onlyOne } from './plan.ts'
import { openCharges } from './charges.ts'
import { planDepositCharge } from './plan-deposit-charge.ts'
import { planDebits } from './plan-debits.ts'
import { planGivenBack } from './plan-given-back.ts'
import { planMerchantCharge } from './plan-merchant-charge.ts'
import { lockReceivable } from './receivables.ts'
import { lockRest } from './rests.ts'

/** Money that left by a fault of the bank, which will come back; or a credit that gives back all of it, or a part: to us, or to the merchant who was charged. */
export const planReceivable: Planner = async (_app, tx, draft) => {
  const { withdrawalId, depositId, settles, lineIds, restOf, rest } = draft.terms
  const isSettled = settles !== undefined && (withdrawalId ?? depositId ?? restOf) === undefined
  if (rest && (!isSettled || rest.amount <= 0n)) throw refuseField('rest', 'rest_without_settlement')
  if (depositId !== undefined) return planDepositCharge(tx, draft, depositId)
  if (withdrawalId !== undefined)
    return settles === undefined ? planDebits(tx, draft, 'receivables') : planMerchantCharge(tx, draft, withdrawalId)
  const charge = (await openCharges(tx)).find(({ entryId }) => entryId === settles)
  if (charge && rest) throw refuseField('rest', 'rest_beside_charge')
  if (charge) return planGivenBack(tx, draft, charge)
  if (restOf !== undefined) {
    const { line, amount } = await lockRest(tx, { restOf, lineIds })
    return { entries: [await settlement(tx, draft, { ...line, amount })], lines: [], deposits: [] }
  }
  const lines = await lockTheLines(tx, draft.terms)
  const [first, ...others] = lines
  if (first?.direction === 'debit' && others.length > 0) return planOwed(draft, lines)
  const line = onlyOne(lines)
  if (line.direction === 'debit') return planOwed(draft, [line])
  const amount = mustBeCredit(line).amount - (rest?.amount ?? 0n)
  if (amount <= 0n) throw refuseField('rest', 'rest_not_below_line')
  const entry = await settlement(tx, draft, { ...line, amount })
  return { entries: [entry], lines: [{ line, becomes: 'journal' }], deposits: [] }
}

/** Several debits of an account are one matter: one credit may give them back. */
function planOwed(draft: Draft, lines: StoredLine[]): Plan {
  if (draft.terms.settles !== undefined) throw refuseField('settles', 'settles_beside_debit')
  if (new Set(lines.map(({ collectingAccountId }) => collectingAccountId)).size > 1)
    throw refuseField('line', 'debits_of_several_accounts')
  const transfers = lines.map(mustBeDebit).map((line) => ({
    from: bankAccount('receivables', line.collectingAccountId, line.currency),
    to: unexplainedOf(line),
    amount: line.amount,
  }))
  return {
    entries: [journalEntry('journal_receivable', draft, transfers)],
    lines: lines.map((line) => ({ line, becomes: 'journal' })),
    deposits: [],
  }
}

async function settlement(tx: Tx, draft: Draft, line: StoredLine): Promise<NewEntry> {
  const { settles = '' } = draft.terms
  const { account, open } = await lockReceivable(tx, settles)
  if (line.currency !== account.currency || line.amount > open) {
    const came = money(line.amount, line.currency)
    throw refuse('credit_above_receivable', { came, open: money(open, account.currency) })
  }
  return journalEntry('journal_receivable', draft, [{ from: suspenseOf(line), to: account, amount: line.amount }])
}

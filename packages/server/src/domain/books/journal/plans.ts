import { mustBeGenuine } from '../../statements/index.ts'
import type { JournalKind } from './journal-entry.ts'
import {
  planBankCharge,
  planBankTax,
  planFeeWithdrawal,
  planInterest,
  planOpeningBalance,
  planOwnFunds,
  planOwnTransfer,
} from './plan-bank-items.ts'
import { planDepositPayment, planStorno, planUnmatch } from './plan-deposits.ts'
import { planRefund } from './plan-payouts.ts'
import { planDebits } from './plan-debits.ts'
import { planReceivable } from './plan-receivables.ts'
import { planReturns } from './plan-returns.ts'
import { planReversal } from './plan-reversal.ts'
import type { Planner } from './plan.ts'
import { mustTakeTerms } from './proposal-forms.ts'

const PLANS: Record<JournalKind, Planner> = {
  own_transfer: planOwnTransfer,
  bank_charge: planBankCharge,
  bank_tax: planBankTax,
  interest: planInterest,
  receivable: planReceivable,
  fee_withdrawal: planFeeWithdrawal,
  refund_unexplained: planRefund,
  payout_return: (_app, tx, draft) => planReturns(tx, draft),
  payout_debit: (_app, tx, draft) => planDebits(tx, draft, null),
  storno: planStorno,
  own_funds: planOwnFunds,
  opening_balance: planOpeningBalance,
  unmatch: planUnmatch,
  deposit_payment: planDepositPayment,
  reversal: planReversal,
}

/** What the entry changes, with all of it locked. Writes nothing. */
export const planOf: Planner = async (app, tx, draft) => {
  const { kind, terms } = draft
  // Of a return that is taken back: the plan itself has filled it in, and does so again.
  const { restOf, ...said } = terms
  mustTakeTerms(kind, kind === 'unmatch' ? said : terms)
  const plan = await PLANS[kind](app, tx, draft)
  await mustBeGenuine(
    app,
    tx,
    plan.lines.map(({ line }) => line),
  )
  if (kind === 'unmatch' && restOf !== plan.terms?.restOf) mustTakeTerms(kind, terms)
  return plan
}

import type { JournalKind } from './journal-entry.ts'
import {
  planBankCharge,
  planBankTax,
  planFeeWithdrawal,
  planInterest,
  planOpeningBalance,
  planOwnTransfer,
} from './plan-bank-items.ts'
import { planReassign, planSplit, planStorno, planUnmatch } from './plan-deposits.ts'
import { planRefund } from './plan-payouts.ts'
import { planDividedReturn } from './plan-divided-return.ts'
import { planPayoutDebit } from './plan-payout-debit.ts'
import { planSharedDebit } from './plan-shared-debit.ts'
import { planReceivable } from './plan-receivables.ts'
import { planPayoutReturn, planReturnWithCosts } from './plan-returns.ts'
import { planReversal } from './plan-reversal.ts'
import type { Planner } from './plan.ts'

export const PLANS: Record<JournalKind, Planner> = {
  own_transfer: planOwnTransfer,
  bank_charge: planBankCharge,
  bank_tax: planBankTax,
  interest: planInterest,
  receivable: planReceivable,
  fee_withdrawal: planFeeWithdrawal,
  refund_unexplained: planRefund,
  return_with_costs: planReturnWithCosts,
  payout_return: (app, tx, draft) =>
    (draft.terms.withdrawalIds || draft.terms.rest ? planDividedReturn : planPayoutReturn)(app, tx, draft),
  payout_debit: (app, tx, draft) =>
    (draft.terms.withdrawalIds === undefined ? planPayoutDebit : planSharedDebit)(app, tx, draft),
  storno: planStorno,
  opening_balance: planOpeningBalance,
  unmatch: planUnmatch,
  split: planSplit,
  reassign: planReassign,
  reversal: planReversal,
}

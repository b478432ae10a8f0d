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
import { planDebits } from './plan-debits.ts'
import { planReceivable } from './plan-receivables.ts'
import { planReturns } from './plan-returns.ts'
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
  return_with_costs: (_app, tx, draft) => planReturns(tx, draft),
  payout_return: (_app, tx, draft) => planReturns(tx, draft),
  payout_debit: (_app, tx, draft) => planDebits(tx, draft, null),
  storno: planStorno,
  opening_balance: planOpeningBalance,
  unmatch: planUnmatch,
  split: planSplit,
  reassign: planReassign,
  reversal: planReversal,
}

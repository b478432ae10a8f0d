import type { MoneyFact } from '../../platform/refusal.ts'
import { field, is } from './catalogue.ts'

type LineAsItIs = { line: string; direction: string; state: string; reason: string | null }

/** What a proposal must name, or leave out. */
export const PLAN_FIELDS = {
  line_named_twice: field(),
  line_not_one: field(),
  return_not_one_line: field(),
  shared_debit_not_one_line: field(),
  lines_not_debit_and_credit: field(),
  line_beside_write_off: field(),
  withdrawal_beside_write_off: field(),
  line_beside_opening_balance: field(),
  line_beside_merchant_charge: field(),
  deposit_beside_others: field(),
  opening_balance_not_above_zero: field(),
  opening_balance_without_day: field(),
  unmatch_without_deposit: field(),
  deposit_beside_parts: field(),
  parts_not_of_deposits: field(),
  parts_not_sum_of_line: field<{ has: MoneyFact; given: MoneyFact }>(),
  term_not_above_zero: field(),
  term_not_of_kind: field<{ kind: string }>(),
  withdrawals_not_several: field(),
  withdrawal_without_payout: field<{ wanted: 'debited' | 'paid_after_all' | 'returned' | 'return_undone' }>(),
  payout_line_missing: field<{ direction: 'debit' | 'credit' }>(),
  sender_not_on_line: field(),
  rest_without_settlement: field(),
  rest_beside_charge: field(),
  rest_not_below_line: field(),
  settles_beside_debit: field(),
  debits_of_several_accounts: field(),
  charge_given_back: field(),
  charge_beside_settles: field(),
  entry_to_reverse_missing: field(),
}

/** What a line is, or may be. */
export const PLAN_LINES = {
  /** `has`: how much of the payout. */
  line_like_debit_of_payout: is<{
    line: string
    withdrawal: string
    like: 'amount' | 'recipient'
    isOpen: boolean
    has: 'part' | 'all' | 'more'
  }>('INVALID_STATE'),
  line_names_payout_elsewhere: is<{ line: string; withdrawal: string }>('INVALID_STATE'),
  /** `other`: one of them that was not proposed. */
  line_names_waiting_payouts: is<{ line: string; withdrawals: string[]; other: string }>('INVALID_STATE'),
  payout_like_no_line: is<{ withdrawal: string; state: string }>('INVALID_STATE'),
  line_not_open: is<LineAsItIs & { wanted: 'debit' | 'credit' }>('INVALID_STATE'),
  line_not_of: is<LineAsItIs & { of: 'deposit' | 'payout'; ids: string[] }>('INVALID_STATE'),
  line_may_be_corrected: is<{ line: string; correction: string }>('INVALID_STATE'),
  line_split: is<{ line: string; entry: string }>('INVALID_STATE'),
  line_explained: is<{ line: string; kind: string | null; entry: string }>('INVALID_STATE'),
  line_names_other_withdrawal: is<{ line: string; withdrawal: string }>('INVALID_STATE'),
  /** `isOwed`: all of it is then a receivable. */
  line_not_on_payouts_account: is<{ line: string; withdrawal: string; isOwed: boolean }>('INVALID_STATE'),
  line_not_needed: is<{ line: string; total: MoneyFact; ordered: MoneyFact }>('INVALID_STATE'),
  currencies_differ: is<{
    line: string
    currency: string
    other: 'line' | 'deposit' | 'payout'
    otherCurrency: string
  }>('INVALID_STATE'),
  lines_on_one_account: is<{ debit: string; credit: string }>('INVALID_STATE'),
  storno_differs: is<{ debit: string; credit: string }>('INVALID_STATE'),
}

/** Deposits, and what their merchants have or were charged. */
export const PLAN_DEPOSITS = {
  fees_below_debit: is<{ took: MoneyFact; earned: MoneyFact }>('INVALID_STATE'),
  deposit_not_credited: is<{ deposit: string; status: string }>('INVALID_STATE'),
  deposit_not_refunded: is<{ deposit: string; entry: string; debit: string }>('INVALID_STATE'),
  deposit_sum_differs: is<{ deposit: string }>('INVALID_STATE'),
  deposit_holds_money: is<{ deposit: string; held: MoneyFact }>('INVALID_STATE'),
  debit_of_no_payment: is<{ line: string; deposit: string }>('INVALID_STATE'),
  merchant_charged: is<{ of: 'payment' | 'return'; transaction: string; entry: string }>('INVALID_STATE'),
  merchant_charged_in_full: is<{
    of: 'deposit' | 'payout'
    charged: MoneyFact
    whole: MoneyFact
    entry: string
  }>('INVALID_STATE'),
}

/** What the lines have together, and what was ordered by the payouts. */
type LinesAndPayouts = { lines: string[]; withdrawals: string[]; total: MoneyFact; ordered: MoneyFact }

/** Debits of payouts. */
export const PLAN_PAYOUTS = {
  /** `isRefund`: of unexplained money. `line`: null if it is not known which one is its debit. */
  payout_never_left: is<{ withdrawal: string; state: string; isRefund: boolean; line: string | null }>('INVALID_STATE'),
  payout_not_handed_over: is<{ withdrawal: string }>('INVALID_STATE'),
  /** `line`: a further debit, which is a receivable. */
  payout_has_debit: is<{ withdrawal: string; debit: string; line: string | null }>('INVALID_STATE'),
  payout_differs: is<{ withdrawal: string }>('INVALID_STATE'),
  payout_of_no_merchant: is<{ withdrawal: string }>('INVALID_STATE'),
  debit_has_no_rest: is<LinesAndPayouts>('INVALID_STATE'),
  debit_not_tied_to_payout: is<{ line: string; withdrawal: string; because: 'account' | 'has_debit' }>('INVALID_STATE'),
  debit_in_one_line: is<{ line: string; withdrawal: string; isOpen: boolean }>('INVALID_STATE'),
  debit_above_payouts: is<LinesAndPayouts & { more: MoneyFact }>('INVALID_STATE'),
  debit_below_payouts: is<LinesAndPayouts & { missing: MoneyFact }>('INVALID_STATE'),
}

/** What came back: of payouts, and of what is owed to us. */
export const PLAN_RETURNS = {
  payout_not_back: is<{ withdrawal: string; state: string }>('INVALID_STATE'),
  payout_cannot_return: is<{ withdrawal: string; state: string }>('INVALID_STATE'),
  return_not_read: is<{ withdrawal: string }>('INVALID_STATE'),
  return_is_whole: is<{ withdrawal: string; before: MoneyFact; ordered: MoneyFact; came: MoneyFact }>('INVALID_STATE'),
  return_above_payout: is<{ came: MoneyFact; ordered: MoneyFact }>('INVALID_STATE'),
  /** `rest`: what no one can explain, if someone said so. */
  return_below_payouts: is<LinesAndPayouts & { rest: MoneyFact | null; missing: MoneyFact }>('INVALID_STATE'),
  return_had_costs: is<{ withdrawal: string; lines: string[] }>('INVALID_STATE'),
  return_costs_of_other: is<{ bearer: 'merchant' | 'operator' }>('INVALID_STATE'),
  return_has_no_rest: is<{ line: string; withdrawal: string }>('INVALID_STATE'),
  return_above_receivable: is<{ more: MoneyFact; open: MoneyFact }>('INVALID_STATE'),
  return_not_all_charge: is<{ more: MoneyFact; borne: MoneyFact }>('INVALID_STATE'),
  return_gave_more: is<{ entry: string }>('INVALID_STATE'),
  return_of_refund: is<{ withdrawal: string }>('INVALID_STATE'),
  charge_not_given_back: is<{ withdrawal: string; line: string; entry: string }>('INVALID_STATE'),
  credit_above_charge: is<{ came: MoneyFact; left: MoneyFact }>('INVALID_STATE'),
  credit_above_receivable: is<{ came: MoneyFact; open: MoneyFact }>('INVALID_STATE'),
  /** `back`: what takes the use back; `id`: of what that is about. */
  refunded_line_used: is<{
    line: string
    state: string
    reason: string | null
    back: 'suspend' | 'restore' | 'stop' | 'reverse' | 'unmatch_deposit' | 'unmatch_withdrawal' | 'look'
    id: string
  }>('INVALID_STATE'),
}

/** Entries that are taken back. */
export const PLAN_REVERSALS = {
  entry_settled: is<{ entry: string; by: 'charge' | 'credit' | 'balance' }>('INVALID_STATE'),
  entry_taken_back: is<{ entry: string }>('INVALID_STATE'),
  entry_has_other_way_back: is<{
    entry: string
    kind: 'refund_unexplained' | 'payout_return' | 'storno' | 'unmatch' | 'deposit_payment' | 'reversal'
  }>('INVALID_STATE'),
}

/** Plans of journal entries: why an explanation does not fit its lines. */
export const PLANS = {
  ...PLAN_FIELDS,
  ...PLAN_LINES,
  ...PLAN_DEPOSITS,
  ...PLAN_PAYOUTS,
  ...PLAN_RETURNS,
  ...PLAN_REVERSALS,
}

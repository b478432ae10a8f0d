import type { MoneyFact } from '../../platform/refusal.ts'
import { field, is } from './catalogue.ts'

type LineState = 'new' | 'matched' | 'suspense' | 'needs_review' | 'dismissed'
type Line = { line: string }
type LineAndPayout = Line & { withdrawal: string }
type LineAndFirst = Line & { first: string }

/** What a line is, and who may say so. */
const JUDGED = {
  line_not_judged: is<Line>('INVALID_STATE'),
  line_changed: is<Line>('INVALID_STATE'),
  /** `reason`: why it is in its state; null while it is new. */
  line_not_in_state: is<Line & { state: LineState; reason: string | null; needed: LineState[] }>('INVALID_STATE'),
  line_held: is<Line & { deposit: string }>('INVALID_STATE'),
  line_not_credit: is<Line>('INVALID_STATE'),
  line_not_debit: is<Line>('INVALID_STATE'),
  line_names_open_withdrawal: is<LineAndPayout & { status: string }>('INVALID_STATE'),
  /** The line shows one that people entered, and whose money was sent back. */
  line_shows_refunded: is<Line & { entered: string }>('INVALID_STATE'),
}

/** A line that may repeat another, and one that was taken out of the books. */
const REPEATED = {
  line_may_repeat: is<LineAndFirst & { state: LineState }>('INVALID_STATE'),
  line_not_repeat: is<Line>('INVALID_STATE'),
  line_dismissed: is<Line & { reason: string | null }>('INVALID_STATE'),
  line_import_undone: is<Line>('INVALID_STATE'),
  line_not_replaced: is<Line>('INVALID_STATE'),
  line_replaced_by_same_person: is<Line & { name: string }>('INVALID_STATE'),
  line_replacement_stands: is<Line & { replacement: string; state: LineState }>('INVALID_STATE'),
  line_was_entered: is<Line>('INVALID_STATE'),
  /** The bank's own line of this booking is not booked because this one is. */
  line_stands_for_another: is<Line & { other: string }>('INVALID_STATE'),
  lines_differ: is<LineAndFirst & { here: MoneyFact; there: MoneyFact }>('INVALID_STATE'),
  first_line_entered_by: is<Line & { name: string }>('INVALID_STATE'),
  first_line_not_open: is<LineAndFirst & { state: LineState }>('INVALID_STATE'),
  first_line_in_journal: is<LineAndFirst & { entry: string }>('INVALID_STATE'),
  first_line_credited: is<LineAndFirst & { deposit: string }>('INVALID_STATE'),
  first_line_debit: is<LineAndFirst & { withdrawal: string }>('INVALID_STATE'),
  first_line_return: is<LineAndFirst & { withdrawal: string }>('INVALID_STATE'),
}

/** A line as the payment of a deposit. */
const MATCHED = {
  deposit_takes_no_money: is<{ deposit: string; status: string }>('INVALID_STATE'),
  line_currency_differs: is<Line & { currency: string; deposit: string; asked: string }>('INVALID_STATE'),
  /** `kurus`: what is received, as it is entered. */
  line_amount_differs: is<{ deposit: string; asked: MoneyFact; received: MoneyFact; kurus: string }>(
    'VALIDATION_ERROR',
  ),
  sender_not_customer: field(),
}

/** A line as the debit or the return of a payout. */
const OF_PAYOUT = {
  payout_not_known_to_have_left: is<{ withdrawal: string; state: string }>('INVALID_STATE'),
  debit_payout_not_paid: is<LineAndPayout>('INVALID_STATE'),
  /** The payout was a refund of money that belongs to no merchant. */
  debit_refund_not_paid: is<LineAndPayout>('INVALID_STATE'),
  debit_unlike_payout: is<LineAndPayout>('INVALID_STATE'),
  debit_of_payout_twice: is<LineAndPayout>('INVALID_STATE'),
  debit_names_others: is<LineAndPayout & { named: string[] }>('INVALID_STATE'),
  debit_names_several: is<Line & { named: string[] }>('INVALID_STATE'),
  return_has_line: is<LineAndPayout>('INVALID_STATE'),
  return_without_debit: is<LineAndPayout>('INVALID_STATE'),
  return_debit_explained: is<LineAndPayout & { debit: string; state: LineState; reason: string | null }>(
    'INVALID_STATE',
  ),
  return_by_amount_only: is<LineAndPayout>('INVALID_STATE'),
  return_amount_differs: is<LineAndPayout & { came: MoneyFact; left: MoneyFact }>('INVALID_STATE'),
}

/** Play money of a sandbox. */
const FUNDED = {
  funds_without_bank: is<{ merchant: string; currency: string }>('INVALID_STATE'),
  funds_out_of_range: is<{ min: MoneyFact; max: MoneyFact }>('AMOUNT_OUT_OF_RANGE'),
  funds_without_account: is<{ deposit: string }>('INVALID_STATE'),
}

/** Bank lines: matching by hand, decisions, dismissals. */
export const LINES = { ...JUDGED, ...REPEATED, ...MATCHED, ...OF_PAYOUT, ...FUNDED }

import type { MoneyFact, Said } from '../../platform/refusal.ts'
import { field, is } from './catalogue.ts'

/** Proposals of journal entries. */
export const ENTRIES = {
  opening_balance_booked: is('INVALID_STATE'),
  ledger_account_too_low: is<{ entry: string }>('INVALID_STATE'),
}

/** Rules that explain lines. */
export const LINE_RULES = {
  rule_unknown: is<{ rule: string }>('NOT_FOUND'),
  rule_ended: is<{ rule: string }>('INVALID_STATE'),
  rule_undone: is<{ rule: string }>('INVALID_STATE'),
  rule_words_wrong: field<{ least: number; most: number }>(),
}

/** What the plans of several kinds of entries need. */
export const ENTRY_LINES = {
  receivable_not_open: field(),
  receivable_in_return: is<{ line: string; steps: Said[] }>('INVALID_STATE'),
  rest_not_open: field(),
  rest_used: is<{ kind: string; entry: string }>('INVALID_STATE'),
  charge_and_tax_missing: field(),
  line_maybe_return: is<{ line: string; payout: string }>('INVALID_STATE'),
  line_no_return: is<{ line: string; payout: string }>('INVALID_STATE'),
  line_exceeds_payout: is<{ line: string; payout: string; steps: Said[] }>('INVALID_STATE'),
  transfer_more_arrived: is('INVALID_STATE'),
  transfer_less_arrived: is<{ missing: MoneyFact; debit: string; credit: string }>('INVALID_STATE'),
  transfer_line_names_withdrawal: is<{ line: string; withdrawal: string }>('INVALID_STATE'),
  transfer_line_has_code: is<{ line: string; deposit: string }>('INVALID_STATE'),
  transfer_line_other_iban: is<{ line: string; other: string; debit: string; credit: string }>('INVALID_STATE'),
}

/** Money that must not be refunded. */
export const NO_REFUNDS = {
  /** `what` was taken, and the steps that explain the line instead of a refund. */
  line_returns_money: is<{ line: string; what: Said; steps: Said[] }>('INVALID_STATE'),
  payout_debit_unexplained: is<{ payout: string; line: string }>('INVALID_STATE'),
  payout_debited_with_more: is<{ payout: string }>('INVALID_STATE'),
  payout_debit_owed: is<{ payout: string; amount: MoneyFact; entry: string }>('INVALID_STATE'),
  merchant_charged_before: is<{ amount: MoneyFact; entry: string }>('INVALID_STATE'),
  credit_taken_back: is<{ line: string; isOwed: boolean }>('INVALID_STATE'),
  /** `sign`: the line that shows it. `remedy`: what the line that was to be refunded is instead. */
  refund_maybe_paid: is<{
    withdrawal: string
    sign: string | Said
    remedy: 'unmatch' | 'storno' | 'receivable'
    line: string
    restOf: string | null
  }>('INVALID_STATE'),
  refund_debit_explained: is<{ line: string; kind: string | null; entry: string }>('INVALID_STATE'),
  refund_debit_without_return: is<{ line: string }>('INVALID_STATE'),
  refund_return_not_shown: is<{ debit: string; line: string }>('INVALID_STATE'),
  /** A step: what two people propose instead. */
  entry_to_propose: is<{
    kind: string
    lines: string[]
    restOf: string | null
    withdrawal: string | null
    settles: string | null
    asksSettles: boolean
    charge: MoneyFact | null
    rest: MoneyFact | null
    isNext: boolean
  }>('INVALID_STATE'),
}

/** Days, and periods of exports. */
export const DAYS = {
  day_malformed: field(),
  month_malformed: field(),
  period_reversed: field(),
  day_closed: is<{ day: string; until: string }>('INVALID_STATE'),
  day_not_next: is<{ next: string }>('INVALID_STATE'),
  day_not_over: is<{ day: string; from: string; time: string }>('INVALID_STATE'),
  day_not_proven: is<{ day: string; ibans: string[] }>('INVALID_STATE'),
  day_not_explained: is<{ day: string; ibans: string[] }>('INVALID_STATE'),
  /** `figures`: as they are now; `seen`: as the person knows them. */
  day_figures_not_seen: is<{ day: string; figures: string; seen: string }>('INVALID_STATE'),
  /** `last`: null if none is closed. */
  day_not_last_closed: is<{ last: string | null }>('INVALID_STATE'),
}

/** An import that cannot be undone because of one of its lines. */
export const IMPORTS = {
  import_line_in_entry: is<{ line: string; entry: string }>('INVALID_STATE'),
  import_line_matched: is<{ line: string; kind: 'deposit' | 'withdrawal'; transaction: string }>('INVALID_STATE'),
  import_line_held: is<{ line: string; kind: 'deposit' | 'withdrawal'; transaction: string }>('INVALID_STATE'),
  import_line_decided: is<{ line: string; decidedBy: string }>('INVALID_STATE'),
}

/** Journal entries, days, exports, erasures. */
export const BOOKS = {
  ...ENTRIES,
  ...LINE_RULES,
  ...ENTRY_LINES,
  ...NO_REFUNDS,
  ...DAYS,
  ...IMPORTS,
  erasure_too_early: is<{ until: string; days: number }>('INVALID_STATE'),
  erasure_nothing_left: is('INVALID_STATE'),
  views_at_limit: is<{ most: number }>('INVALID_STATE'),
}

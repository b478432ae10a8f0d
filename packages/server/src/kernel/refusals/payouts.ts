import type { Said } from '../../platform/refusal.ts'
import { field, is } from './catalogue.ts'

/** What keeps a payout from being sent by hand now. */
export type PayoutHold =
  | 'restored'
  | 'ledger_drifted'
  | 'merchant_frozen'
  | 'differs_from_withdrawal'
  | 'unconfirmed'
  | 'on_statement'

/** Payouts, order files, restored databases. `at`: Istanbul time, `2026-11-15 14:32`. */
export const PAYOUTS = {
  payout_held: is<{ by: PayoutHold }>('INVALID_STATE'),
  payout_taken: is<{ person: string; until: string }>('INVALID_STATE'),
  payout_not_taken: is<{ person: string }>('INVALID_STATE'),
  payout_not_by_hand: is<{ state: string; connection: string }>('INVALID_STATE'),
  payout_by_hand_completed: is<{ bankReference: string | null }>('INVALID_STATE'),
  payout_by_hand_unsent: is('INVALID_STATE'),
  bank_reference_missing: field(),

  payout_being_sent: is<{ withdrawal: string }>('INVALID_STATE'),
  payout_ended: is<{ state: string; withdrawal: string }>('INVALID_STATE'),
  /** Ended as not sent. `money`: who has it back. */
  payout_unsent: is<{ state: string; withdrawal: string; money: 'merchant' | 'suspense' }>('INVALID_STATE'),
  payout_not_accepted: is<{ state: string }>('INVALID_STATE'),
  payout_outcome_unknown: is<{ state: string; withdrawal: string }>('INVALID_STATE'),
  withdrawal_not_ended: is<{ status: string }>('INVALID_STATE'),
  payout_may_still_show: is<{ from: string }>('INVALID_STATE'),
  payout_unproven: is('INVALID_STATE'),
  payout_on_statement: is<{ line: string; withdrawal: string }>('INVALID_STATE'),
  payout_debit_known: is<{ line: string }>('INVALID_STATE'),
  payout_debit_may_come: is<{ completed: string }>('INVALID_STATE'),
  payout_line_unexplained: is<{ line: string; isUnread: boolean; withdrawal: string }>('INVALID_STATE'),
  payout_debited_further: is<{ withdrawal: string; lines: string[]; credit: string }>('INVALID_STATE'),
  /** `needs`: whose word is missing. */
  opinion_given_already: is<{ person: string; needs: 'second' | 'third' | 'first' }>('INVALID_STATE'),
  opinion_missing: is<{ person: string }>('INVALID_STATE'),
  opinion_decided: is('INVALID_STATE'),

  /** `isBack`: a program has put the file back into outbox/. */
  payout_in_order_file: is<{ file: string; batch: string; isBack: boolean }>('INVALID_STATE'),
  order_file_cancelled: is<{ person: string; at: string; batch: string }>('INVALID_STATE'),
  order_file_reported: is<{ file: string; batch: string }>('INVALID_STATE'),
  order_file_fetched: is<{ file: string; at: string; batch: string }>('INVALID_STATE'),
  order_file_cancelling: is<{ problem: Said; batch: string }>('INVALID_STATE'),
  order_file_before_restore: is<{ batch: string }>('INVALID_STATE'),
  order_file_held_up: is<{ problem: Said; batch: string }>('INVALID_STATE'),
  order_folder_unusable: is<{ folder: string; fault: string }>('INVALID_STATE'),

  restore_not_open: is('INVALID_STATE'),
  restore_in_future: field(),
  restore_bank_unknown: is('INVALID_STATE'),
  restore_bank_known: is('INVALID_STATE'),
  restore_withdrawal_not_pending: is<{ withdrawal: string; status: string }>('INVALID_STATE'),
  restore_pairs_changed: is('INVALID_STATE'),
  restore_pairs_open: is('INVALID_STATE'),
  restore_answers_missing: is('INVALID_STATE'),
  restore_unchecked: is('INVALID_STATE'),
}

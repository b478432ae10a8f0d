/** Why a line is in its state, or what was decided about it. Beside these: the kind of the journal entry that explains it. */
export type LineReason =
  /** Credited without a person. */
  | ('exact' | 'rest_arrived' | 'within_tolerance' | 'received_accepted')
  /** Held for a deposit. */
  | ('short' | 'over' | 'third_party_sender' | 'late_review')
  /** In suspense. */
  | ('no_reference' | 'unknown_reference' | 'ambiguous' | 'uncertain_reference' | 'wrong_account' | 'duplicate')
  | ('deposit_cancelled' | 'deposit_failed' | 'too_late' | 'own_transfer' | 'refund_failed')
  /** Of a payout, or about one. */
  | ('payout_sent' | 'payout_returned' | 'payout_taken_back' | 'payout_no_debit' | 'payout_ambiguous')
  | ('payout_differs' | 'payout_line_twice' | 'payout_other_sender' | 'payout_other_recipient' | 'payout_second_debit')
  /** Needs a person. */
  | ('outgoing' | 'suspected_correction' | 'cannot_be_booked')
  /** Decided by people. */
  | ('by_hand' | 'same_money' | 'new_money' | 'replaces' | 'replaced' | 'restored' | 'retry' | 'dismissed')
  | 'import_undone'
  | 'entered_by_hand'

/** What a decision makes of a line. */
export type LineVerdict = 'complete' | 'hold' | 'matched' | 'suspense' | 'needs_review' | 'dismissed' | 'new'

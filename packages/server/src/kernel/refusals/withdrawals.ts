import type { MoneyFact, Said } from '../../platform/refusal.ts'
import { field, is } from './catalogue.ts'

/** What is wrong with a line of an instruction. */
export type LineFault = {
  field: 'processId' | 'accountName' | 'iban' | 'amount' | null
  problem: 'columns' | 'missing' | 'too_long' | 'too_short' | 'twice' | 'used' | 'invalid' | 'not_reachable'
}

/** `takenBack`: by the bank; null if nothing was. */
type RefundSums = { refunded: MoneyFact; received: MoneyFact; takenBack: MoneyFact | null }

/** Withdrawals, refunds, settlements, instructions. */
export const WITHDRAWALS = {
  withdrawal_above_balance: is<{ needed: MoneyFact; available: MoneyFact }>('INSUFFICIENT_BALANCE'),
  withdrawal_not_pending: is<{ status: string }>('INVALID_STATE'),
  withdrawal_ended: is<{ status: string }>('INVALID_STATE'),
  withdrawal_at_bank: is<{ withdrawal: string }>('INVALID_STATE'),
  withdrawal_has_payout: is('INVALID_STATE'),
  withdrawal_unchecked_after_restore: is('INVALID_STATE'),
  withdrawal_awaits_approval: is<{ withdrawal: string }>('INVALID_STATE'),
  withdrawal_awaits_no_approval: is<{ state: string }>('INVALID_STATE'),
  withdrawal_not_as_seen: is<{ withdrawal: string }>('INVALID_STATE'),
  withdrawal_not_recorded: is<{ withdrawal: string }>('INVALID_STATE'),

  iban_of_other_bank: field<{ bank: string; code: string; ibanCode: string }>(),
  iban_of_collecting_account: field(),
  currency_not_sendable: field<{ currency: string; bankCode: string }>(),

  refund_of_withdrawal: is<{ transaction: string }>('INVALID_STATE'),
  refund_of_uncompleted_deposit: is<{ status: string }>('INVALID_STATE'),
  refund_nothing_left: is<RefundSums>('INVALID_STATE'),
  refund_above_rest: is<RefundSums & { left: MoneyFact }>('AMOUNT_OUT_OF_RANGE'),
  refund_payment_not_confirmed: is('INVALID_STATE'),
  refund_correction_undecided: is('INVALID_STATE'),
  refund_debit_unexplained: is('INVALID_STATE'),
  refund_second_payment_waits: is<{ waiting: MoneyFact }>('INVALID_STATE'),
  refund_recipient_not_sender: field(),
  refund_recipient_missing: field(),

  settlement_held_up: is<{ by: 'merchant_frozen' | 'restore_unchecked' }>('INVALID_STATE'),
  settlement_nothing_to_send: is<{ available: MoneyFact; unconfirmed: MoneyFact | null }>('INVALID_STATE'),
  settlement_changed: is('INVALID_STATE'),
  settlement_numbers_used: is<{ day: string; most: number }>('INVALID_STATE'),

  instructions_full: is<{ most: number }>('INVALID_STATE'),
  instruction_sent_before: is('INVALID_STATE'),
  instruction_lines_missing: field(),
  instruction_lines_too_many: field<{ most: number }>(),
  /** `iban`: what is wrong with one that is not valid. */
  instruction_line_wrong: is<LineFault & { line: number; iban: Said | null }>('VALIDATION_ERROR'),
}

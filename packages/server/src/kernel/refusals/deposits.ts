import type { MoneyFact } from '../../platform/refusal.ts'
import { field, is } from './catalogue.ts'

/** Limits of banks for an amount; the API also says them in the smallest unit. */
type Range = { min: MoneyFact; max: MoneyFact; minKurus: string; maxKurus: string }
type Asked = { amount: MoneyFact; kurus: string }

/** Deposits and payment links, and what every new transaction may meet. */
export const DEPOSITS = {
  transaction_exists: is<{
    kind: 'deposit' | 'withdrawal'
    processId: string
    transaction: string
    differs: string[]
  }>('DUPLICATE_TRANSACTION'),
  /** `at`: when the first arrived, if that is known. */
  request_repeated: is<{ at: string | null }>('REQUEST_REPEATED'),
  /** Chosen when the form was shown. */
  form_id_malformed: field(),

  deposit_not_pending: is<{ status: string }>('INVALID_STATE'),
  deposit_not_ended: is<{ status: string }>('INVALID_STATE'),
  deposit_awaits_late_money: is<{ until: string }>('INVALID_STATE'),
  deposit_below_refunds: is<{ deposit: string; refunded: MoneyFact; received: MoneyFact }>('INVALID_STATE'),
  deposit_outcome_unknown: is('SERVICE_UNAVAILABLE'),
  deposits_open_too_many: is<{ open: number; most: number }>('RATE_LIMITED'),
  deposit_time_passed: is('INVALID_STATE'),

  bank_not_listed: field<{ given: string }>(),
  bank_not_offered: field<{ bank: string; code: string; isDisabled: boolean }>(),
  bank_without_currency: field<{ currency: string }>(),
  bank_not_chosen: is('INVALID_STATE'),
  bank_changed_too_often: is('INVALID_STATE'),
  bank_accounts_taken: is('SERVICE_UNAVAILABLE'),
  banks_unavailable: is<Asked>('AMOUNT_OUT_OF_RANGE'),
  amount_outside_bank: is<Range & Asked & { bank: string }>('AMOUNT_OUT_OF_RANGE'),
  amount_outside_banks: is<Range & Asked>('AMOUNT_OUT_OF_RANGE'),

  link_amount_out_of_range: field<{ most: MoneyFact }>(),
  link_customer_missing: field(),
  link_text_too_long: field<{ most: number }>(),
}

import type { AddressProblem } from '../../platform/http-client/address-problem.ts'
import type { MoneyFact } from '../../platform/refusal.ts'
import type { IbanFault } from '../iban.ts'
import { field, is } from './catalogue.ts'

/** Merchants, banks, accounts, endpoints. */
export const MERCHANTS = {
  merchant_suspended: is('ACCOUNT_SUSPENDED'),
  merchant_frozen: is<{ merchant: string }>('INVALID_STATE'),
  merchant_not_frozen: is<{ merchant: string }>('INVALID_STATE'),
  merchant_without_key: is<{ merchant: string }>('INVALID_STATE'),
  /** Of an API key or an endpoint. */
  secret_rotated: is('INVALID_STATE'),

  /** `most` null: any number from `least` on. */
  setting_out_of_range: field<{ least: number; most: number | null }>(),
  setting_amount_out_of_range: field<{ least: MoneyFact; most: MoneyFact }>(),
  length_wrong: field<{ least: number; most: number }>(),
  /** Whoever pays by FAST may take it for the account to pay to. */
  shown_text_payable: field<{ found: 'account' | 'phone' | 'identity' | 'email' }>(),
  shown_text_hidden: field(),

  accent_wrong: field(),
  support_phone_wrong: field(),
  email_malformed: field(),
  logo_unreadable: field<{ found: string }>(),
  logo_too_many_pixels: field<{ millions: number }>(),
  logo_too_large: field<{ kilobytes: number; width: number; height: number; most: number }>(),

  return_origin_wrong: field<{ origin: string }>(),
  network_wrong: field<{ network: string }>(),
  callback_network_not_private: field<{ network: string }>(),
  fee_too_early: field(),
  fee_rate_wrong: field(),

  endpoint_count_reached: is<{ most: number }>('INVALID_STATE'),
  endpoint_address_wrong: field<AddressProblem>(),
  event_type_wrong: field<{ type: string }>(),

  settlement_account_missing: is<{ merchant: string }>('INVALID_STATE'),
  settlement_account_ours: field(),
  settlement_schedule_changed: is('INVALID_STATE'),

  iban_wrong: field<{ fault: IbanFault; characters: number }>('INVALID_IBAN'),
  account_open: is<{ account: string }>('INVALID_STATE'),
  account_not_recorded: is<{ account: string }>('INVALID_STATE'),
  bank_limits_wrong: field<{ most: MoneyFact }>(),
  fast_currency_wrong: field(),
  karekod_producer_wrong: field(),
  karekod_currency_wrong: field(),
}

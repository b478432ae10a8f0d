import type { MoneyFact } from '../../platform/refusal.ts'
import { field, is } from './catalogue.ts'

/** Connections to banks. */
export const CONNECTIONS = {
  connection_name_taken: is<{ connection: string }>('INVALID_STATE'),
  connection_name_wrong: field(),
  /** Of a manual one: it must begin with `manual-`. */
  connection_name_not_manual: field<{ name: string }>(),
  connection_name_manual: field(),
  connection_of_environment: is<{ connection: string }>('INVALID_STATE'),
  /** Other settings than those that its kind lets people change. */
  connection_setting_fixed: is<{ connection: string; kind: 'http_api' | 'file_exchange' | 'manual' }>(
    'VALIDATION_ERROR',
  ),
  connection_switched: is<{ connection: string; state: 'disabled' | 'enabled' }>('INVALID_STATE'),
  connection_key_unknown: is<{ connection: string }>('INVALID_STATE'),
  /** `sent`: by the tests of the last day. */
  test_amount_too_high: field<{ most: MoneyFact; sent: MoneyFact }>(),

  bank_address_wrong: field(),
  bank_address_not_https: field(),
  bank_key_missing: field(),
  bank_key_wrong: field(),
  proposed_key_unopened: is('INVALID_STATE'),

  folder_unusable: field<{ cause: string }>(),
  folder_taken: field<{ connection: string }>(),
}

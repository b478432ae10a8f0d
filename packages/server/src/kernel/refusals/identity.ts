import { field, is } from './catalogue.ts'

/** Who may give the code of an invitation: never who sent the link. */
type CodeGiver = 'admin' | 'admin_or_owner' | 'owner_or_finance'

/** Logins, second factors, sessions, invitations. */
export const IDENTITY = {
  login_wrong: is<{ audience: 'operator' | 'merchant' }>('NOT_FOUND'),
  login_ended: is('NOT_FOUND'),
  attempts_too_many: is<{ seconds: number }>('RATE_LIMITED'),
  password_wrong: is('NOT_FOUND'),
  password_too_short: field<{ min: number }>(),
  password_too_long: field<{ max: number }>(),
  password_has_name: field(),
  password_common: field(),

  second_factor_missing: is('INVALID_STATE'),
  second_factor_not_passed: is('INVALID_STATE'),
  second_factor_last: is('INVALID_STATE'),
  second_factor_code_wrong: is('NOT_FOUND'),
  second_factor_secret_missing: is('INVALID_STATE'),
  passkey_unknown: is('NOT_FOUND'),
  passkey_not_verified: is('NOT_FOUND'),

  admin_role_missing: is<{ name: string }>('INVALID_STATE'),
  first_login_made: is('INVALID_STATE'),
  operator_has_login: is<{ name: string }>('INVALID_STATE'),
  operator_without_login: is<{ name: string }>('INVALID_STATE'),
  user_email_taken: is('INVALID_STATE'),
  user_role_takes_invitation: is<{ role: string; name: string }>('INVALID_STATE'),

  invitation_over: is('NOT_FOUND'),
  /** `merchant`: null for the operator's staff. */
  invitation_missing: is<{ name: string; merchant: string | null }>('NOT_FOUND'),
  invitation_code_wrong: is<{ giver: CodeGiver }>('INVALID_STATE'),
  invitation_code_not_yours: is<{ name: string; giver: CodeGiver }>('INVALID_STATE'),
  invitation_code_without_giver: is<{ name: string }>('INVALID_STATE'),
  /** One owner may not be the only one who could give codes. */
  code_giver_needed: is('INVALID_STATE'),
}

import { field, is } from './catalogue.ts'

/** Who may decide, rights and roles of people, what they said. */
export const PEOPLE = {
  proof_needed: is('INVALID_STATE'),
  proposal_own: is<{ proposedBy: string }>('INVALID_STATE'),
  proposal_open: is<{ subject: string; proposedBy: string; proposal: string; kind: string }>('INVALID_STATE'),
  proposal_just_ended: is('INVALID_STATE'),
  /** Of a reason that is stored with a decision. */
  reason_missing: field(),
  /** Of what shows that a decision is right, stored with it. */
  evidence_missing: field(),

  two_people_needed: is('INVALID_STATE'),
  decider_missing: is('VALIDATION_ERROR'),
  decision_not_of_merchant: is('NOT_FOUND'),
  /** `needs`: the roles of which one would do; none if it is not for this kind of person at all. */
  user_without_right: is<{ role: string; action: string; needs: readonly string[] }>('NOT_FOUND'),
  operator_without_right: is<{ name: string; action: string; needs: readonly string[] }>('NOT_FOUND'),
  operator_disabled: is<{ name: string }>('NOT_FOUND'),
  operator_not_active: is<{ name: string }>('NOT_FOUND'),
  operator_roles_not_recorded: is<{ name: string }>('NOT_FOUND'),

  operator_exists: is<{ name: string }>('INVALID_STATE'),
  operator_name_malformed: field(),
  operator_name_reserved: field<{ name: string }>(),
  roles_unknown: field<{ known: readonly string[] }>(),
  not_one_of: field<{ known: readonly string[] }>(),
  role_needs_holder: is<{ role: 'admin' | 'owner' }>('INVALID_STATE'),
  second_admin_disabled: is<{ name: string; day: string }>('INVALID_STATE'),
  admin_with_money_takes_two: is('INVALID_STATE'),

  mark_in_place: is('INVALID_STATE'),
  row_in_place: is('INVALID_STATE'),
  word_not_recorded: is<{ person: string }>('INVALID_STATE'),
}

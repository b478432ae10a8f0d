import { field, is } from './catalogue.ts'

/** People, logins, changes that take two. */
export const PEOPLE = {
  proof_needed: is('INVALID_STATE'),
  /** Of a reason or evidence that is stored with a decision. */
  reason_missing: field(),
}

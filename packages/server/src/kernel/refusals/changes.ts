import { is } from './catalogue.ts'

/** Changes that one person proposes and another approves. */
export const CHANGES = {
  /** `by`: null if no one did. */
  change_decided: is<{ state: 'applied' | 'rejected' | 'withdrawn' | 'expired'; by: string | null }>('INVALID_STATE'),
  change_expired: is('INVALID_STATE'),
  change_proposer_without_right: is<{ change: string; proposedBy: string }>('INVALID_STATE'),
  change_outdated: is<{ change: string }>('INVALID_STATE'),
  change_not_understood: is('INVALID_STATE'),

  proposed_file_differs: is('INVALID_STATE'),
  proposed_file_gone: is('INVALID_STATE'),

  restore_released: is('INVALID_STATE'),
  restore_check_missing: is('INVALID_STATE'),
}

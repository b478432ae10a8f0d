import { is } from './catalogue.ts'

/** Changes that one person proposes and another approves. */
export const PROPOSALS = {
  /** `by`: null if no one did. */
  proposal_decided: is<{ state: 'applied' | 'rejected' | 'withdrawn' | 'expired'; by: string | null }>('INVALID_STATE'),
  proposal_expired: is('INVALID_STATE'),
  proposer_without_right: is<{ proposal: string; proposedBy: string }>('INVALID_STATE'),
  proposal_outdated: is<{ proposal: string }>('INVALID_STATE'),
  proposal_not_understood: is('INVALID_STATE'),

  proposed_file_differs: is('INVALID_STATE'),
  proposed_file_gone: is('INVALID_STATE'),

  restore_released: is('INVALID_STATE'),
  restore_check_missing: is('INVALID_STATE'),
}

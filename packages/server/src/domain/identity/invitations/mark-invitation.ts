import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Invitation } from './store.ts'

/** Covers whom it invites, as what, until when, and which token is asked for. */
export function invitationMark(marks: Marks, one: Invitation): Promise<string> {
  const { id, tokenHash, audience, name, merchantId, role, expiresAt } = one
  return marks.of(`login_invitations/${id}`, { tokenHash, audience, name, merchantId, role, expiresAt })
}

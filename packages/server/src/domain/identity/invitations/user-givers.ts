import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { merchantMayTake } from '../../people/index.ts'
import type { MerchantUser } from '../store.ts'
import type { Invitation } from './store.ts'

type Invited = Pick<Invitation, 'name' | 'invitedBy'>

const gives = ({ role }: MerchantUser) => merchantMayTake(role, 'merchant.code')

/** Not by an owner of the merchant. */
export const isByStaff = ({ invitedBy }: Pick<Invitation, 'invitedBy'>) => !invitedBy.startsWith('merchant:')

/** The user who invited. Another login with this address is the same person. */
export function inviterOf(users: readonly MerchantUser[], { invitedBy }: Pick<Invitation, 'invitedBy'>): string | null {
  const login = invitedBy.split(':')[2]
  return users.find(({ id }) => id === login)?.name ?? null
}

/** Users of the merchant who can give the code: neither the one who saw the link nor the one who is invited. */
export function givingUsers(users: readonly MerchantUser[], invitation: Invited): MerchantUser[] {
  const people = new Set([invitation.name, inviterOf(users, invitation)])
  return users.filter(
    (user) =>
      user.disabledAt === null &&
      !people.has(user.name) &&
      (isByStaff(invitation) ? user.role === 'owner' : gives(user)),
  )
}

/**
 * Whether an invitation by an owner needs a code: not while no other user has, or had, a role that gives it. One who was disabled
 * counts, or an owner would disable the other one first. Nor does an owner alone replace a login.
 */
export function teamTakesCode(users: readonly MerchantUser[], invitation: Invited): boolean {
  const inviter = inviterOf(users, invitation)
  return users.some(
    (user) => (user.name !== inviter && gives(user)) || (user.name === invitation.name && user.disabledAt === null),
  )
}

export function mayGive(actor: Actor, users: readonly MerchantUser[], invitation: Invited): boolean {
  if (actor.kind === 'merchant_user') return givingUsers(users, invitation).some(({ id }) => id === actor.login)
  return isByStaff(invitation) && invitation.invitedBy !== actorName(actor)
}

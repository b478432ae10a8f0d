import type { Actor } from '../../kernel/actor.ts'
import { refuse, refuseField } from '../../kernel/refusals/refuse.ts'
import type { MerchantRole } from '../people/index.ts'
import { authorize, decidesMore, MERCHANT_ROLES, merchantMayTake } from '../people/index.ts'
import type { IdentityDeps } from './identity.ts'
import { changeLogin, findLoginById } from './mark-logins.ts'
import type { ListedLogin } from './store.ts'
import { listLogins, lockLogins } from './store.ts'

/**
 * Replaces the role of a merchant's user. The next request of that person has it. In live only with one that decides no more: a role
 * that decides takes two people, as an invitation with it does.
 */
export async function changeRole(app: IdentityDeps, actor: Actor, loginId: string, role: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    const login = await findLoginById(app, tx, loginId)
    const merchantId = login?.merchantId ?? null
    const audit = await authorize(app, tx, actor, 'login.role', merchantId === null ? {} : { usersOf: merchantId })
    if (!login || merchantId === null) throw noLogin(loginId)
    if (!MERCHANT_ROLES.includes(role as MerchantRole))
      throw refuseField('role', 'not_one_of', { known: MERCHANT_ROLES })
    // Two owners who take the role from each other at once follow each other.
    await lockLogins(tx, merchantId)
    const others = (await listLogins(tx, { audience: 'merchant', merchantId })).filter(({ id }) => id !== loginId)
    if (role !== 'owner' && !others.some(({ roles }) => roles.includes('owner')))
      throw refuse('role_needs_holder', { role: 'owner' })
    const locked = await findLoginById(app, tx, loginId)
    if (!locked) throw noLogin(loginId)
    if (!app.sandbox && locked.roles.every((held) => decidesMore(role, held))) throw mustBeInvited(locked.name, role)
    if (!app.sandbox && actor.kind === 'merchant_user' && locked.roles.some(givesCodes) && !givesCodes(role))
      mustLeaveAnother(others.filter(({ id }) => id !== actor.login))
    await changeLogin(app, tx, locked, { role })
    await audit(`login:${loginId}`, { before: { roles: login.roles }, after: { role } })
  })
}

const givesCodes = (role: string) => merchantMayTake(role, 'merchant.code')

/** Otherwise an owner would take the role from the only one who can give codes, and invite alone. */
function mustLeaveAnother(others: ListedLogin[]): void {
  if (others.some(({ roles }) => roles.some(givesCodes))) return
  throw refuse('code_giver_needed')
}

const mustBeInvited = (name: string, role: string) => refuse('user_role_takes_invitation', { role, name })

const noLogin = (id: string) => refuse('login_unknown', { login: id })

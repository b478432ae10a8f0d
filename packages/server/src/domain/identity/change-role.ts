import type { Actor } from '../../kernel/actor.ts'
import { invalidField, Refusal } from '../../platform/refusal.ts'
import type { MerchantRole } from '../people/index.ts'
import { authorize, MERCHANT_ROLES } from '../people/index.ts'
import type { IdentityDeps } from './identity.ts'
import { changeLogin, findLoginById } from './mark-logins.ts'
import { listLogins, lockLogins } from './store.ts'

/** Replaces the role of a merchant's user. The next request of that person has it. */
export async function changeRole(app: IdentityDeps, actor: Actor, loginId: string, role: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    const login = await findLoginById(app, tx, loginId)
    const merchantId = login?.merchantId ?? null
    const audit = await authorize(app, tx, actor, 'login.role', merchantId === null ? {} : { usersOf: merchantId })
    if (!login || merchantId === null) throw noLogin(loginId)
    if (!MERCHANT_ROLES.includes(role as MerchantRole))
      throw invalidField('role', `must be one of ${MERCHANT_ROLES.join(', ')}`)
    // Two owners who take the role from each other at once follow each other.
    await lockLogins(tx, merchantId)
    const others = (await listLogins(tx, { audience: 'merchant', merchantId })).filter(({ id }) => id !== loginId)
    if (role !== 'owner' && !others.some(({ roles }) => roles.includes('owner')))
      throw new Refusal('INVALID_STATE', 'Someone must have the role owner. Give it to another person first.')
    const locked = await findLoginById(app, tx, loginId)
    if (!locked) throw noLogin(loginId)
    await changeLogin(app, tx, locked, { role })
    await audit(`login:${loginId}`, { before: { roles: login.roles }, after: { role } })
  })
}

const noLogin = (id: string) => new Refusal('NOT_FOUND', `There is no merchant's login ${id} that works.`)

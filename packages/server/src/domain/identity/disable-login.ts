import type { Actor } from '../../kernel/actor.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import { authorize, mustBeApproved, takesSecondAdmin } from '../people/index.ts'
import type { IdentityDeps } from './identity.ts'
import { revoke } from './sessions/store.ts'
import { selectLoginById, updateDisabled } from './store.ts'

type Deps = Omit<IdentityDeps, 'random' | 'ids' | 'vault' | 'realClock' | 'passwordCost'>

/**
 * Ends the login and its sessions. The person may be invited again, to a new login; in live a second admin approves it for a person of
 * the staff, because who invites could log in as that person.
 */
export async function disableLogin(app: Deps, actor: Actor, loginId: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    const login = await selectLoginById(tx, loginId)
    const audit = await authorize(
      app,
      tx,
      actor,
      'login.disable',
      login?.merchantId ? { usersOf: login.merchantId } : {},
    )
    if (!login) throw refuse('login_unknown', { login: loginId })
    if (login.audience === 'operator' && (await takesSecondAdmin(app, tx))) mustBeApproved(app)
    await updateDisabled(tx, loginId, app.clock.now())
    await revoke(tx, { loginId }, app.clock.now())
    await audit(`login:${loginId}`, { after: { disabled: true } })
  })
}

import type { Actor } from '../../kernel/actor.ts'
import { Refusal } from '../../platform/refusal.ts'
import { authorize } from '../people/index.ts'
import type { IdentityDeps } from './identity.ts'
import { revoke } from './sessions/store.ts'
import { selectLoginById, updateDisabled } from './store.ts'

/** Ends the login and its sessions. The person may be invited again, to a new login. */
export async function disableLogin(app: IdentityDeps, actor: Actor, loginId: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    const login = await selectLoginById(tx, loginId)
    const audit = await authorize(
      app,
      tx,
      actor,
      'login.disable',
      login?.merchantId ? { usersOf: login.merchantId } : {},
    )
    if (!login) throw new Refusal('NOT_FOUND', `There is no login ${loginId} that works.`)
    await updateDisabled(tx, loginId, app.clock.now())
    await revoke(tx, { loginId }, app.clock.now())
    await audit(`login:${loginId}`, { after: { disabled: true } })
  })
}
